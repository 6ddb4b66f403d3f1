"""How low a robot can stand: until its drives tire or its joints end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState, DynamicsModel, standing_posture

__all__ = ["LowestHeights", "lowest_heights"]

STATIC_SHARE = 0.6  # of a leg drive's effort that standing may need: the rest balances
STEP = 0.05  # of the legs' extension between two postures that are tried
LEANS = (0.0, 0.2, 0.4)  # [rad] of the base, where ankles end before the knees
LEAST_EXTENSION = 0.5
FLAT = 1e-3  # [m] by which a sole may miss the floor


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestHeights:
    """How low a robot can stand.

    Attributes:
        both_feet: Lowest centre of mass over the soles [m].
        one_foot: Likewise, on one foot.
        effort: Greatest share of a drive's effort when it stands ready on one foot.
    """

    both_feet: float
    one_foot: float
    effort: float = 0.0


def lowest_heights(model: DynamicsModel, *, extension: float) -> LowestHeights:
    """Bend the knees step by step until the legs' drives or joints say no.

    On one foot the drives carry twice what they carry on two.

    Args:
        model: A robot with two soles; it is left in some posture.
        extension: Of the legs when standing ready.
    """
    both = one = np.inf
    effort = 0.0
    while extension > LEAST_EXTENSION:
        tried = (_height_and_share(model, extension, lean) for lean in LEANS)
        found = next((answer for answer in tried if answer is not None), None)
        if found is None:
            break
        height, share = found
        if not np.isfinite(both):  # standing ready is always allowed
            both, one, effort = height, height, 2.0 * share
        if share > STATIC_SHARE:
            break
        both = min(both, height)
        if 2.0 * share <= STATIC_SHARE:
            one = min(one, height)
        extension -= STEP
    return LowestHeights(both_feet=both, one_foot=one, effort=effort)


def _height_and_share(
    model: DynamicsModel, extension: float, lean: float
) -> tuple[float, float] | None:
    """Return height and the greatest share of an effort, or None if out of reach."""
    place = standing_posture(model, extension=extension, lean=lean)
    model.update(
        BodyState(
            world_p_base=place.world_p_base,
            world_R_base=place.world_R_base,
            q=place.q,
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
            dq=np.zeros(model.n),
        )
    )
    soles = np.array([model.position(frame) for frame in model.sole_frames()])
    if np.abs(soles[:, 2]).max() > FLAT:
        return None
    force = np.array([0.0, 0.0, 0.5 * model.mass * GRAVITY, 0.0, 0.0, 0.0])
    tau = model.h[6:].copy()
    for frame in model.sole_frames():
        tau -= model.jacobian(frame)[:, 6:].T @ force
    legs = np.array([group == "legs" for group in model.actuators.groups])
    share = np.abs(tau / model.actuators.effort)[legs].max()
    return float(model.com[2] - soles[:, 2].mean()), float(share)
