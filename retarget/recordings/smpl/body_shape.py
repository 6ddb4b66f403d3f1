"""How long the bones of an SMPL body are: from its model, or nearly without it.

The models are licensed and none comes with the program. With a model file of the
user's, the joints follow from the shape: J = J_regressor (v_template + shapedirs betas)
(Loper et al. 2015, equations 8 and 10). Without, an average adult in whole centimetres
is scaled: the first shape parameter is nearly the stature, one of it about 10 cm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.recordings.smpl.body_model import SmplModel
from telexist.retarget.so3 import Array

__all__ = [
    "ENDS",
    "END_PARENTS",
    "JOINT_NAMES",
    "PARENTS",
    "SmplBody",
    "average_body",
    "modelled_body",
    "scaled_body",
]

# Joint, its parent, and where it is from there at rest [cm], stature about 1.72 m.
_ROWS: tuple[tuple[str, str, tuple[int, int, int]], ...] = (
    ("pelvis", "", (0, 0, 0)),
    ("left_hip", "pelvis", (6, -9, -1)),
    ("right_hip", "pelvis", (-6, -9, -1)),
    ("spine1", "pelvis", (0, 11, -3)),
    ("left_knee", "left_hip", (4, -38, 0)),
    ("right_knee", "right_hip", (-4, -38, 0)),
    ("spine2", "spine1", (0, 13, 1)),
    ("left_ankle", "left_knee", (-1, -42, -4)),
    ("right_ankle", "right_knee", (1, -42, -4)),
    ("spine3", "spine2", (0, 5, 1)),
    ("left_foot", "left_ankle", (4, -6, 12)),
    ("right_foot", "right_ankle", (-4, -6, 12)),
    ("neck", "spine3", (0, 21, -4)),
    ("left_collar", "spine3", (8, 12, -3)),
    ("right_collar", "spine3", (-8, 12, -3)),
    ("head", "neck", (0, 8, 5)),
    ("left_shoulder", "left_collar", (10, 4, -1)),
    ("right_shoulder", "right_collar", (-10, 4, -1)),
    ("left_elbow", "left_shoulder", (26, -1, -2)),
    ("right_elbow", "right_shoulder", (-26, -1, -2)),
    ("left_wrist", "left_elbow", (25, 1, 0)),
    ("right_wrist", "right_elbow", (-25, 1, 0)),
)
_END_ROWS: tuple[tuple[str, str, tuple[int, int, int]], ...] = (
    ("head_top", "head", (0, 18, 0)),
    ("left_hand_tip", "left_wrist", (18, 0, 0)),
    ("right_hand_tip", "right_wrist", (-18, 0, 0)),
    ("left_toe_tip", "left_foot", (1, -2, 6)),
    ("right_toe_tip", "right_foot", (-1, -2, 6)),
)
JOINT_NAMES = tuple(name for name, _, _ in _ROWS)
ENDS = tuple(name for name, _, _ in _END_ROWS)
PARENTS = tuple(JOINT_NAMES.index(p) if p else -1 for _, p, _ in _ROWS)
END_PARENTS = tuple(JOINT_NAMES.index(p) for _, p, _ in _END_ROWS)

_STATURE = 1.72  # [m] of the rows above
_PER_BETA = 0.10  # [m] of stature for one of the first parameter
_STATURES = (1.3, 2.15)  # [m] that are believed without a model


@dataclass(frozen=True, slots=True, kw_only=True)
class SmplBody:
    """A body at rest.

    Attributes:
        offsets: Each joint from its parent, then the ends (27, 3) [m].
        pelvis: The root joint from the model's origin (3,) [m].
        note: Where it came from.
    """

    offsets: Array
    pelvis: Array
    note: str


def average_body() -> SmplBody:
    """Return an average adult."""
    rows = [row for _, _, row in (*_ROWS, *_END_ROWS)]
    return SmplBody(
        offsets=np.array(rows, dtype=np.float64) / 100.0,
        pelvis=np.zeros(3),
        note=f"body: an average adult of {_STATURE} m",
    )


def scaled_body(betas: Array) -> SmplBody:
    """Return an average adult as tall as the first shape parameter says, nearly."""
    average = average_body()
    stature = float(np.clip(_STATURE + _PER_BETA * betas[0], *_STATURES))
    return SmplBody(
        offsets=average.offsets * (stature / _STATURE),
        pelvis=average.pelvis,
        note=(
            f"body: approximate, an average adult scaled to {stature:.2f} m by the "
            f"first of {len(betas)} shape parameters; `body_model` in a TOML beside it "
            "names a model file that says it exactly"
        ),
    )


def modelled_body(model: SmplModel, betas: Array | None) -> SmplBody:
    """Return the body of a model with shape parameters.

    Ends are where the surface ends: on top of the head, at fingers and toes.
    """
    given = np.zeros(0) if betas is None else betas
    used = min(len(given), model.shapes.shape[2])
    vertices = model.template + model.shapes[:, :, :used] @ given[:used]
    joints = (model.regressor @ vertices)[: len(JOINT_NAMES)]
    ends = _ends(vertices, joints)
    above = np.array([joints[p] if p >= 0 else joints[0] for p in PARENTS])
    offsets = np.concatenate([joints - above, ends - joints[list(END_PARENTS)]])
    stature = float(np.ptp(vertices[:, 1]))
    left = f", {len(given) - used} more unused" if used < len(given) else ""
    return SmplBody(
        offsets=offsets,
        pelvis=joints[0],
        note=(
            f"body: {model.name} with {used} shape parameters{left}, {stature:.2f} m"
        ),
    )


def _ends(vertices: Array, joints: Array) -> Array:
    """Return the ends in the order of `ENDS` (5, 3) [m]."""
    at = dict(zip(JOINT_NAMES, joints, strict=True))
    found = {"head_top": vertices[np.argmax(vertices[:, 1])]}
    found["head_top"] = np.array([at["head"][0], found["head_top"][1], at["head"][2]])
    for side, sign in (("left", 1.0), ("right", -1.0)):
        tip = vertices[np.argmax(sign * vertices[:, 0])]
        found[f"{side}_hand_tip"] = tip
        own = vertices[sign * vertices[:, 0] > 0.0]
        low = own[own[:, 1] < at[f"{side}_ankle"][1]]
        toes = low if len(low) else own
        tip = toes[np.argmax(toes[:, 2])]
        found[f"{side}_toe_tip"] = tip
    return np.stack([found[name] for name in ENDS])
