"""The person at one moment, upright: joint centres from what markers show.

Hip joints after Harrington et al. (2007) from the breadth and depth of the pelvis;
knees, ankles and elbows between their two markers, or half a joint's breadth inwards of
the outer one; shoulders 17 % of their breadth below the acromia (Rab et al. 2002).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import UnknownSkeleton
from telexist.retarget.so3 import Array

__all__ = ["StandingPerson", "heading_axes", "joint_centres", "missing_words"]

# Half the breadth over the skin plus the radius of a marker, of the leg's length.
_HALF_KNEE, _HALF_ANKLE, _HALF_ELBOW = 0.066, 0.047, 0.048
_SHOULDER_DROP = 0.17  # of the breadth between the acromia
SIDES = (("Left", 1.0), ("Right", -1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingPerson:
    """Joint centres at one moment, in axes x ahead, y left, z up.

    Attributes:
        markers: Place to point (3,) [m].
        centres: Names such as `LeftHip`, `LeftKnee` to point (3,) [m].
        has_arms: Whether there are arms among them.
    """

    markers: Mapping[str, Array]
    centres: Mapping[str, Array]
    has_arms: bool


def heading_axes(markers: Mapping[str, Array], path: str) -> Array:
    """Return x ahead, y left, z up of the pelvis as columns (3, 3), z up in, too.

    Raises:
        UnknownSkeleton: If the pelvis is not marked.
    """
    left, right, back = _pelvis_points(markers, path)
    ahead = (left + right) / 2.0 - back
    across = left - right
    y = np.array([across[0], across[1], 0.0])
    length = float(np.linalg.norm(y))
    if length < 0.03 or float(np.linalg.norm(ahead)) < 0.02:
        problem = "the markers of the pelvis lie on one spot, or left is above right"
        raise UnknownSkeleton(path, problem)
    y /= length
    x = np.cross(y, [0.0, 0.0, 1.0])
    if x @ ahead < 0.0:
        problem = (
            "the left marker of the pelvis is on the right side: names are swapped"
        )
        raise UnknownSkeleton(path, problem)
    return np.stack([x, y, [0.0, 0.0, 1.0]], axis=1)


def _pelvis_points(
    markers: Mapping[str, Array], path: str
) -> tuple[Array, Array, Array]:
    have = {name for name, point in markers.items() if np.isfinite(point).all()}
    backs: list[str] = [n for n in ("LeftPsis", "RightPsis") if n in have]
    if len(backs) < 2 and "Sacrum" in have:
        backs = ["Sacrum"]
    if not {"LeftAsis", "RightAsis"} <= have or not backs:
        raise UnknownSkeleton(path, missing_words(have))
    back = np.mean([markers[name] for name in backs], axis=0)
    return markers["LeftAsis"], markers["RightAsis"], back


def missing_words(have: set[str]) -> str:
    """Say which places are needed and not there."""
    needed = ["LeftAsis", "RightAsis"]
    for side in ("Left", "Right"):
        needed += [f"{side}KneeLateral", f"{side}AnkleLateral", f"{side}Heel"]
        needed += [f"{side}Toe"]
    lacking = [name for name in needed if name not in have]
    if "Sacrum" not in have and not {"LeftPsis", "RightPsis"} <= have:
        lacking.append("Sacrum (or LeftPsis and RightPsis)")
    return (
        f"no marker found for {', '.join(lacking) or 'the whole body'}; "
        "name them in a TOML file beside it, table [markers], "
        'e.g. LeftAsis = "name in the file"'
    )


def joint_centres(
    markers: Mapping[str, Array], path: str, *, floor: float
) -> StandingPerson:
    """Find the joints of a person who stands more or less upright.

    Args:
        markers: Place to point (3,) [m], x ahead, y left, z up.
        path: The file, for messages.
        floor: Height of the floor [m].

    Raises:
        UnknownSkeleton: Naming the places that are missing.
    """
    seen = {
        name: np.asarray(point)
        for name, point in markers.items()
        if np.isfinite(point).all()
    }
    centres = _hips(seen, path)
    lacking = []
    for side, left in SIDES:
        height = centres[f"{side}Hip"][2] - floor
        for joint, half in (("Knee", _HALF_KNEE), ("Ankle", _HALF_ANKLE)):
            point = _between(seen, side, joint, half * height * left)
            if point is None:
                lacking.append(f"{side}{joint}Lateral")
            else:
                centres[f"{side}{joint}"] = point
        if f"{side}Heel" not in seen or not _toe_places(seen, side):
            lacking.append(f"{side}Heel and {side}Toe")
    if lacking:
        raise UnknownSkeleton(path, missing_words(set(seen)))
    arms = [_arm(seen, centres, side, left) for side, left in SIDES]
    return StandingPerson(
        markers=MappingProxyType(seen),
        centres=MappingProxyType(centres),
        has_arms=all(arms),
    )


def _toe_places(seen: Mapping[str, Array], side: str) -> list[str]:
    names = ("Toe", "Metatarsal1", "Metatarsal5")
    return [f"{side}{name}" for name in names if f"{side}{name}" in seen]


def _hips(seen: Mapping[str, Array], path: str) -> dict[str, Array]:
    left, right, back = _pelvis_points(seen, path)
    given = {side: seen.get(f"{side}HipCenter") for side, _ in SIDES}
    if all(point is not None for point in given.values()):
        return {f"{side}Hip": np.array(point) for side, point in given.items()}
    middle = (left + right) / 2.0
    y = (left - right) / np.linalg.norm(left - right)
    ahead = middle - back
    ahead = ahead - (ahead @ y) * y
    depth, breadth = float(np.linalg.norm(ahead)), float(np.linalg.norm(left - right))
    x = ahead / depth
    z = np.cross(x, y)
    inwards = 0.33 * breadth + 0.0073
    behind, below = 0.24 * depth + 0.0099, 0.30 * breadth + 0.0109
    base = middle - behind * x - below * z
    return {f"{side}Hip": base + sign * inwards * y for side, sign in SIDES}


def _between(
    seen: Mapping[str, Array], side: str, joint: str, inwards: float
) -> Array | None:
    given = seen.get(f"{side}{joint}Center")
    outer, inner = seen.get(f"{side}{joint}Lateral"), seen.get(f"{side}{joint}Medial")
    if given is not None:
        return np.array(given)
    if outer is not None and inner is not None:
        return (outer + inner) / 2.0
    return None if outer is None else outer - [0.0, inwards, 0.0]


def _arm(
    seen: Mapping[str, Array], centres: dict[str, Array], side: str, left: float
) -> bool:
    """Add shoulder, elbow and wrist of an arm; returns whether it is marked."""
    wrists = [
        seen[f"{side}{name}"]
        for name in ("WristRadial", "WristUlnar", "Wrist")
        if f"{side}{name}" in seen
    ]
    top, elbow = seen.get(f"{side}Shoulder"), seen.get(f"{side}ElbowLateral")
    other = seen.get("RightShoulder" if side == "Left" else "LeftShoulder")
    if top is None or other is None or elbow is None or not wrists:
        return False
    breadth = float(np.linalg.norm(top - other))
    centres[f"{side}Shoulder"] = top - [0.0, 0.0, _SHOULDER_DROP * breadth]
    wrist = np.mean(wrists[:2], axis=0)
    inner = seen.get(f"{side}ElbowMedial")
    if inner is not None:
        centres[f"{side}Elbow"] = (elbow + inner) / 2.0
    else:
        height = centres[f"{side}Hip"][2] - centres[f"{side}Ankle"][2]
        centres[f"{side}Elbow"] = elbow + _HALF_ELBOW * height * _inwards(
            centres[f"{side}Shoulder"], elbow, wrist, left
        )
    centres[f"{side}Wrist"] = wrist
    return True


def _inwards(shoulder: Array, elbow: Array, wrist: Array, left: float) -> Array:
    """Return the direction from the outer side of the elbow through the joint.

    Along the axis that the elbow bends about, where it is bent; towards the body
    otherwise.
    """
    arm, forearm = elbow - shoulder, wrist - elbow
    axis = np.cross(arm, forearm)
    length = float(np.linalg.norm(axis))
    bent = length / (np.linalg.norm(arm) * np.linalg.norm(forearm))
    if bent > 0.35:
        return left * axis / length
    towards = np.array([0.0, -left, 0.0])
    across = towards - (towards @ arm) * arm / (arm @ arm)
    size = float(np.linalg.norm(across))
    return across / size if size > 1e-6 else towards
