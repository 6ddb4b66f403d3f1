"""Headset, controllers and trackers of a VMC source as parts of a person.

Which device is where: by the user's table of serial numbers; else by words in the
serial number ("left", "waist", "foot"); else, for two controllers, by the side of the
headset on which each was when it was first seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from telexist.retarget.errors import UnknownName
from telexist.retarget.segments import SEGMENTS
from telexist.teleop.devices.vmc.messages import PoseKind, VmcPose

__all__ = ["VmcRoles"]

_CENTRE_WORDS = {"waist": "Pelvis", "hip": "Pelvis", "pelvis": "Pelvis", "chest": "T8"}
_SIDE_WORDS = {
    "foot": "Foot",
    "ankle": "Foot",
    "knee": "LowerLeg",
    "elbow": "ForeArm",
    "hand": "Hand",
    "wrist": "Hand",
}


class VmcRoles:
    """Knows which segment each device follows."""

    def __init__(self, table: Mapping[str, str] | None = None) -> None:
        """Take the user's table: serial number to segment.

        Raises:
            UnknownName: If a segment does not exist.
        """
        self._table = dict(table or {})
        for segment in self._table.values():
            if segment not in SEGMENTS:
                raise UnknownName("segment", segment, SEGMENTS)
        self._seen: dict[str, str] = {}

    def assign(self, poses: Iterable[VmcPose]) -> dict[str, VmcPose]:
        """Return segment to pose for the devices whose place is known."""
        poses = list(poses)
        self._look_at_controllers(poses)
        placed: dict[str, VmcPose] = {}
        for pose in poses:
            segment = self._segment(pose)
            if segment is not None:
                placed.setdefault(segment, pose)
        return placed

    def _segment(self, pose: VmcPose) -> str | None:
        if pose.name in self._table:
            return self._table[pose.name]
        if pose.kind is PoseKind.HEADSET:
            return "Head"
        word = pose.name.casefold()
        side = next((s for s in ("Left", "Right") if s.casefold() in word), "")
        if pose.kind is PoseKind.CONTROLLER:
            return f"{side}Hand" if side else self._seen.get(pose.name)
        for key, segment in _CENTRE_WORDS.items():
            if key in word:
                return segment
        for key, part in _SIDE_WORDS.items():
            if side and key in word:
                return f"{side}{part}"
        return None

    def _look_at_controllers(self, poses: list[VmcPose]) -> None:
        """Find out which of two nameless controllers is the left one."""
        hands = [pose for pose in poses if pose.kind is PoseKind.CONTROLLER]
        heads = [pose for pose in poses if pose.kind is PoseKind.HEADSET]
        unknown = [pose for pose in hands if self._segment(pose) is None]
        if len(unknown) != 2 or not heads:
            return
        left = heads[0].rotation[:, 1]
        first, second = sorted(unknown, key=lambda pose: float(left @ pose.position))
        self._seen = {first.name: "RightHand", second.name: "LeftHand"}
