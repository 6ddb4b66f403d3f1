"""Neutral trunk, head and collars: what stands upright most, and what bones say.

People lean, bow their heads and shrug for whole clips, so how a joint mostly stands is
one witness; that spine and neck are about vertical and collars about level in N-pose is
another one, which does not depend on the clip. Where they disagree, it is said.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.recordings.recognition.all_frames.evidence import Evidence
from telexist.retarget.recordings.recognition.all_frames.robust_axes import (
    basis_of_left,
    basis_of_up,
    robust_mean,
    turn_between,
    units,
)
from telexist.retarget.so3 import Array, angle_between, shortest_rotation, slerp

__all__ = ["SPINE", "neutral_trunk"]

SPINE = ("Pelvis", "L5", "L3", "T12", "T8")
_ON_SPINE = ("Neck", "Head")
_UP = np.array([0.0, 0.0, 1.0])
_HANGING = np.deg2rad(35.0)  # of an upper arm that hangs
_LOOKING = np.deg2rad(50.0)  # a head is turned no farther for a whole clip
_LOOSE = np.deg2rad(25.0)  # spread of what the frames say, before it is doubtful
_DISAGREE = np.deg2rad(11.0)  # between two witnesses
_NECK = np.deg2rad(7.0)  # the same of a neck
_OF_BONE = {"L5": 0.7, "L3": 0.7, "T12": 0.7, "T8": 0.5, "Neck": 0.6}
"""Weight of a vertical bone beside how the joint mostly stands."""
_OF_REST = 0.6  # weight of a head that is made straight on its neck
_OF_LEVEL = 0.5  # weight of a level collar


def neutral_trunk(seen: Evidence, doubtful: list[str]) -> dict[str, Array]:
    """Return `neutral_R_joint` of trunk, head and collars.

    Args:
        seen: The clip.
        doubtful: Gets the names of the segments that it does not show well.
    """
    found: dict[str, Array] = {}
    chain = [n for n in (*SPINE, *_ON_SPINE) if n in seen.names]
    if not seen.stands:
        doubtful += chain
    for k, name in enumerate(chain):
        stood, spread = _as_it_stands(seen, name)
        if spread > _LOOSE:
            doubtful.append(name)
        above = chain[k + 1] if k + 1 < len(chain) else None
        found[name] = _with_bone(seen, name, above, stood, doubtful)
    if "Head" in found:
        found["Head"] = _head(seen, found, doubtful)
    for side in ("Left", "Right"):
        if f"{side}Shoulder" in seen.names:
            found[f"{side}Shoulder"] = _collar(seen, found, side, doubtful)
            if "T8" in doubtful:
                doubtful.append(f"{side}Shoulder")
    return found


def _as_it_stands(seen: Evidence, name: str) -> tuple[Array, float]:
    """Return a joint by what is up and left in it while the person stands."""
    both = units(seen.hips) + units(seen.shoulders)
    across = {"Pelvis": seen.hips, "T8": seen.shoulders}.get(name, both)
    if name in _ON_SPINE:
        across = seen.shoulders
    up = np.tile(_UP, (len(across), 1))
    z, leaning = robust_mean(seen.own(name, up), seen.standing)
    y, turned = robust_mean(seen.own(name, units(across)), seen.standing)
    # the hips are part of the pelvis
    made = basis_of_left(y, z) if name == "Pelvis" else basis_of_up(z, y)
    return made, max(leaning, turned)


def _with_bone(
    seen: Evidence, name: str, above: str | None, stood: Array, doubtful: list[str]
) -> Array:
    """Turn a joint towards one whose bone is vertical."""
    weight = _OF_BONE.get(name, 0.0)
    bone = seen.bone(name, above) if above is not None and weight > 0.0 else None
    if bone is None:
        return stood
    apart = angle_between(stood @ bone, _UP)
    if apart > (_NECK if name == "Neck" else _DISAGREE):
        doubtful.append(name)
    return _between(stood, shortest_rotation(stood @ bone, _UP) @ stood, weight)


def _between(first: Array, second: Array, weight: float) -> Array:
    return np.asarray(slerp(first, second, weight))


def _head(seen: Evidence, found: Mapping[str, Array], doubtful: list[str]) -> Array:
    """Return the head as it mostly is, as it is made on the neck, and by its top."""
    head, witnesses = found["Head"], 1
    on = "Neck" if "Neck" in found else "T8"
    if on in seen.rest and "Head" in seen.rest and on in found:
        made = found[on] @ seen.rest[on].T @ seen.rest["Head"]
        apart = turn_between(made, head)
        if apart > _DISAGREE:
            doubtful.append("Head")
        if apart < _LOOKING:
            head, witnesses = _between(head, made, _OF_REST), 2
    top = seen.joints.head_top
    if top is not None:
        line = seen.seen(top) - seen.place("Head")
        if float(np.linalg.norm(line, axis=-1).min()) > 1e-6:
            own, _ = robust_mean(seen.own("Head", units(line)), np.ones(len(line)))
            lean = seen.joints.known.head_lean
            up = (np.sin(lean), 0.0, np.cos(lean))
            head = shortest_rotation(head @ own, up) @ head
            witnesses = 2
    if witnesses == 1:
        doubtful.append("Head")
    return np.asarray(head)


def _collar(
    seen: Evidence, found: Mapping[str, Array], side: str, doubtful: list[str]
) -> Array:
    """Return a collar as it is while its arm hangs, turned towards a level one."""
    name = f"{side}Shoulder"
    hangs = seen.while_arm_hangs(found, side, _HANGING)
    bone = seen.bone(name, f"{side}UpperArm")
    chest = "T8" if "T8" in found else "Pelvis"
    if bone is None or seen.is_rigid(name, chest):
        return hangs
    out = 1.0 if side == "Left" else -1.0
    level = np.array([0.0, out, 0.0])
    if angle_between(hangs @ bone, level) > _DISAGREE:
        doubtful.append(name)
    return _between(hangs, shortest_rotation(hangs @ bone, level) @ hangs, _OF_LEVEL)
