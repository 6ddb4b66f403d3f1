"""A person in a simulated SteamVR: headset, controllers, trackers on waist and feet.

The person stands in N-pose first, long enough to be calibrated, then performs the
built-in motion for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.teleop import clock
from telexist.teleop.devices.openvr.simulated_steamvr import (
    HEAD,
    LEFT,
    RIGHT,
    SimulatedSteamVr,
)
from telexist.teleop.devices.person import OperatorPose, SimulatedOperator

__all__ = ["PlayedSteamVr"]

N_POSE = 12.0  # [s] to be calibrated in
NOISE = 3e-4  # [rad] of the sensors
_EYES = np.array([0.1, 0.0, 0.08])  # [m] from the head's joint to the headset
_TRACKERS = {
    6: ("Pelvis", "vive_tracker_waist"),
    7: ("LeftFoot", "vive_tracker_left_foot"),
    8: ("RightFoot", "vive_tracker_right_foot"),
}
_WORN = {
    HEAD: "Head",
    LEFT: "LeftHand",
    RIGHT: "RightHand",
    **{index: segment for index, (segment, _) in _TRACKERS.items()},
}


class PlayedSteamVr(SimulatedSteamVr):
    """Moves its devices with a person, in real time from the first look on."""

    def __init__(self, n_pose: float = N_POSE) -> None:
        """Let the person stand for `n_pose` [s], then perform.

        Raises:
            MissingDependency: If the library `openvr` is not installed.
        """
        super().__init__()
        self.types = {index: kind for index, (_, kind) in _TRACKERS.items()}
        operator = SimulatedOperator(
            read_clip("builtin"), frames="n-pose", noise=NOISE, n_pose=n_pose
        )
        self._played: Iterator[OperatorPose] = operator.poses()
        self._next = next(self._played)
        self._begin: float | None = None

    def getDeviceToAbsoluteTrackingPose(  # noqa: N802
        self, origin: int, seconds: float, poses: Any
    ) -> Any:
        """Return where all devices are by now."""
        now = clock.now()
        self._begin = now if self._begin is None else self._begin
        while self._next.time <= now - self._begin:
            self._wear(self._next)
            self._next = next(self._played)
        return super().getDeviceToAbsoluteTrackingPose(origin, seconds, poses)

    def _wear(self, pose: OperatorPose) -> None:
        for index, segment in _WORN.items():
            k = SEGMENT_INDEX[segment]
            R, w = pose.rotations[k], pose.angular_velocities[k]
            arm = R @ _EYES if index == HEAD else np.zeros(3)
            self.place(
                index,
                pose.positions[k] + arm,
                R,
                velocity=pose.linear_velocities[k] + np.cross(w, arm),
                angular_velocity=w,
            )
