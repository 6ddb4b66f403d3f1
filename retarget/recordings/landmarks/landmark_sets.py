"""Which landmark is which point of the body, by its number or its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COUNTS", "NEEDED", "place_of_name", "places_of_count"]

_MEDIAPIPE = [
    "nose",
    "left_eye_inner",
    "left_eye",
    "left_eye_outer",
    "right_eye_inner",
    "right_eye",
    "right_eye_outer",
    "left_ear",
    "right_ear",
    "mouth_left",
    "mouth_right",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
    "left_pinky",
    "right_pinky",
    "left_index",
    "right_index",
    "left_thumb",
    "right_thumb",
    "left_hip",
    "right_hip",
    "left_knee",
    "right_knee",
    "left_ankle",
    "right_ankle",
    "left_heel",
    "right_heel",
    "left_foot_index",
    "right_foot_index",
]
_COCO = [
    "nose",
    "left_eye",
    "right_eye",
    "left_ear",
    "right_ear",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
    "left_hip",
    "right_hip",
    "left_knee",
    "right_knee",
    "left_ankle",
    "right_ankle",
]
_FEET = [
    "left_foot_index",
    "left_small_toe",
    "left_heel",
    "right_foot_index",
    "right_small_toe",
    "right_heel",
]  # what COCO-WholeBody calls the big toe has MediaPipe's name here
_FACE, _HAND = 68, 21
_KNUCKLES = {5: "index", 17: "pinky"}  # of a hand's 21 points


def _whole_body() -> tuple[str, ...]:
    names = [*_COCO, *_FEET, *[""] * _FACE]
    for side in ("left", "right"):
        for k in range(_HAND):
            names.append(f"{side}_{_KNUCKLES[k]}" if k in _KNUCKLES else "")
    return tuple(names)


_SETS: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {33: tuple(_MEDIAPIPE), 17: tuple(_COCO), 133: _whole_body()}
)
COUNTS = tuple(_SETS)
"""How many landmarks the known sets have: MediaPipe Pose, COCO, COCO-WholeBody."""

_KNOWN = {*_MEDIAPIPE, *_FEET}
NEEDED = tuple(
    f"{side}_{part}"
    for part in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
    for side in ("left", "right")
)
"""Without these there is no person."""


def places_of_count(count: int) -> tuple[str, ...]:
    """Return the names of a set by its size; empty where none is needed."""
    return _SETS[count]


def place_of_name(text: str) -> str | None:
    """Return the place a name means, `LEFT_BIG_TOE`, `leftHip` or `l_hip`, or None."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", text.strip()).lower()
    words = re.sub(r"[^a-z]+", "_", words).strip("_")
    words = re.sub(r"^l_", "left_", re.sub(r"^r_", "right_", words))
    words = words.replace("big_toe", "foot_index")
    return words if words in _KNOWN else None
