"""Whose foot was on which plate, and what the foot then felt.

A plate that carries weight belongs, for as long as it does, to the foot nearest to its
centre of pressure. Wrenches are kept about the world's origin until the very end: a
centre of pressure must never be filtered or interpolated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.dynamics.person_motion import PersonMotion, low_passed
from telexist.retarget.dynamics.sole_contacts import (
    AIRBORNE_CONTACT,
    SIDES,
    SoleContacts,
)
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["FeltForces", "PlateForces", "feet_on_plates", "plate_contacts"]

ON, OFF = 0.06, 0.03  # of the body weight: a plate is loaded, is free again
SKIRT = 0.15  # [s] before and after, for what the filter smears
NEAR = 0.22  # [m] from a foot's middle to the centre of pressure of its plate


@dataclass(frozen=True, slots=True, kw_only=True)
class PlateForces:
    """Wrenches of the ground on the person, in the world of the clip.

    Attributes:
        time: (k,) [s], the clip's.
        wrenches: About the world's origin, force first (p, k, 6).
        names: Of the p plates.
        notes: What was found, one line each.
    """

    time: Array
    wrenches: Array
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltForces:
    """What each foot felt; sides are left, right.

    Attributes:
        wrench: World axes, about the ankle (t, 2, 6).
        measured: Whether plates told it, or the foot was in the air (t, 2).
        contact: Whether the foot carries weight (t, 2).
        notes: Which plate belonged to which foot, one line each.
    """

    wrench: Array
    measured: NDArray[np.bool_]
    contact: NDArray[np.bool_]
    notes: tuple[str, ...]


def plate_contacts(vertical: Array, weight: float) -> NDArray[np.bool_]:
    """Return when a plate carries weight (t,), with hysteresis.

    Args:
        vertical: Force upwards (t,) [N].
        weight: Of the body [N].
    """
    on = np.zeros(len(vertical), dtype=bool)
    state = False
    for k, force in enumerate(vertical):
        state = force > (OFF if state else ON) * weight
        on[k] = state
    return on


def resampled(plates: PlateForces, time: Array, cutoff: float) -> Array:
    """Return the wrenches at other times, low-passed (p, t, 6); NaN outside."""
    rate = (len(plates.time) - 1) / (plates.time[-1] - plates.time[0])
    out = np.full((len(plates.names), len(time), 6), np.nan)
    slack = 1.5 / rate
    inside = (time >= plates.time[0] - slack) & (time <= plates.time[-1] + slack)
    for k, wrench in enumerate(plates.wrenches):
        smooth = low_passed(wrench, rate, cutoff)
        for axis in range(6):
            out[k, inside, axis] = np.interp(time[inside], plates.time, smooth[:, axis])
    return out


def feet_on_plates(
    plates: PlateForces,
    motion: PersonMotion,
    soles: SoleContacts,
    *,
    weight: float,
    cutoff: float,
) -> FeltForces:
    """Give each loaded plate to a foot.

    Args:
        plates: What was measured.
        motion: The person.
        soles: How far the feet touch the ground, from their motion.
        weight: Of the body [N].
        cutoff: Of the low pass [Hz].
    """
    t = len(motion.time)
    wrenches = resampled(plates, motion.time, cutoff)
    about_origin = np.zeros((t, 2, 6))
    measured = np.zeros((t, 2), dtype=bool)
    unknown = np.zeros((t, 2), dtype=bool)
    notes = []
    middles = np.stack([_foot_middle(motion, side) for side in SIDES], axis=1)
    rate = (t - 1) / (motion.time[-1] - motion.time[0])
    skirt = round(SKIRT * rate)
    for name, wrench in zip(plates.names, wrenches, strict=True):
        vertical = np.nan_to_num(wrench[:, 2])
        for first, last in _runs(plate_contacts(vertical, weight)):
            middle = slice(first, last)
            share = wrench[middle, 2] / wrench[middle, 2].sum()
            centre = np.stack([-wrench[middle, 4], wrench[middle, 3]], axis=1)
            centre /= wrench[middle, 2, None]
            gaps = np.linalg.norm(middles[middle, :, :2] - centre[:, None], axis=2)
            distance = share @ gaps
            s = int(np.argmin(distance))
            when = f"{motion.time[first]:.2f} to {motion.time[last - 1]:.2f} s"
            if distance[s] > NEAR:
                unknown[middle] = True
                notes.append(
                    f"{name}: {when}: loaded between the feet or by something else "
                    f"({distance[s]:.2f} m from the nearest foot), not used"
                )
                continue
            span = slice(max(first - skirt, 0), min(last + skirt, t))
            about_origin[span, s] += np.nan_to_num(wrench[span])
            measured[span, s] = True
            notes.append(f"{name}: {SIDES[s].lower()} foot, {when}")
    covered = np.asarray(np.isfinite(wrenches).all(axis=(0, 2)))
    air = soles.confidence < AIRBORNE_CONTACT
    measured = ((measured & covered[:, None]) | air) & ~unknown
    force = about_origin[..., :3]
    ankles = np.stack(
        [motion.positions[:, SEGMENT_INDEX[f"{side}Foot"]] for side in SIDES], axis=1
    )
    moment = about_origin[..., 3:] - np.cross(ankles, force)
    contact = np.stack([plate_contacts(force[:, s, 2], weight) for s in (0, 1)], axis=1)
    contact |= ~measured & ~air
    return FeltForces(
        wrench=np.concatenate([force, moment], axis=2),
        measured=measured,
        contact=contact,
        notes=tuple(notes),
    )


def _foot_middle(motion: PersonMotion, side: str) -> Array:
    foot, toe = (SEGMENT_INDEX[f"{side}{part}"] for part in ("Foot", "Toe"))
    middle: Array = 0.4 * motion.positions[:, foot] + 0.6 * motion.positions[:, toe]
    return middle


def _runs(on: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first frame of each run and the one after its last."""
    edges = np.diff(np.concatenate([[0], on.astype(int), [0]]))
    return list(zip(np.flatnonzero(edges > 0), np.flatnonzero(edges < 0), strict=True))
