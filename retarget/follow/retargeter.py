"""From a moving person to a moving robot: one frame at a time or a whole clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.errors import BadFrame, QpFailed
from telexist.retarget.follow.clip import ClipArrays, MotionArrays, follow_clip
from telexist.retarget.follow.follower import make_follower
from telexist.retarget.follow.frame_arrays import FrameArrays, frame_arrays
from telexist.retarget.follow.frame_step import frame_step
from telexist.retarget.follow.start import start_frame
from telexist.retarget.human_size import HumanSize
from telexist.retarget.ik import IkSettings
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.rotation_map import reference_segment
from telexist.retarget.signals import HumanClip, HumanFrame, RobotFrame, RobotMotion
from telexist.retarget.so3 import Array, rotation_z, yaw_of

__all__ = ["RetargetSettings", "Retargeter"]

GAIN = 80.0  # [1/s]: half of it lets limbs be late by a degree on fast arms


@dataclass(frozen=True, slots=True, kw_only=True)
class RetargetSettings:
    """How motion is carried over.

    Attributes:
        ik: Settings of the inverse kinematics.
        feet: Whether soles are planted on the floor where the person's feet are.
        distances: Whether links keep away from each other and off the floor. A robot's
            first use then takes some seconds more, to fit solids to its shapes.
    """

    ik: IkSettings = field(default_factory=lambda: IkSettings(gain=GAIN))
    feet: bool = True
    distances: bool = False


class Retargeter:
    """Carries the motion of one person over to one robot.

    Live, call `step` with each new frame; `run` does the same for a whole clip. The
    first frame after construction or `reset` is reached at once, from the neutral
    posture; after it every limit on speed holds.
    """

    def __init__(
        self,
        body: RobotBody,
        size: HumanSize,
        settings: RetargetSettings | None = None,
    ) -> None:
        """Prepare for a robot and a person.

        Args:
            body: The robot.
            size: The person's joints in N-pose.
            settings: See `RetargetSettings`.
        """
        self.settings = settings or RetargetSettings()
        self.body = body
        self._size = size
        self.reset()

    def reset(self) -> None:
        """Forget the motion so far: the next frame is a first frame."""
        settings = self.settings
        self._follower = make_follower(
            self.body,
            self._size,
            settings.ik,
            feet=settings.feet,
            distances=settings.distances,
        )
        self._stamp: float | None = None
        self._source: tuple[tuple[str, ...], bool] | None = None

    def step(self, frame: HumanFrame) -> RobotFrame:
        """Follow one frame.

        Args:
            frame: The newest frame; its stamp must be later than the last one's.

        Returns:
            The robot at the frame's time, inside all limits.

        Raises:
            BadFrame: If the frame holds NaN, shows nothing that the robot has, or is
                not later than the last; the state is untouched then.
            QpFailed: If the robot's limits contradict each other; a `reset` is needed.
        """
        frame.require_finite()
        self._require_segments(frame)
        arrays = frame_arrays(frame, self._size)
        if self._stamp is None:
            self._meet_source(frame, arrays)
            self._start(arrays)
            self._stamp = frame.stamp
            return self._result(frame.stamp, np.zeros(self.body.kinematics.n))
        dt = frame.stamp - self._stamp
        if dt <= 0.0:
            raise BadFrame(
                f"frame {frame.sequence} at {frame.stamp:.3f} s is not later than the "
                f"last one at {self._stamp:.3f} s"
            )
        self._meet_source(frame, arrays)
        before = self._q()
        if not frame_step(self._follower, arrays, dt):
            raise QpFailed(f"the limits of {self.body.name} contradict each other")
        self._stamp = frame.stamp
        return self._result(frame.stamp, (self._q() - before) / dt)

    def run(
        self, clip: HumanClip, on_frame: Callable[[int], None] | None = None
    ) -> RobotMotion:
        """Follow a whole clip from its first frame.

        Args:
            clip: The recording.
            on_frame: Called with the index after each frame, for progress and timing;
                without it the whole clip is one compiled call.

        Returns:
            The robot's motion, sample by sample what `step` gives.
        """
        self.reset()
        t, n = len(clip), self.body.kinematics.n
        human = ClipArrays(
            time=clip.time,
            R=clip.rotations,
            w=clip.angular_velocities,
            p=clip.positions,
            v=clip.linear_velocities,
        )
        robot = MotionArrays(
            q=np.empty((t, n)),
            dq=np.zeros((t, n)),
            p=np.empty((t, 3)),
            R=np.empty((t, 3, 3)),
            planted=np.zeros((t, 2), dtype=np.bool_),
        )
        self._start(frame_arrays(clip.frame(0), self._size))
        ends = [t] if on_frame is None else range(1, t + 1)
        begin = 0
        for end in ends:
            if not follow_clip(self._follower, human, robot, begin, end):
                raise QpFailed(f"the limits of {self.body.name} contradict each other")
            begin = end
            if on_frame is not None:
                on_frame(end - 1)
        self._stamp = float(clip.time[-1])
        return RobotMotion(
            robot=self.body.name,
            source=clip.source,
            time=clip.time,
            joint_names=self.body.kinematics.joints,
            joint_positions=robot.q,
            joint_velocities=robot.dq,
            base_position=robot.p,
            base_rotation=robot.R,
            contact_left=robot.planted[:, 0],
            contact_right=robot.planted[:, 1],
        )

    def _require_segments(self, frame: HumanFrame) -> None:
        links = self.body.links
        if not any(segment in links for segment in frame.segments):
            raise BadFrame(
                f"frame {frame.sequence}: none of its segments is one of the robot's: "
                f"{', '.join(links)}"
            )
        reference = reference_segment(self.body)
        if reference is not None and reference not in frame.segments:
            raise BadFrame(
                f"frame {frame.sequence}: lacks {reference}, to which the motion "
                "of a robot with a fixed base is relative"
            )

    def _start(self, arrays: FrameArrays) -> None:
        """Put the robot in neutral posture before the person, then reach the frame."""
        bodies, neutral = self._follower.m.bodies, self.body.neutral
        nearest = int(np.argmax(arrays.shown))
        turn = rotation_z(0.0 if self.body.fixed_base else yaw_of(arrays.R[nearest]))
        bodies[0]["R"] = turn @ neutral.world_R_base
        bodies[0]["p"] = turn @ neutral.world_p_base
        bodies["q"][1:] = neutral.q
        start_frame(self._follower, arrays)

    def _meet_source(self, frame: HumanFrame, arrays: FrameArrays) -> None:
        """Count the way from here for segments whose place was unknown till now."""
        placed = frame.positions is not None
        if self._source == (frame.segments, placed):
            return
        person = self._follower.person
        known = self._source is not None and self._source[1] == placed
        new = (person["seen"][0] == 0) if known else np.ones_like(arrays.shown)
        person["p"][0][new], person["v"][0][new] = arrays.p[new], arrays.v[new]
        self._source = (frame.segments, placed)

    def _q(self) -> Array:
        return self._follower.m.bodies["q"][1:].copy()

    def _result(self, stamp: float, dq: Array) -> RobotFrame:
        base, feet = self._follower.m.bodies[0], self._follower.feet
        return RobotFrame(
            stamp=stamp,
            q=self._q(),
            dq=dq,
            world_p_base=base["p"].copy(),
            world_R_base=base["R"].copy(),
            planted=(bool(feet[0]["planted"]), bool(feet[1]["planted"])),
        )
