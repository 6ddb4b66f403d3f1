"""Which part of the body each tracked device of SteamVR is on.

In this order: what the user says about a serial number; the role that was chosen in
SteamVR's settings; for a tracker without a role, where it is on a person who stands
upright with the arms down, facing as the headset does, when it is first seen.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import UnknownName
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array, rotation_z, yaw_of
from telexist.teleop.devices.openvr.axes import DevicePose

__all__ = ["TrackedDevice", "OpenVrRoles"]

logger = logging.getLogger(__name__)

_ROLE_WORDS = {
    "waist": "Pelvis",
    "chest": "T8",
    "left_foot": "LeftFoot",
    "right_foot": "RightFoot",
    "left_ankle": "LeftFoot",
    "right_ankle": "RightFoot",
    "left_knee": "LeftLowerLeg",
    "right_knee": "RightLowerLeg",
    "left_elbow": "LeftForeArm",
    "right_elbow": "RightForeArm",
    "left_wrist": "LeftHand",
    "right_wrist": "RightHand",
    "left_shoulder": "LeftUpperArm",
    "right_shoulder": "RightUpperArm",
}
_MIN_HEAD_HEIGHT = 0.8  # [m] of somebody who stands
_REACH = 0.8  # [m] from the headset's axis; farther away is nobody's tracker
_CENTRE = 0.12  # of the headset's height to either side: the trunk


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedDevice:
    """One device that SteamVR tracks.

    Attributes:
        index: SteamVR's number of it.
        serial: Its serial number.
        kind: "head", "left", "right" (controllers) or "tracker".
        role: What SteamVR's settings say about a tracker, such as
            "vive_tracker_left_foot".
    """

    index: int
    serial: str
    kind: str
    role: str = ""


class OpenVrRoles:
    """Knows the segment of each device, and remembers it by its serial number."""

    def __init__(self, said: Mapping[str, str] | None = None) -> None:
        """Take what the user says: serial number to segment.

        Raises:
            UnknownName: If a segment does not exist.
        """
        self._said = dict(said or {})
        for segment in self._said.values():
            if segment not in SEGMENTS:
                raise UnknownName("segment", segment, SEGMENTS)
        self._seen: dict[str, str] = {}

    def segment(
        self, device: TrackedDevice, pose: DevicePose, head: DevicePose
    ) -> str | None:
        """Return the segment that a device is on; None if that is not clear."""
        if device.serial in self._said:
            return self._said[device.serial]
        fixed = {"head": "Head", "left": "LeftHand", "right": "RightHand"}
        if device.kind in fixed:
            return fixed[device.kind]
        for word, segment in _ROLE_WORDS.items():
            if device.role.endswith(word):
                return segment
        if device.serial not in self._seen:
            place = segment_at(pose.position, head)
            if place is None or place in self._seen.values():
                return None
            logger.info("tracker %s is on %s", device.serial, place)
            self._seen[device.serial] = place
        return self._seen[device.serial]


def segment_at(position: Array, head: DevicePose) -> str | None:
    """Return what is at a place on a standing person.

    Args:
        position: Of the tracker (3,) [m]; the floor is z = 0.
        head: The headset.
    """
    tall = float(head.position[2])
    if tall < _MIN_HEAD_HEIGHT:
        return None
    aside = rotation_z(-yaw_of(head.rotation)) @ (position - head.position)
    if np.hypot(aside[0], aside[1]) > _REACH:
        return None
    height, left = position[2] / tall, aside[1] / tall
    side = "Left" if left > 0.0 else "Right"
    if height < 0.20:
        return f"{side}Foot"
    if height < 0.42:
        return f"{side}LowerLeg"
    if abs(left) < _CENTRE:
        return "Pelvis" if height < 0.72 else "T8" if height < 0.92 else None
    return f"{side}ForeArm" if 0.5 < height < 0.8 else None
