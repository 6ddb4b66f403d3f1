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
from telexist.teleop.controllers.standing import OperatorFeet, Standing
from telexist.teleop.controllers.stepping import clip_command
from telexist.teleop.controllers.terms import Intent, Measured
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

Mode = Literal["standing", "walking", "fallen"]

log = logging.getLogger(__name__)


class LocomotionController:
    """Balances and walks; torques out.

    Attributes:
        mode: What it is doing.
        parameters: Of the robot, by rule.
        posture: How the robot stands ready.
        intent: What the last step decided.
        hands: What its hands feel.
        push: What pushes the robot.
        lag: How late the drives are, and what they can do.
    """

    base = "free"
    walks = True

    def __init__(
        self,
        robot: RobotModel,
        *,
        rate: float = 200.0,
        settings: PostureSettings | None = None,
        true_base: bool = False,
    ) -> None:
        """Build the controller of a robot with two feet.

        Args:
            robot: The robot.
            rate: Of `step` [Hz].
            settings: How firmly joints follow the operator.
            true_base: Whether to take the base's state from the simulator, where it
                gives it, instead of estimating it: for comparison only.

        Raises:
            BadInput: If the robot has no two feet.
        """
        self.model = DynamicsModel(robot)
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
        self.mode: Mode = "standing"
        self._clipped = False
        self.intent: Intent | None = None
        self.solution: WholeBodySolution | None = None

    def reset(self, state: RobotState) -> None:
        """Start to stand from a state, at rest; also after a fall."""
        self._estimator.reset(state)
        self._gap, self._stamp = 0.0, state.stamp
        self.lag.reset()
        self._forces.reset()
        self.push.reset()
        contact = self.parameters.contact
        self._contacts, self._frozen = ContactWatch(contact), FrozenSensors(contact)
        measured = self.measured
        self._standing.start(measured, yaw=self._estimator.yaw, dcm=measured.dcm)
        self._operator.reset()
        self._walking.finished = True
        self.mode, self._events = "standing", []
        self._goals.reset()

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return torques for the next dt; bounded, whatever comes in."""
        self._events = []
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
        self._estimator.step(state, self.lag, dt, learn=standing)
        for i in np.flatnonzero(self.hands.refused & ~refused):
            text = f"the {SIDES[i]} hand's force cannot be true: it is not used"
            self._tell(ControllerEventKind.CONTACT, text)
        measured, trunk = self.measured, self._operator.trunk
        reason = fall_reason(
            measured,
            self.state.world_R_base,
            trunk.floor_R_base[2],
            trunk.height,
            self.parameters.fall,
        )
        if reason:
            self._fall(reason)
            return self._limp(state)
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
        tasks = self._goals.tasks(
            intent,
            measured,
            self.state,
            self._estimator.com_error,
            dt,
            walking=walking,
            recovering=walking and self._walking.recovering,
        )
        tasks.known = self.hands.known
        solution = self.qp.solve(tasks, self.state.q, self.state.dq)
        if solution.fallback:
            self._tell(ControllerEventKind.QP, solution.fallback)
        asked = Underway(solution.tau, solution.dnu, solution.wrenches, tasks.known)
        self.lag.command(asked)
        self.solution = solution
        goal = self._operator.joints.leading_to(self.state, solution.dnu[6:], dt)
        return JointCommand(stamp=state.stamp, q=goal.q, dq=goal.dq, tau=solution.tau)

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
        """None, or after a fall how the robot is to be put on its feet."""
        return self.posture if self.mode == "fallen" else None

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
