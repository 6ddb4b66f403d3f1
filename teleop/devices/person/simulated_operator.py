"""A person who performs a recording, of any size, facing anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.retarget.so3 import Array, exp_so3, rotation_x, rotation_z, slerp
from telexist.teleop.devices.person.clip_loop import FloorMove, bridge, looped_clip

__all__ = ["T_POSE", "OperatorPose", "SimulatedOperator"]

_PARTS = ("UpperArm", "ForeArm", "Hand")
_SWAY = 0.003  # [m] either way, of a person who stands
_SWAYS = 0.3  # [Hz]


def _t_pose() -> Array:
    """Return `world_R_segment` of our segments in T-pose, palms down (23, 3, 3)."""
    rotations = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
    for side, angle in (("Left", np.pi / 2.0), ("Right", -np.pi / 2.0)):
        for part in _PARTS:
            rotations[SEGMENTS.index(f"{side}{part}")] = rotation_x(angle)
    return rotations


T_POSE = _t_pose()
"""Orientations in T-pose of segments that are the identity in N-pose (23, 3, 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPose:
    """One pose of all 23 segments; arrays as in `HumanFrame`.

    Attributes:
        time: Since the begin [s].
    """

    time: float
    rotations: Array
    angular_velocities: Array
    positions: Array
    linear_velocities: Array


class SimulatedOperator:
    """Plays a clip as a suit would see it.

    The orientations of another size are the same, positions are scaled; a heading turns
    everything about the vertical.
    """

    def __init__(
        self,
        clip: HumanClip,
        *,
        height: float | None = None,
        heading: float = 0.0,
        frames: str = "t-pose",
        noise: float = 0.0,
        n_pose: float = 0.0,
        loop: bool = True,
    ) -> None:
        """Take the performance.

        Args:
            clip: What is performed.
            height: Of the person [m]; None keeps the performer's.
            heading: Turned to the left by [rad].
            frames: "t-pose": segment frames are the identity in T-pose, as MVN's and
                VRM's are; "n-pose": in N-pose, as the clip's are.
            noise: Of the sensors, about each axis, one standard deviation [rad].
            n_pose: How long to stand in N-pose before it begins [s].
            loop: Whether to go on after the end.

        Raises:
            BadInput: If an option is wrong.
        """
        if height is not None and not 0.5 <= height <= 2.5:
            raise BadInput(f"operator's height {height:g} m: choose 0.5 to 2.5 m")
        if frames not in ("t-pose", "n-pose"):
            raise BadInput(f"frames '{frames}': choose t-pose or n-pose")
        self._clip, self._n_pose, self._loop = clip, n_pose, loop
        self._noise, self._random = noise, np.random.default_rng(0)
        self._scale = 1.0 if height is None else height / clip.size.height
        self._turn = rotation_z(heading)
        self._tail = np.swapaxes(T_POSE, -1, -2)  # segment_R_sent
        if frames == "n-pose":
            self._tail = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))

    @property
    def size(self) -> HumanSize:
        """The person's size."""
        size, k = self._clip.size, self._scale
        return HumanSize(
            joints={name: k * p for name, p in size.joints.items()},
            tips={name: k * p for name, p in size.tips.items()},
        )

    def poses(self, rate: float | None = None) -> Iterator[OperatorPose]:
        """Yield the poses in order.

        Args:
            rate: Poses per second [Hz]; None keeps the clip's own frames.
        """
        begin = 0.0
        for clip, move in self._passes():
            period = 1.0 / (rate or clip.rate) if len(clip) > 1 else 1.0 / 60.0
            times = clip.time
            if rate is not None:
                times = np.arange(0.0, float(clip.time[-1]) + 1e-9, period)
            for time in times:
                frame = move.apply(_at(clip, float(time)))
                yield self._seen(frame, begin + float(time))
            begin += float(times[-1]) + period

    def _passes(self) -> Iterator[tuple[HumanClip, FloorMove]]:
        """Yield the clips to play one after the other, and where on the floor."""
        still = FloorMove.still()
        if self._n_pose > 0.0:
            yield _lead_in(self._clip, self._n_pose), still
        if not self._loop:
            yield self._clip, still
            return
        clip, step = looped_clip(self._clip)
        move = still
        while True:
            yield clip, move
            move = step.then(move)

    def _seen(self, frame: HumanFrame, time: float) -> OperatorPose:
        turn, k = self._turn, self._scale
        if frame.positions is None or frame.linear_velocities is None:
            raise BadInput(f"{self._clip.source}: without positions")
        error = self._random.normal(0.0, self._noise, (len(SEGMENTS), 3))
        return OperatorPose(
            time=time,
            rotations=turn @ exp_so3(error) @ frame.rotations @ self._tail,
            angular_velocities=frame.angular_velocities @ turn.T,
            positions=k * frame.positions @ turn.T,
            linear_velocities=k * frame.linear_velocities @ turn.T,
        )


def _lead_in(clip: HumanClip, duration: float) -> HumanClip:
    """Return N-pose for `duration` [s] and the way from there to the clip's begin."""
    first = clip.frame(0)
    period = 1.0 / clip.rate if len(clip) > 1 else 1.0 / 60.0
    count = max(2, round(duration / period))
    s = len(SEGMENTS)
    pelvis = clip.size.joints["Pelvis"].copy()
    if first.positions is not None:
        pelvis[:2] = first.positions[0, :2]
    still = np.tile(np.eye(3), (s, 1, 1))
    standing = clip.size.positions(still, pelvis)
    frame = HumanFrame(
        stamp=0.0,
        segments=SEGMENTS,
        rotations=still,
        angular_velocities=np.zeros((s, 3)),
        positions=standing,
        linear_velocities=np.zeros((s, 3)),
    )
    way = bridge(frame, first, period=period)
    end = period * (count - 1)
    time: Array = period * np.arange(count, dtype=np.float64)
    sway, speed = _sway(time)
    join = np.concatenate
    return HumanClip(
        name=clip.name,
        source=clip.source,
        time=join([time, end + way.time]),
        rotations=join([np.tile(still, (count, 1, 1, 1)), way.rotations]),
        angular_velocities=join([np.zeros((count, s, 3)), way.angular_velocities]),
        positions=join([standing + sway, way.positions]),
        linear_velocities=join([np.tile(speed, (1, s, 1)), way.linear_velocities]),
        size=clip.size,
    )


def _sway(time: Array) -> tuple[Array, Array]:
    """Return how a standing person sways (t, 1, 3) [m], and how fast [m/s].

    Nobody stands like a statue, and a stream that never changes counts as frozen. It
    begins and ends at zero, so that nothing jumps.
    """
    pace = 2.0 * np.pi * max(1, round(_SWAYS * time[-1])) / float(time[-1])
    ahead = np.array([_SWAY, 0.0, 0.0])
    phase = (pace * time)[:, None, None]
    return np.sin(phase) * ahead, pace * np.cos(phase) * ahead


def _at(clip: HumanClip, time: float) -> HumanFrame:
    """Return the person at a time, between two frames if need be."""
    after = int(np.searchsorted(clip.time, time - 1e-9))
    if after >= len(clip):
        return clip.frame(len(clip) - 1)
    if after == 0 or abs(float(clip.time[after]) - time) < 1e-9:
        return clip.frame(after)
    before = after - 1
    gap = float(clip.time[after] - clip.time[before])
    part = (time - float(clip.time[before])) / gap

    def mix(values: Array) -> Array:
        return (1.0 - part) * values[before] + part * values[after]

    return HumanFrame(
        stamp=time,
        segments=SEGMENTS,
        rotations=slerp(clip.rotations[before], clip.rotations[after], part),
        angular_velocities=mix(clip.angular_velocities),
        positions=mix(clip.positions),
        linear_velocities=mix(clip.linear_velocities),
        sequence=after,
    )
