"""From a moving person to a moving robot: one frame at a time or a whole clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from retarget.contacts import ContactDetector, FootContact
from retarget.errors import BadFrame
from retarget.feet import FLAT_WEIGHT, Foot
from retarget.human_size import HumanSize
from retarget.human_targets import HumanTargets
from retarget.ik.limits import StepBounds
from retarget.ik.recursive_ik import RecursiveIk
from retarget.ik.settings import IkSettings
from retarget.ik.targets import FloorGuard, OrientationTargets, PointTarget, Targets
from retarget.kinematics import Configuration
from retarget.robot_body import RobotBody
from retarget.segments import SEGMENT_INDEX
from retarget.signals import HumanClip, HumanFrame, RobotFrame, RobotMotion
from retarget.so3 import Array, rotation_z, slerp, yaw_of

__all__ = ["RetargetSettings", "Retargeter"]

TRAVEL_WEIGHT = 1e-2  # [1/m^2] of following the pelvis over the floor, below all else
APPROACH_STEPS = 30  # from N-pose to the first frame
SETTLE_STEPS = 20  # to put the feet on the floor after that
APPROACH_REACH = 0.3  # [rad] or [m] that a joint may move in each of those


@dataclass(frozen=True, slots=True, kw_only=True)
class RetargetSettings:
    """How motion is carried over.

    Attributes:
        ik: Settings of the inverse kinematics.
        feet: Whether soles are planted on the floor where the person's feet are.
    """

    ik: IkSettings = field(default_factory=IkSettings)
    feet: bool = True


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
        self.human_targets = HumanTargets(body)
        self._ik = RecursiveIk(body, self.settings.ik)
        self._detector = ContactDetector(size)
        leg = body.leg_length
        self.scale = leg / size.leg_length if leg > 0.0 else 1.0
        self._feet: dict[str, Foot] = {}
        if self.settings.feet and not body.fixed_base:
            self._feet = {
                side: Foot(body.kinematics, sole, self.scale)
                for side, sole in body.soles.items()
            }
        self.reset()

    def reset(self) -> None:
        """Forget the motion so far: the next frame is a first frame."""
        self._configuration: Configuration | None = None
        self._previous: HumanFrame | None = None
        self._detector.reset()
        for foot in self._feet.values():
            foot.reset()

    def step(self, frame: HumanFrame) -> RobotFrame:
        """Follow one frame.

        Args:
            frame: The newest frame; its stamp must be later than the last one's.

        Returns:
            The robot at the frame's time, inside all limits.

        Raises:
            BadFrame: If the frame holds NaN, shows nothing that the robot has, or is
                not later than the last; the state is untouched then.
            QpFailed: If the robot's limits contradict each other.
        """
        frame.require_finite()
        self.human_targets.require(frame)
        if self._configuration is None or self._previous is None:
            return self._start(frame)
        dt = frame.stamp - self._previous.stamp
        if dt <= 0.0:
            raise BadFrame(
                f"frame {frame.sequence} at {frame.stamp:.3f} s is not later than the "
                f"last one at {self._previous.stamp:.3f} s"
            )
        start = self._configuration
        self.body.kinematics.update(start)
        contacts = self._detector.step(frame)
        targets = self._targets(frame, self._previous, contacts, dt)
        end = self._ik.step(start, targets, dt)
        self._configuration, self._previous = end, frame
        return self._result(frame.stamp, end, (end.q - start.q) / dt)

    def run(
        self, clip: HumanClip, on_frame: Callable[[int], None] | None = None
    ) -> RobotMotion:
        """Follow a whole clip from its first frame.

        Args:
            clip: The recording.
            on_frame: Called with the index after each frame, for progress and timing.

        Returns:
            The robot's motion, sample by sample what `step` gives.
        """
        self.reset()
        frames = []
        for index, frame in enumerate(clip.frames()):
            frames.append(self.step(frame))
            if on_frame is not None:
                on_frame(index)
        planted = np.array([frame.planted for frame in frames])
        return RobotMotion(
            robot=self.body.name,
            source=clip.source,
            time=clip.time,
            joint_names=self.body.kinematics.joints,
            joint_positions=np.array([frame.q for frame in frames]),
            joint_velocities=np.array([frame.dq for frame in frames]),
            base_position=np.array([frame.world_p_base for frame in frames]),
            base_rotation=np.array([frame.world_R_base for frame in frames]),
            contact_left=planted[:, 0],
            contact_right=planted[:, 1],
        )

    def _result(self, stamp: float, end: Configuration, dq: Array) -> RobotFrame:
        self.body.kinematics.update(end)
        planted = {side: foot.planted() for side, foot in self._feet.items()}
        return RobotFrame(
            stamp=stamp,
            q=end.q,
            dq=dq,
            world_p_base=end.world_p_base,
            world_R_base=end.world_R_base,
            planted=(planted.get("left", False), planted.get("right", False)),
        )

    def _targets(
        self,
        frame: HumanFrame,
        previous: HumanFrame,
        contacts: dict[str, FootContact],
        dt: float,
    ) -> Targets:
        """Build the step's targets; kinematics must be at the start of the step."""
        orientations = self.human_targets.orientations(frame, previous, dt)
        points: list[PointTarget] = []
        guards: list[FloorGuard] = []
        for side, foot in self._feet.items():
            if side not in contacts:
                continue
            wanted = self._wanted_sole(foot, orientations)
            asked = foot.targets(contacts[side], wanted, dt)
            points.extend(asked.points)
            if len(asked.corners):
                guards.append(FloorGuard(frame=foot.frame, link_p_points=asked.corners))
            if asked.world_R_link is not None:
                orientations = _held(orientations, foot.frame, asked.world_R_link)
        if not self.body.fixed_base:
            points.append(self._travel(frame, previous))
        return Targets(
            orientations=orientations, points=tuple(points), floor=tuple(guards)
        )

    def _wanted_sole(self, foot: Foot, orientations: OrientationTargets) -> Array:
        if foot.frame in orientations.frames:
            return orientations.world_R_link[orientations.frames.index(foot.frame)]
        return self.body.kinematics.rotation(foot.frame)

    def _travel(self, frame: HumanFrame, previous: HumanFrame) -> PointTarget:
        """Move the base over the floor as the pelvis does, scaled by leg length."""
        kinematics = self.body.kinematics
        base = kinematics.frame(kinematics.base)
        goal = kinematics.position(base) + self.scale * (
            _pelvis(frame) - _pelvis(previous)
        )
        height = 0.0 if self._feet else TRAVEL_WEIGHT
        return PointTarget(
            frame=base,
            link_p_point=np.zeros(3),
            world_p_goal=goal,
            weights=np.array([TRAVEL_WEIGHT, TRAVEL_WEIGHT, height]),
        )

    def _start(self, frame: HumanFrame) -> RobotFrame:
        """Reach the first frame from the neutral posture, inside the limits."""
        configuration = self._facing(frame)
        for fraction in np.linspace(0.0, 1.0, APPROACH_STEPS + 1):
            partway = _partway(frame, float(fraction))
            targets = Targets(
                orientations=self.human_targets.orientations(partway, partway, 1.0)
            )
            configuration = self._reach(configuration, targets)
        self.body.kinematics.update(configuration)
        contacts = self._detector.step(frame)
        configuration = self._lowered(configuration, contacts)
        for _ in range(SETTLE_STEPS):
            self.body.kinematics.update(configuration)
            targets = self._targets(frame, frame, contacts, 1.0)
            configuration = self._reach(configuration, targets)
        self._configuration, self._previous = configuration, frame
        return self._result(
            frame.stamp, configuration, np.zeros(self.body.kinematics.n)
        )

    def _reach(self, configuration: Configuration, targets: Targets) -> Configuration:
        roles, q = self._ik.roles, configuration.q
        bounds = StepBounds(
            lower=np.clip(roles.lower - q, -APPROACH_REACH, 0.0),
            upper=np.clip(roles.upper - q, 0.0, APPROACH_REACH),
        )
        return self._ik.step(configuration, targets, 1.0, bounds=bounds)

    def _facing(self, frame: HumanFrame) -> Configuration:
        """Return the neutral posture, turned to the person's heading."""
        neutral = self.body.neutral
        q = self._ik.roles.settle(neutral.q)
        turn = np.eye(3) if self.body.fixed_base else rotation_z(_heading(frame))
        return Configuration(
            world_p_base=turn @ neutral.world_p_base,
            world_R_base=turn @ neutral.world_R_base,
            q=q,
        )

    def _lowered(
        self, configuration: Configuration, contacts: dict[str, FootContact]
    ) -> Configuration:
        """Put the lowest sole as high over the floor as the person's lowest foot."""
        if not self._feet or not contacts:
            return configuration
        lowest = min(foot.lowest_corner() for foot in self._feet.values())
        height = self.scale * min(contact.height for contact in contacts.values())
        shift = np.array([0.0, 0.0, height - lowest])
        return Configuration(
            world_p_base=configuration.world_p_base + shift,
            world_R_base=configuration.world_R_base,
            q=configuration.q,
        )


def _pelvis(frame: HumanFrame) -> Array:
    if frame.positions is None or "Pelvis" not in frame.segments:
        return np.zeros(3)
    return frame.positions[frame.segments.index("Pelvis")]


def _heading(frame: HumanFrame) -> float:
    """Return where the person faces [rad]: by the pelvis or what is closest to it."""
    nearest = min(frame.segments, key=lambda name: SEGMENT_INDEX[name])
    return float(yaw_of(frame.rotations[frame.segments.index(nearest)]))


def _partway(frame: HumanFrame, fraction: float) -> HumanFrame:
    """Return the frame with every segment partway between N-pose and where it is."""
    upright = np.broadcast_to(rotation_z(_heading(frame)), frame.rotations.shape)
    return HumanFrame(
        stamp=frame.stamp,
        segments=frame.segments,
        rotations=slerp(upright, frame.rotations, np.full(len(upright), fraction)),
        angular_velocities=np.zeros_like(frame.angular_velocities),
    )


def _held(
    targets: OrientationTargets, frame: int, world_R_link: Array
) -> OrientationTargets:
    """Replace the target of a link by a firm one."""
    frames = targets.frames
    if frame not in frames:
        return OrientationTargets(
            frames=(*frames, frame),
            world_R_link=np.concatenate([targets.world_R_link, world_R_link[None]]),
            angular_velocities=np.concatenate(
                [targets.angular_velocities, np.zeros((1, 3))]
            ),
            axes=np.concatenate([targets.axes, np.eye(3)[None]]),
            weights=np.concatenate([targets.weights, np.full((1, 3), FLAT_WEIGHT)]),
        )
    i = frames.index(frame)
    rotations, velocities, weights = (
        targets.world_R_link.copy(),
        targets.angular_velocities.copy(),
        targets.weights.copy(),
    )
    rotations[i], velocities[i], weights[i] = world_R_link, 0.0, FLAT_WEIGHT
    return OrientationTargets(
        frames=frames,
        world_R_link=rotations,
        angular_velocities=velocities,
        axes=targets.axes,
        weights=weights,
    )
