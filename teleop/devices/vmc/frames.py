"""Where one frame of a VMC source ends: messages in, whole frames out.

A frame may come in one datagram or in many. It ends when all that the frame before
brought is there, which costs no waiting; or when something comes a second time, or the
sender's time goes on. A frame that ended with something missing is dropped, unless the
one before lacked the same: then the source has changed what it sends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from telexist.teleop.devices.vmc.messages import PoseKind, VmcPose
from telexist.teleop.devices.vmc.skeleton import BONES

__all__ = ["FrameCollector", "VmcFrame"]

MAX_DEVICES = 16  # headset, controllers and trackers of one frame

_Key = tuple[PoseKind, str]
_BODY = (PoseKind.ROOT, PoseKind.BONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class VmcFrame:
    """One frame.

    Attributes:
        poses: What it says.
        stamp: Arrival of the last of it [s].
        source_time: The sender's time, if it tells it [s].
    """

    poses: tuple[VmcPose, ...]
    stamp: float
    source_time: float | None


class FrameCollector:
    """Collects the poses of the newest frame."""

    def __init__(self) -> None:
        self._poses: dict[_Key, VmcPose] = {}
        self._expected: frozenset[_Key] = frozenset()
        self._lacking: frozenset[_Key] | None = None
        self._done = False
        self._stamp = 0.0
        self._source_time: float | None = None
        self._bones_seen = False
        self.unfinished = 0
        """How many frames were dropped because something of them was missing."""

    def add(
        self, poses: Iterable[VmcPose], stamp: float, source_time: float | None
    ) -> list[VmcFrame]:
        """Take the poses of one datagram; return the frames that are now whole.

        Args:
            poses: In the order in which they were sent.
            stamp: Arrival of the datagram [s].
            source_time: The sender's time, if it tells it [s].
        """
        frames = []
        for pose in poses:
            if not self._wanted(pose):
                continue
            key = (pose.kind, pose.name if pose.kind is not PoseKind.ROOT else "")
            if key in self._poses:
                frames += self.end()
            self._poses[key] = pose
            self._stamp, self._source_time = stamp, source_time
        if not self._done and self._expected and self._expected <= self._poses.keys():
            self._done = True
            frames.append(self._frame())
        return frames

    def end(self) -> list[VmcFrame]:
        """End the frame: what comes next belongs to another one."""
        keys = frozenset(self._poses)
        if not keys:
            return []
        frames = []
        if self._done:
            self._expected, self._lacking = keys, None
        elif not self._expected or keys == self._lacking:
            self._expected, self._lacking = keys, None
            frames.append(self._frame())
        else:
            self._lacking = keys
            self.unfinished += 1
        self._poses, self._done = {}, False
        return frames

    def _frame(self) -> VmcFrame:
        return VmcFrame(
            poses=tuple(self._poses.values()),
            stamp=self._stamp,
            source_time=self._source_time,
        )

    def _wanted(self, pose: VmcPose) -> bool:
        """Whether a pose belongs to the body, or to devices if there is no body."""
        if pose.kind in _BODY:
            if pose.kind is PoseKind.BONE and pose.name in BONES:
                if not self._bones_seen:  # devices no longer count
                    self._bones_seen = True
                    self._poses, self._expected = {}, frozenset()
                return True
            return pose.kind is PoseKind.ROOT
        return not self._bones_seen and len(self._poses) < MAX_DEVICES
