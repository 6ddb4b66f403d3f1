"""A robot that keeps its balance: stands on two feet or one, walks, falls softly.

One tick: estimate the state, let standing or walking decide where pressure and feet go,
ask the whole-body QP for torques. `BalanceController` and `WalkController`
differ only in whether they listen to the walking command.
"""

from __future__ import annotations

import logging
import math
from typing import Literal

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.robots.base import JointCommand, RobotState
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.geometry import LegReach
from telexist.teleop.controllers.locomotion.balance_report import balance_values
from telexist.teleop.controllers.locomotion.body_goals import BodyGoals
from telexist.teleop.controllers.locomotion.contact_watch import (
    SIDES,
    ContactWatch,
    FrozenSensors,
    readings_are_finite,
    without_load,
)
from telexist.teleop.controllers.locomotion.rest import given_only, unrest
from telexist.teleop.controllers.operator import OperatorPosture, SoleGoal
from telexist.teleop.controllers.parameters import PostureSettings, control_parameters
from telexist.teleop.controllers.sensing import (
    DriveLag,
    FootForces,
    HandForces,
    PushEstimate,
    StateEstimator,
    Underway,
    fall_reason,
    limp_torques,
)
from telexist.teleop.controllers.sitting import SeatSettings, Sitting
from telexist.teleop.controllers.standing import OperatorFeet, Standing
from telexist.teleop.controllers.stepping import clip_command
from telexist.teleop.controllers.terms import Intent, Measured, WholeBodyTasks
from telexist.teleop.controllers.walking import Walking
from telexist.teleop.controllers.whole_body import WholeBodyQp, WholeBodySolution
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    ControllerReport,
    RobotReference,
    WalkCommand,
)

__all__ = ["LocomotionController", "Mode"]

Mode = Literal["standing", "walking", "sitting", "fallen"]

LASTING = 1.5  # [s] in which standing forgets what rising learnt of errors that last

log = logging.getLogger(__name__)


class LocomotionController:
    """Balances and walks; torques out.

    Attributes:
        mode: What it is doing; sitting is all between a seat and standing.
        parameters: Of the robot, by rule.
        posture: How the robot stands ready.
        intent: What the last step decided.
        hands: What its hands feel.
        push: What pushes the robot.
        lag: How late the drives are, and what they can do.
        sitting: What it does on its seat, and to and from it; None without a seat.
        start: The posture in which it begins: sitting, if it has a seat.
    """

    base = "free"
    walks = True
    steady = True

    def __init__(
        self,
        robot: RobotModel,
        *,
        rate: float = 200.0,
        settings: PostureSettings | None = None,
        true_base: bool = False,
        seat: SeatSettings | None = None,
    ) -> None:
        """Build the controller of a robot with two feet.

        Args:
            robot: The robot.
            rate: Of `step` [Hz].
            settings: How firmly joints follow the operator.
            true_base: Whether to take the base's state from the simulator, where it
                gives it, instead of estimating it: for comparison only.
            seat: What it begins on; None if it begins on its feet.

        Raises:
            BadInput: If the robot has no two feet, or cannot sit on that seat.
        """
        self.model = DynamicsModel(robot, thighs=seat is not None)
        standing = control_parameters(self.model)
        self.parameters, self.posture = standing.parameters, standing.posture
        self.period = 1.0 / rate
        self.hands = HandForces(self.model, self.parameters.sensing)
        self._estimator = StateEstimator(
            robot,
            self.model,
            omega=self.parameters.omega,
            true_base=true_base,
            hands=self.hands,
        )
        self.qp = WholeBodyQp(self.model)
        self._operator = OperatorPosture(robot, standing, settings or PostureSettings())
        soles = robot.body.soles
        self._soles = pair = (soles["left"], soles["right"])
        reach = LegReach(robot.body, self.posture, self.parameters.com_height)
        self._standing = Standing(self.parameters, pair, reach)
        self._walking = Walking(self.parameters, pair)
        self.push = PushEstimate(self.model, self.parameters.sensing)
        contact = self.parameters.contact
        self._contacts, self._frozen = ContactWatch(contact), FrozenSensors(contact)
        self._effort = self.model.actuators.effort
        self._goals = BodyGoals(self.parameters, self._operator, self.model)
        sensing = self.parameters.sensing
        self.lag = DriveLag(self._effort, sensing)
        self._forces = FootForces(self.qp.weight, sensing)
        self._gap, self._stamp = 0.0, 0.0
        self._events: list[ControllerEvent] = []
        self._asked: list[str] = []
        self.mode: Mode = "standing"
        self.sitting = None if seat is None else Sitting(self.model, standing, seat)
        seated = self.sitting
        on_seat = seated is not None and seated.begins_seated
        self.start = seated.ways.sitting if seated and on_seat else self.posture
        self._lasting = np.zeros(3)
        self._clipped, self._usable = False, True
        self.intent: Intent | None = None
        self.solution: WholeBodySolution | None = None

    def reset(self, state: RobotState) -> None:
        """Start to stand from a state, at rest; also after a fall."""
        self._estimator.reset(state)
        self.lag.reset()
        self._forces.reset()
        self.push.reset()
        self._begin(state)

    def _begin(self, state: RobotState) -> None:
        """Stand where the robot is, as the estimator has it."""
        self._gap, self._stamp = 0.0, state.stamp
        contact = self.parameters.contact
        self._contacts, self._frozen = ContactWatch(contact), FrozenSensors(contact)
        measured = self.measured
        self._standing.start(measured, yaw=self._estimator.yaw, dcm=measured.dcm)
        self._operator.reset()
        self._walking.finished = True
        self.mode, self._events = "standing", []
        self._goals.reset()
        self._lasting = np.zeros(3)
        if self.sitting is not None and self.sitting.begins_seated:
            self.sitting.sit(measured)
            self.mode = "sitting"
        elif self.sitting is not None:
            self.sitting.stand_before(measured)

    def stand_up(self) -> None:
        """Be asked to stand up from the seat."""
        if self.sitting is None or self.mode != "sitting":
            self._asked.append("it does not sit: it cannot stand up")
            return
        self.sitting.want("up")

    def sit_down(self) -> None:
        """Be asked to sit down on the seat behind."""
        if self.sitting is None:
            self._asked.append("there is no seat: it stays on its feet")
        elif self.mode == "sitting":
            self.sitting.want("down")
        elif self.mode != "standing" or not self._standing.on_two_feet:
            self._asked.append("it sits down from standing on both feet only")
        elif why := self.sitting.refuses(self.measured):
            self._asked.append(why)
        else:
            self.sitting.lower(self._lasting)
            self.mode = "sitting"
            self._asked.append("sits down")

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return torques for the next dt; bounded, whatever comes in."""
        self._events = []
        for text in self._asked:
            self._tell(ControllerEventKind.SIT, text)
        self._asked.clear()
        self._gap, self._stamp = state.stamp - self._stamp, state.stamp
        felt = np.nan_to_num(state.foot_wrenches[:, 2]) / self.qp.weight
        state = self._with_both_soles(state)
        trouble = "" if self.mode == "fallen" else self._unusable(state)
        if trouble:
            self._fall(trouble)
        if self.mode == "fallen":
            return self._limp(state)
        state = without_load(state, self._standing.lifted)
        standing = self.mode == "standing"
        self.lag.look(state.tau, dt)
        self.qp.limit(self.lag.effort)
        refused = self.hands.refused.copy()
        sits = self.mode == "sitting"
        self._estimator.step(state, self.lag, dt, learn=standing, planted=sits)
        for i in np.flatnonzero(self.hands.refused & ~refused):
            text = f"the {SIDES[i]} hand's force cannot be true: it is not used"
            self._tell(ControllerEventKind.CONTACT, text)
        measured = self.measured
        reason = fall_reason(
            measured, self.state.world_R_base, *self._held(), self.parameters.fall
        )
        if reason:
            self._fall(reason)
            return self._limp(state)
        if sits and self.sitting is not None:
            tasks = self._sit(self.sitting, state, reference, dt)
        else:
            tasks = self._balance(state, felt, reference, dt)
        tasks.known = self.hands.known
        solution = self.qp.solve(tasks, self.state.q, self.state.dq)
        if solution.fallback:
            self._tell(ControllerEventKind.QP, solution.fallback)
        asked = Underway(solution.tau, solution.dnu, solution.wrenches, tasks.known)
        self.lag.command(asked)
        self.solution = solution
        goal = self._operator.joints.leading_to(self.state, solution.dnu[6:], dt)
        return JointCommand(stamp=state.stamp, q=goal.q, dq=goal.dq, tau=solution.tau)

    def _held(self) -> tuple[Array, float]:
        """Return the base's axis that is to be up, and how high the robot is to be."""
        if self.mode == "sitting" and self.sitting is not None:
            return self.sitting.upright, self.sitting.height
        return self._operator.trunk.floor_R_base[2], self._operator.trunk.height

    def _sit(
        self, sitting: Sitting, state: RobotState, reference: RobotReference, dt: float
    ) -> WholeBodyTasks:
        """Return what the body is asked between the seat and standing."""
        self._events += self._operator.follow_joints(reference)
        measured, joints = self.measured, self._operator.joints
        tasks = sitting.step(self.state, state, measured, self.hands.known, joints, dt)
        self.intent = sitting.intent
        for text in sitting.take_news():
            self._tell(ControllerEventKind.SIT, text)
        if sitting.phase.standing:
            yaw = self._estimator.yaw
            self._standing.start(measured, yaw=yaw, dcm=measured.dcm)
            self._operator.reset()
            self._goals.reset()
            self.push.reset()
            self._lasting, self.mode = sitting.integral, "standing"
            self._tell(ControllerEventKind.SIT, "stands")
        return tasks

    def _balance(
        self, state: RobotState, felt: Array, reference: RobotReference, dt: float
    ) -> WholeBodyTasks:
        """Return what the body is asked on its feet."""
        measured, standing = self.measured, self.mode == "standing"
        self._events += self._operator.step(
            reference,
            self.state,
            dt,
            standing=standing,
            one_foot=self._standing.support is not None,
            stoop=self._walking.stoop,
            tallest=self._standing.tallest(measured) if standing else math.inf,
        )
        acting = self.lag.acting
        self.push.expect(acting.dnu[:3], acting.wrenches, acting.known)
        self.push.step(state, self.state.world_R_base, dt, self.hands.known)
        self.intent = intent = self._decide(measured, reference, dt)
        self._events += self._contacts.step(measured, felt, intent.feet, dt)
        walking = self.mode == "walking"
        self._lasting *= math.exp(-dt / LASTING)
        tasks = self._goals.tasks(
            intent,
            measured,
            self.state,
            self._estimator.com_error,
            dt,
            walking=walking,
            recovering=walking and self._walking.recovering,
        )
        if self._lasting.any():
            tasks.com_acc = tasks.com_acc + self._lasting
        return tasks

    # -- taking over from another controller ----------------------------------------

    def look_on(
        self, state: RobotState, reference: RobotReference, given: Array, dt: float
    ) -> None:
        """Keep the estimate while another one leads.

        Nothing is learnt of the drives: what they give follows another one's gains.
        """
        self._events, self._usable = [], readings_are_finite(state)
        if not self._usable:
            return
        self._estimator.step(state, self.lag, dt, learn=False)
        self.lag.command(given_only(given))

    def waits_to_take(self) -> str:
        """Return why it cannot stand from where the robot is now, or ""."""
        if not self._usable:
            return "the sensors' readings are not finite"
        return unrest(self.measured, self._soles)

    def waits_to_leave(self) -> str:
        """Return why nobody else can take over now, or ""."""
        if self.mode == "sitting":
            return "the robot sits"
        if self.mode == "standing" and not self._standing.on_two_feet:
            return "the robot stands on one foot"
        return ""

    def take_over(self, state: RobotState) -> None:
        """Stand from now on, from the state that was seen last."""
        self._forces.reset()
        self.push.reset()
        self._begin(state)

    def was_given(self, tau: Array) -> None:
        """Hear what the drives were told in place of the last command (n,) [N m]."""
        self.lag.replace(tau)

    def astray(self, state: RobotState, reference: RobotReference) -> str:
        """Return nothing: there is nobody to fall back on."""
        return ""

    @property
    def state(self) -> BodyState:
        """Of the whole robot, estimated."""
        return self._estimator.state

    @property
    def measured(self) -> Measured:
        """What the last step saw."""
        return self._estimator.measured

    @property
    def fallen(self) -> Configuration | None:
        """None, or after a fall how the robot is to be put back where it began."""
        return self.start if self.mode == "fallen" else None

    @property
    def steps(self) -> int:
        """Steps taken since the last start."""
        return self._walking.steps

    @property
    def support(self) -> int | None:
        """The only foot that carries while standing; None for both."""
        return self._standing.support if self.mode == "standing" else None

    @property
    def trunk_height(self) -> float:
        """Height of the centre of mass over the soles that is asked for [m]."""
        return self._operator.trunk.height

    def walk_command(self, reference: RobotReference) -> WalkCommand:
        """Return the command to follow."""
        return reference.walk

    # -- deciding -----------------------------------------------------------------

    def _decide(
        self, measured: Measured, reference: RobotReference, dt: float
    ) -> Intent:
        command, changed = clip_command(self.walk_command(reference), self.parameters)
        if changed and not self._clipped:
            self._tell(
                ControllerEventKind.WALK,
                "the command is beyond what steps can do: cut",
            )
        self._clipped = changed
        if self.mode == "walking":
            if self._gap > self.parameters.walking.longest_gap:
                self._walking.take_up(measured)
            intent = self._walking.step(measured, command, dt)
            if self._walking.finished:
                self._standing.start(measured, yaw=intent.yaw, dcm=intent.dcm_plan)
                self.mode = "standing"
                self._tell(ControllerEventKind.WALK, "stopped")
            return intent
        moving = command != WalkCommand()
        falling = self._standing.falling(measured)
        standing = self._standing
        if falling or (moving and standing.on_two_feet):
            if falling:
                self._walking.recover(measured, yaw=standing.yaw)
            else:
                yaw, held = standing.yaw, standing.dcm
                self._walking.start(measured, command, yaw=yaw, held=held)
            standing.leave()
            self.mode = "walking"
            if falling:
                self._tell(ControllerEventKind.STEP, "to keep balance")
            else:
                self._tell(ControllerEventKind.WALK, "started")
            return self._walking.step(measured, command, dt)
        left, right = reference.planted
        # Who is to walk needs both feet on the floor first.
        planted = (moving or bool(left), moving or bool(right))
        feet = OperatorFeet(planted, self._reach)
        return standing.step(measured, feet, dt, self.push.value)

    def _reach(self, foot: int) -> SoleGoal:
        return self._operator.sole(foot, self.state)

    def _with_both_soles(self, state: RobotState) -> RobotState:
        """Return a reading in which a lost force sensor is replaced, and tell it."""
        before = self._forces.lost
        wrenches = self.lag.acting.wrenches
        state = self._forces.step(state, wrenches, self.model.sole_R)
        for i in np.flatnonzero(self._forces.lost & ~before):
            text = f"the {SIDES[i]} sole's force sensor is lost: the other one tells"
            self._tell(ControllerEventKind.CONTACT, text)
        return state

    # -- falling ------------------------------------------------------------------

    def _fall(self, reason: str) -> None:
        self.mode = "fallen"
        self._tell(ControllerEventKind.FALL, reason)
        log.warning("fall: %s", reason)

    def _limp(self, state: RobotState) -> JointCommand:
        if np.isfinite(state.imu_world_R_base).all():
            self._estimator.turn(state.imu_world_R_base)
        inertia = self.model.M.diagonal()[6:]
        tau = limp_torques(
            state.dq, self._effort, inertia, self.period, self.parameters.fall
        )
        # Limp joints are asked for no place: where they are is where they may be.
        q = np.where(np.isfinite(state.q), state.q, self._operator.joints.q)
        return JointCommand(stamp=state.stamp, q=q, dq=np.zeros_like(tau), tau=tau)

    def _unusable(self, state: RobotState) -> str:
        """Return why nobody can balance on these readings, or ""."""
        if not readings_are_finite(state):
            return "the sensors' readings are not finite"
        if self._frozen.frozen(state):
            return "the sensors' readings do not change"
        return ""

    # -- telling ------------------------------------------------------------------

    def _tell(self, kind: ControllerEventKind, text: str) -> None:
        self._events.append(ControllerEvent(kind, text))

    def report(self) -> ControllerReport:
        """Return what the last step is to show."""
        events = tuple(self._events)
        if self.intent is None or self.solution is None:
            return ControllerReport(values={}, events=events)
        values = {
            "world_p_base": self.state.world_p_base,
            "world_R_base": self.state.world_R_base,
        }
        if self.mode != "fallen":
            values |= balance_values(
                self.measured, self.intent, self._soles, self.solution.wrenches
            )
        return ControllerReport(values=values, events=events)
