"""Where 34 markers of an optical system are on a body."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from telexist.retarget.human.musculoskeletal.body_points import BodyPoint, segment_point
from telexist.retarget.human_size import HumanSize

__all__ = ["body_markers"]

_MIDDLE: Mapping[str, str] = MappingProxyType(
    {
        "Forehead": "Head .6 .055 0",
        "HeadBack": "Head .6 -.055 0",
        "C7": "Neck 0 -.040 0",
        "Sternum": "T8 .6 .060 0",
        "T12Back": "T12 .5 -.060 0",
        "HeadLeft": "Head .6 0 .045",
    }
)
_PAIRED: Mapping[str, str] = MappingProxyType(
    {
        "Acromion": "Shoulder 1 0 .010",
        "UpperArm": "UpperArm .5 0 .025",
        "Elbow": "UpperArm 1 0 .022",
        "WristIn": "ForeArm 1 .016 0",
        "WristOut": "ForeArm 1 -.016 0",
        "Hand": "Hand .5 -.004 .010",
        "FrontHip": "Pelvis .7 .050 .065",
        "BackHip": "Pelvis .7 -.055 .025",
        "Thigh": "UpperLeg .5 .020 .035",
        "Knee": "UpperLeg 1 0 .032",
        "Shank": "LowerLeg .5 .020 .020",
        "Ankle": "LowerLeg 1 0 .022",
        "Heel": "Foot .6 -.075 0",
        "Toe": "Foot 1 0 .010",
    }
)


def body_markers(size: HumanSize) -> dict[str, BodyPoint]:
    """Return the markers of a person, by name."""
    markers = {
        name: segment_point(size, "Left", text) for name, text in _MIDDLE.items()
    }
    for side in ("Right", "Left"):
        for name, text in _PAIRED.items():
            markers[f"{side}{name}"] = segment_point(size, side, text)
    return markers
