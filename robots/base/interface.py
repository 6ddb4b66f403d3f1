"""What every robot can do, whether simulated or real, and what goes in and out.

Arrays of joints follow `RobotBody.kinematics.joints`. World frame: z up, floor at
z = 0. Time stamps are seconds of the host's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = [
    "BeginsEarly",
    "Check",
    "HandCommand",
    "JointCommand",
    "JointGains",
    "NeedsArming",
    "Robot",
    "RobotFeedback",
    "RobotState",
    "StandsUp",
]

FOVY = np.radians(70.0)  # [rad] of the head's camera where nothing else is known


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCommand:
    """What the hands are to do.

    Attributes:
        left: How far it is closed: 0 open, 1 closed.
        right: The same.
        fingers: Positions of the robot's finger joints (k,) [rad] or [m], in the order
            of `drives.Grips.joints`; those that are NaN go by the closing. None: all.
    """

    left: float = 0.0
    right: float = 0.0
    fingers: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotState:
    """What the robot's sensors say at one time.

    Attributes:
        stamp: When it was measured [s].
        q: Joint positions (n,) [rad] or [m].
        dq: Joint velocities (n,).
        tau: Joint torques (n,) [N m] or [N].
        imu_acceleration: Specific force at the base, base axes (3,) [m/s^2]; at rest it
            points up with 9.81.
        imu_angular_velocity: Of the base, base axes (3,) [rad/s].
        imu_world_R_base: Attitude in the IMU's own world: `world_R_base` up to a
            slow drift in heading (3, 3).
        foot_wrenches: Floor on the left and the right sole, sole axes and origin, force
            first (2, 6) [N], [N m]; zeros for a robot without feet.
        hand_wrenches: What the world does to the left and the right hand's link, its
            axes and origin, force first (2, 6) [N], [N m]; None where nothing tells.
        hand_deviations: Standard deviations of `hand_wrenches` where those are
            estimated from the arms' torques (2, 6) [N], [N m]; None where measured.
        thigh_wrenches: What a seat does to the left and the right thigh, at the middle
            of the line it sits on and in its axes, force first (2, 6) [N], [N m]; None
            where nothing tells.
        world_p_base: Position of the base where it is known (3,) [m]: true in
            simulation, exact for a bolted robot; None where it must be estimated.
        world_R_base: Orientation of the base, where it is known (3, 3).
        world_v_base: Velocity of the base's origin, world axes, where it is known (3,).
        world_w_base: Angular velocity of the base, world axes, where it is known (3,).
    """

    stamp: float
    q: Array
    dq: Array
    tau: Array
    imu_acceleration: Array
    imu_angular_velocity: Array
    imu_world_R_base: Array
    foot_wrenches: Array
    hand_wrenches: Array | None = None
    hand_deviations: Array | None = None
    thigh_wrenches: Array | None = None
    world_p_base: Array | None = None
    world_R_base: Array | None = None
    world_v_base: Array | None = None
    world_w_base: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JointGains:
    """How firmly the drives themselves hold their set-points.

    torque = tau + kp (q - q_measured) + kd (dq - dq_measured), within their efforts.

    Attributes:
        kp: Stiffness (n,) [N m/rad].
        kd: Damping (n,) [N m s/rad].
    """

    kp: Array
    kd: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class JointCommand:
    """What a controller asks of the joints.

    Attributes:
        stamp: When it was computed [s].
        q: Positions for the servos (n,) [rad] or [m]; with torques, where those lead.
        dq: Velocities for the servos (n,).
        tau: Torques (n,) [N m] or [N]; None lets the position servos work alone.
        hands: How far the hands are closed; None leaves them as they are.
        gains: Of the drives, which then add `tau` to what these make of q and dq; only
            with torques. None: the torques are all that the drives give.
    """

    stamp: float
    q: Array
    dq: Array
    tau: Array | None = None
    hands: HandCommand | None = None
    gains: JointGains | None = None

    @property
    def torques(self) -> Array:
        """The torques (n,) of a command that has some.

        Raises:
            BadInput: If the position servos are to work alone.
        """
        if self.tau is None:
            raise BadInput("a command without torques, where torques are needed")
        return self.tau


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotFeedback:
    """What the robot gives back to the operator.

    Attributes:
        stamp: When it was taken [s].
        image: Picture of the head camera (h, w, 3) uint8, or None; with `stereo` that
            of the left eye, and beside it that of the right one.
        hand_forces: Magnitude at the left and the right hand (2,) [N], or None.
        camera_problem: Why no more pictures come, said once; "" while all is well.
        jpeg: The picture as it came over a network, in place of `image`.
        stereo: Whether the picture is that of two eyes.
        fovy: Vertical field of view of an eye [rad].
    """

    stamp: float
    image: np.ndarray | None = None
    hand_forces: Array | None = None
    camera_problem: str = ""
    jpeg: bytes | None = None
    stereo: bool = False
    fovy: float = FOVY


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing to look at before a robot moves.

    Attributes:
        what: A word or two.
        well: Whether it may move.
        detail: What was found.
    """

    what: str
    well: bool
    detail: str


@runtime_checkable
class NeedsArming(Protocol):
    """A robot that moves nothing before somebody confirmed it: a real one."""

    @property
    def top_speed(self) -> float:
        """Greatest speed of any joint [rad/s]; known before connecting."""

    @property
    def first_speed(self) -> float:
        """Share of the usual speed that the first motion takes."""

    def preflight(self) -> list[Check]:
        """Return what to look at before it moves; after `connect`."""

    def arm(self) -> None:
        """Take the joints over where they are.

        Raises:
            RobotLost: If one cannot be taken, with its name.
        """

    def recover(self) -> None:
        """Arm again soon, after a person saw to a fault; returns at once."""


class Robot(Protocol):
    """One robot; `connect` and `disconnect` may each be called twice."""

    @property
    def body(self) -> RobotBody:
        """The robot's model; known before connecting."""

    def connect(self) -> None:
        """Reach the robot.

        Raises:
            RobotLost: If it is not there.
        """

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before there is one; never blocks.

        Raises:
            RobotStalled: If it tells none any more, but may do so again.
            RobotLost: If it waits for a person.
        """

    def send(self, command: JointCommand) -> JointCommand:
        """Send a command and return what really went out; never blocks.

        Raises:
            RobotLost: If the robot can no longer be reached.
        """

    def read_feedback(self) -> RobotFeedback | None:
        """Return the newest feedback since the last call, or None; never blocks."""

    def disconnect(self) -> None:
        """Let the robot go, safely."""


@runtime_checkable
class StandsUp(Protocol):
    """A robot that can be put back on its feet by a word: a simulated one."""

    def stand_up(self, posture: Configuration) -> None:
        """Stand at rest in a posture, as soon as may be; never blocks."""


@runtime_checkable
class BeginsEarly(Protocol):
    """A robot whose `connect` takes a while that can be used for something else."""

    def begin(self) -> None:
        """Start what `connect` will wait for; returns at once."""
