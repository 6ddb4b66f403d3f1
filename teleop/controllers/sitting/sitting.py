"""A robot between its seat and its feet: what the whole body is asked in a step."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import (
    BodyState,
    DynamicsModel,
    leg_joints,
    leg_shape,
)
from telexist.teleop.controllers.geometry import about_z, rotation_vector, turned_by
from telexist.teleop.controllers.operator import PostureTask
from telexist.teleop.controllers.parameters import ControlParameters, StandingRobot
from telexist.teleop.controllers.sitting.sit_felt import SitFelt, feel_seat
from telexist.teleop.controllers.sitting.sit_phase import FULL_LOAD, SitPhase, SitState
from telexist.teleop.controllers.sitting.sit_phases import Lowering, Seated
from telexist.teleop.controllers.sitting.sit_progress import SitAim
from telexist.teleop.controllers.sitting.sit_way import SitWay, find_ways
from telexist.teleop.controllers.terms import (
    AppliedForces,
    FootTask,
    Intent,
    Measured,
    TaskWeights,
    WholeBodyTasks,
    stay,
)

__all__ = ["SeatSettings", "Sitting"]

UP = np.array([0.0, 0.0, 1.0])
LOOSE = 0.01  # of the weight of a thigh's place that is left where no seat is felt


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettings:
    """What a robot sits on at first, and how it is to get up.

    Attributes:
        height: Of the seat over the floor [m]; None: as its legs like it.
        behind: How far behind the feet its weight is when it leaves the seat [m]; 0: as
            little as it can.
        partner: Whether it waits for somebody to pull at its hands.
        advance: Whether their help makes it faster.
        seated: Whether it begins on the seat; if not, standing before it.
    """

    height: float | None = None
    behind: float = 0.0
    partner: bool = False
    advance: bool = True
    seated: bool = True


class Sitting:
    """Sits, stands up and sits down; one phase after the other.

    Attributes:
        phase: What is going on.
        felt: What was felt in the last step.
        aim: What was asked in it.
        intent: The same in terms of balance.
        ways: Of the robot and its seat.
        begins_seated: Whether a session begins on the seat.
    """

    phase: SitPhase
    felt: SitFelt
    aim: SitAim
    intent: Intent

    def __init__(
        self,
        model: DynamicsModel,
        standing: StandingRobot,
        seat: SeatSettings,
    ) -> None:
        """Find the robot's ways.

        Args:
            model: The controller's, with thighs; it is left in some posture.
            standing: How the robot stands.
            seat: What it sits on, and how it is to get up from it.

        Raises:
            BadInput: If it cannot sit on such a seat, or not get up from it.
        """
        self._model, self._p = model, standing.parameters
        p = self._p.sitting
        self.ways = find_ways(
            model,
            standing.posture,
            leg_shape(model.robot.body).seat_height
            if seat.height is None
            else seat.height,
            lean_time=p.lean_time,
            rise_time=p.rise_time,
            behind=seat.behind,
        )
        self._standing = standing.posture
        self._led = leg_joints(model.robot)
        leg = model.robot.body.leg_length
        self._state = SitState(p, self.ways, model.mass, leg)
        self.begins_seated = seat.seated
        self._state.partner, self._state.advance = seat.partner, seat.advance
        self._place, self._yaw = np.zeros(2), 0.0
        self.phase = Seated(self._state)

    @property
    def integral(self) -> Array:
        """Acceleration that lasting errors ask for (3,) [m/s^2], world axes."""
        return about_z(self._yaw) @ self._state.integral

    @property
    def seated(self) -> bool:
        """Whether it sits and goes nowhere."""
        return isinstance(self.phase, Seated)

    def stand_before(self, measured: Measured) -> None:
        """Begin standing before the seat."""
        self._place, self._yaw = _feet(measured)
        self._begin(self._state.down[0])

    def sit(self, measured: Measured) -> None:
        """Begin sitting, at rest."""
        self._state.wanted = ""
        self._state.integral = np.zeros(3)
        self._state.thigh_load, self._state.keenness = FULL_LOAD, 0.0
        self._state.carried = 1.0
        self._place, self._yaw = _feet(measured)
        self._enter(Seated(self._state))
        self._begin(self.ways.lean)

    def refuses(self, measured: Measured) -> str:
        """Return why it cannot sit down from where it stands, or ""."""
        place, yaw = _feet(measured)
        p = self._p.sitting
        off = float(np.linalg.norm(place - self._place))
        turn = abs(math.remainder(yaw - self._yaw, 2.0 * math.pi))
        if off > p.behind or turn > p.turned:
            return (
                f"the seat is not behind it: the feet are {100 * off:.0f} cm and "
                f"{math.degrees(turn):.0f} degrees from where they were"
            )
        apart = float(np.linalg.norm(measured.sole_p[0, :2] - measured.sole_p[1, :2]))
        if abs(apart - self._p.stance_spacing) > p.behind:
            return "its feet are not as far apart as they were"
        return ""

    def lower(self, integral: Array) -> None:
        """Begin to sit down from standing; see `refuses` first.

        Args:
            integral: Acceleration that standing asks besides (3,) [m/s^2].
        """
        self._state.wanted = "down"
        self._state.thigh_load, self._state.keenness = 0.0, 1.0
        self._state.carried = 0.0
        self._state.integral = np.array(about_z(self._yaw).T @ integral)
        self._enter(Lowering(self._state, math.inf))
        self._begin(self._state.down[0])

    def want(self, way: str) -> None:
        """Be asked to go "up" or "down", sooner or later."""
        self._state.wanted = way

    def take_news(self) -> list[str]:
        """Return what is to be told, once."""
        news, self._state.told = self._state.told, []
        return news

    def step(
        self,
        state: BodyState,
        reading: RobotState,
        measured: Measured,
        known: AppliedForces | None,
        joints: PostureTask,
        dt: float,
    ) -> WholeBodyTasks:
        """Go on for dt and return what the body is asked.

        Args:
            state: Of the robot; the model is at it.
            reading: What the sensors say.
            measured: The robot.
            known: What the hands feel.
            joints: What is asked of the joints above the legs.
            dt: Step [s].
        """
        model, sit, p = self._model, self._state, self._p
        self.felt = felt = feel_seat(
            reading, measured, model, known, self.ways.seat_height
        )
        sit.carried += dt / (dt + p.sitting.carried_time) * (felt.seat - sit.carried)
        middle = measured.sole_p.mean(axis=0)
        world_R_heading = about_z(_feet(measured)[1])
        sit.com = world_R_heading.T @ (model.com - middle)
        sit.com[0] += sit.keenness * self._leant_back(measured, world_R_heading)
        sit.com_vel = world_R_heading.T @ model.com_vel
        sit.pull = world_R_heading.T @ felt.hands
        phase = self.phase
        phase.time += dt
        following = phase.next(felt)
        if following is not None:
            self._enter(following)
            phase = self.phase
        self.aim = aim = phase.step(felt, dt)
        com_acc = world_R_heading @ (aim.com_acc + sit.integral)
        feet = (stay(measured, 0, UP), stay(measured, 1, UP))
        self.intent = _intent(p, model, aim, world_R_heading, middle, com_acc, feet)
        return WholeBodyTasks(
            com_acc=com_acc,
            angular_rate=-p.angular_gain * measured.angular_momentum,
            feet=feet,
            base_acc=self._base_acceleration(aim, state, world_R_heading),
            joint_acc=self._joint_accelerations(aim, state, joints),
            joint_weight=joints.weights(walking=False, dt=dt),
            sole_share=p.body.standing_share,
            weights=self._weights(),
            known=known,
            thighs=self._thighs(sit.thigh_load),
        )

    @property
    def share_up(self) -> float:
        """How much of the rise is done, 0 to 1; 0 in all other phases."""
        return self.phase.share_up

    @property
    def height(self) -> float:
        """Where the centre of mass is to be over the soles [m]."""
        return float(self.aim.goal[2])

    @property
    def upright(self) -> Array:
        """The base's axis (3,) that should point up now."""
        lean = float(self.aim.lean[0])
        return np.asarray((_leaning(lean) @ self._standing.world_R_base)[2])

    def _leant_back(self, measured: Measured, world_R_heading: Array) -> float:
        """Return by how much less it is to lean, for hands that pull it ahead [m]."""
        off = world_R_heading[:2, 0] @ (measured.com[:2] - self._model.com[:2])
        half = 0.5 * min(patch.length for patch in self._model.patches[:2])
        most = self._p.sitting.ahead * half
        return max(float(off) + float(self.aim.goal[0]) - most, 0.0)

    def _weights(self) -> TaskWeights:
        """Return weights with which a robot that is about to stand leaves the seat."""
        b, s = self._p.body, self._p.sitting
        plain = TaskWeights(com=b.standing_com_weight, base=s.base_weight)
        more = self._state.keenness * (s.off_weight - plain.force)
        carried = (self._state.carried - s.carried_least) / s.carried_sure
        held = plain.seat * min(max(carried, LOOSE), 1.0)
        return replace(plain, seat_force=plain.force + more, seat=held)

    def _thighs(self, load: float) -> tuple[FootTask, FootTask] | tuple[()]:
        if load <= 0.0:
            return ()
        damping = -self._p.sitting.still
        left, right = damping * self._model.contact_v[2:]
        return FootTask(load=load, acc=left), FootTask(load=load, acc=right)

    def _base_acceleration(
        self, aim: SitAim, state: BodyState, world_R_heading: Array
    ) -> Array:
        lean, rate, acc = aim.lean.tolist()
        wanted = world_R_heading @ _leaning(lean) @ self._standing.world_R_base
        axis, b = world_R_heading[:, 1], self._p.body
        turn = rotation_vector(wanted @ state.world_R_base.T)
        spin = rate * axis - state.world_w_base
        return np.asarray(b.base_stiffness * turn + b.base_damping * spin + acc * axis)

    def _joint_accelerations(
        self, aim: SitAim, state: BodyState, joints: PostureTask
    ) -> Array:
        p, (q, dq, ddq) = self._p.sitting, aim.q
        above = ~self._led
        joints.shift(above * (q - self._standing.q), above * dq)
        led = (
            ddq + p.joint_stiffness * (q - state.q) + p.joint_damping * (dq - state.dq)
        )
        return np.where(self._led, led, joints.accelerations(state, self._model))

    def _enter(self, phase: SitPhase) -> None:
        self.phase = phase
        phase.start()

    def _begin(self, way: SitWay) -> None:
        """Take the start of a way for what was asked, before anything was."""
        zero = np.zeros(3)
        start = way.at(0.0).com.x
        self.aim = self._state.progress(way).hold(start, zero)


def _leaning(lean: float) -> Array:
    """Return a turn forward (3, 3)."""
    return turned_by(np.array([0.0, lean, 0.0]))


def _feet(measured: Measured) -> tuple[Array, float]:
    """Return the soles' middle (2,) [m] and their mean heading [rad]."""
    yaw = measured.sole_yaw
    heading = math.atan2(float(np.sin(yaw).mean()), float(np.cos(yaw).mean()))
    return measured.sole_p[:, :2].mean(axis=0), heading


def _intent(
    p: ControlParameters,
    model: DynamicsModel,
    aim: SitAim,
    world_R_heading: Array,
    middle: Array,
    com_acc: Array,
    feet: tuple[FootTask, FootTask],
) -> Intent:
    """Return what is asked in terms of balance: where feet and seat are to press."""
    goal = model.com - world_R_heading @ aim.error
    height = max(float(model.com[2] - middle[2]), 0.1)
    zmp = model.com[:2] - height / GRAVITY * com_acc[:2]
    ahead = world_R_heading[:, 0]
    return Intent(
        zmp=zmp,
        zmp_plan=goal[:2],
        dcm_plan=goal[:2],
        feet=feet,
        yaw=math.atan2(float(ahead[1]), float(ahead[0])),
        floor=float(middle[2]),
    )
