"""A learned policy as a controller: sensors and references in, servo set-points out.

The network is asked at its own rate; in between the drives hold its last answer with
the gains that it was trained with. Whatever it answers, set-points stay inside the
joints' limits and torques inside the efforts.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array, rotation_z, yaw_of
from telexist.robots.base import JointCommand, JointGains, RobotState
from telexist.robots.description import RobotModel, standing
from telexist.robots.drives import actuators_of
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.policy.match import match_joints, period_of
from telexist.teleop.controllers.policy.observation import Observation
from telexist.teleop.controllers.policy.read_policy import Policy
from telexist.teleop.controllers.policy.vocabulary import Seen
from telexist.teleop.controllers.sensing import BaseEstimator
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    ControllerReport,
    RobotReference,
    WalkCommand,
)

__all__ = ["PolicyController", "PolicyMode"]

PolicyMode = Literal["running", "holding", "fallen"]

MOST_TILT = 1.05  # [rad] from where the base should be: no policy comes back from there
FROZEN = 0.1  # [s] in which readings that do not change at all are no readings
STILL = 1e-9  # [m/s] a command below this asks nobody to walk
ASTRAY = 0.4  # [rad] of tilt: the whole-body controller still catches the robot
SUNK = 0.8  # of the height of the base that is asked for: likewise


class PolicyController:
    """Asks a network.

    Attributes:
        policy: The policy.
        mode: "running"; "holding" after an answer that cannot be used; "fallen".
        posture: How the robot stands ready.
        observation: What the network saw last.
        asked: How often it was asked since the last start.
    """

    base = "free"
    steady = False

    def __init__(
        self,
        robot: RobotModel,
        policy: Policy,
        *,
        rate: float = 0.0,
        true_base: bool = False,
    ) -> None:
        """Match a policy with a robot.

        Args:
            robot: The robot.
            policy: The policy.
            rate: Of `step` [Hz]; 0 takes a multiple of the policy's.
            true_base: Whether to take the base's state from the simulator, where it
                gives it, instead of estimating it: for comparison only.

        Raises:
            BadPolicy: If it is another robot's.
            BadInput: If the robot has no two feet.
        """
        self.policy, self._robot = policy, robot
        self._order = match_joints(policy, robot)
        self.period, self._asking = period_of(policy, rate), 1.0 / policy.file.rate
        self.walks = policy.walks
        body = robot.body
        n = body.kinematics.n
        self._lower, self._upper = body.lower, body.upper
        self._effort = np.minimum(
            actuators_of(robot).effort, self._in_robot_order(policy.effort)
        )
        self._kp = self._in_robot_order(policy.stiffness)
        self._kd = self._in_robot_order(policy.damping)
        self._operator = self._in_robot_order(policy.operator.astype(float)) > 0.0
        default = np.clip(self._in_robot_order(policy.default), body.lower, body.upper)
        self.posture = standing(
            body.kinematics, default, base=robot.spec.base, soles=body.soles
        )
        self._default = default
        anchor = policy.file.anchor or robot.urdf.root
        self._anchor = body.kinematics.frame(anchor)
        self._true_base = true_base
        if len(body.soles) != 2:
            raise BadInput(f"{body.name}: a policy needs a robot with two soles")
        self._estimator = BaseEstimator(DynamicsModel(robot))
        self._no_acceleration = np.zeros(n)
        self._observation = Observation(policy)
        self._events: list[ControllerEvent] = []
        self._body_state: BodyState | None = None
        self._clear()

    def _in_robot_order(self, values: Array) -> Array:
        """Return values of the policy's joints in the order of the robot's."""
        result = np.empty(len(values))
        result[self._order] = values
        return result

    def _clear(self) -> None:
        n = len(self._order)
        self.mode: PolicyMode = "running"
        self.asked, self._due = 0, self.period  # [s]
        self.observation = np.zeros(0)
        self._action, self._acting = np.zeros(n), np.zeros(n)
        self._target = self._default.copy()
        self._turns = 0.0  # of the gait
        self._goal: tuple[Array, float] | None = None
        self._last: RobotState | None = None
        self._changed = -math.inf
        self._cut, self._why = False, ""
        self._observation.reset()

    def reset(self, state: RobotState) -> None:
        """Start from a state, at rest; also after a fall."""
        self._clear()
        self._events = []
        self._body_state = self._estimator.reset(state)

    @property
    def fallen(self) -> Configuration | None:
        """None; after a fall, or when the network failed, how it is to stand."""
        return None if self.mode == "running" else self.posture

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return set-points for the next dt; bounded, whatever comes in."""
        self._events = []
        if self.mode == "fallen":
            return self._limp(state)
        reason = self._trouble(state)
        if not reason:
            self._estimate(state, dt)
            reason = self._tilted(state, reference)
        if reason:
            self.mode = "fallen"
            self._tell(ControllerEventKind.FALL, reason)
            return self._limp(state)
        self._due -= dt
        if self.mode == "running" and self._asks():
            self._ask(state, reference)
        return self._command(state, reference)

    # -- taking over from another controller ----------------------------------------

    def look_on(
        self, state: RobotState, reference: RobotReference, given: Array, dt: float
    ) -> None:
        """Keep estimate and history while another one leads.

        The network's past answers are those that would have made the drives do what
        they did: set-points whose torques are those that were given.
        """
        self._events, self.mode = [], "running"
        if self._trouble(state):
            self._why = "the sensors' readings cannot be used"
            return
        self._estimate(state, dt)
        self._due -= dt
        before, self._acting = self._acting, self._answer_of(state, given)
        if not self._asks():
            return
        self._action = before
        try:
            self.observation = self._observation.step(self._see(state, reference))
            self._why = ""
        except BadInput as error:
            self._why = str(error)

    def waits_to_take(self) -> str:
        """Return nothing: a policy balances from whatever it was trained on."""
        return ""

    def waits_to_leave(self) -> str:
        """Return nothing: it is at nobody's mercy."""
        return ""

    def take_over(self, state: RobotState) -> None:
        """Lead from now on, with an answer to what was seen last.

        Raises:
            BadInput: If there is none that can be used.
        """
        if self._why or not len(self.observation):
            raise BadInput(self._why or "it has seen nothing yet")
        self._goal = None
        self._take(self._answer())

    def was_given(self, tau: Array) -> None:
        """Do nothing: a policy remembers its answers."""

    def astray(self, state: RobotState, reference: RobotReference) -> str:
        """Return why it should not lead any longer, or ""."""
        if self.mode == "holding":
            return self._why
        tilt = self._tilt(state, reference)
        if tilt > ASTRAY:
            return f"the base is tilted by {math.degrees(tilt):.0f} degrees"
        if self._body_state is None:
            return ""
        height = float(self._body_state.world_p_base[2])
        asked = float(self.posture.world_p_base[2])
        if self.policy.tracks and reference.base is not None:
            asked = float(reference.base.world_p_base[2])
        if height < SUNK * asked:
            return f"the base is at {height:.2f} m"
        return ""

    def _answer_of(self, state: RobotState, tau: Array) -> Array:
        """Return the answer (n,) that would have asked for torques (n,)."""
        policy, order = self.policy, self._order
        wanted = tau + self._kd * state.dq
        q = state.q + np.divide(
            wanted, self._kp, np.zeros_like(tau), where=self._kp > 0
        )
        target = np.clip(q, self._lower, self._upper)[order] - policy.offset
        answer = np.divide(
            target, policy.scale, np.zeros_like(target), where=policy.scale != 0.0
        )
        return np.clip(answer, -policy.file.action.clip, policy.file.action.clip)

    def report(self) -> ControllerReport:
        """Return what the last step is to show."""
        values: dict[str, Array] = {}
        if self._body_state is not None:
            values = {
                "world_p_base": self._body_state.world_p_base,
                "world_R_base": self._body_state.world_R_base,
            }
        return ControllerReport(values=values, events=tuple(self._events))

    # -- asking -------------------------------------------------------------------

    def _asks(self) -> bool:
        """Return whether it is time for the policy's next step."""
        if self._due >= 0.5 * self.period:
            return False
        self._due = max(self._due, -self.period) + self._asking
        return True

    def _ask(self, state: RobotState, reference: RobotReference) -> None:
        """Ask the network; if it gives no answer, hold from now on."""
        try:
            self.observation = self._observation.step(self._see(state, reference))
            self._take(self._answer())
        except BadInput as error:
            self.mode, self._why = "holding", str(error)
            self._target = np.clip(state.q, self._lower, self._upper)
            self._tell(ControllerEventKind.POLICY, f"the joints are held: {error}")

    def _answer(self) -> Array:
        """Return the network's answer to what was seen last.

        Raises:
            BadInput: If it gives none that can be used.
        """
        answer = self.policy.network.run(self.observation)
        if len(answer) != len(self._order):
            raise BadInput(
                f"the network answers {len(answer)} numbers for "
                f"{len(self._order)} joints"
            )
        return answer

    def _take(self, answer: Array) -> None:
        """Make an answer the drives' set-points."""
        self._action = answer
        self.asked += 1
        clip = self.policy.file.action.clip
        target = self.policy.offset + self.policy.scale * np.clip(answer, -clip, clip)
        self._target = self._in_robot_order(target)

    def _see(self, state: RobotState, reference: RobotReference) -> Seen:
        policy, order, now = self.policy, self._order, self._body_state
        walk = self._walk(reference.walk)
        ours = ~policy.operator  # who moves the others is none of the policy's concern
        base_v = None
        if now is not None and policy.places:
            base_v = now.world_R_base.T @ now.world_v_base
        place, turn = self._to_anchor(state, reference)
        return Seen(
            world_R_base=state.imu_world_R_base,
            base_w=state.imu_angular_velocity,
            base_v=base_v,
            q=ours * (state.q[order] - policy.default),
            dq=ours * state.dq[order],
            action=self._action,
            walk=walk,
            phase=self._phase(walk),
            reference_q=reference.q[order],
            reference_dq=reference.dq[order],
            base=reference.base,
            anchor_p_goal=place,
            anchor_R_goal=turn,
        )

    def _walk(self, asked: WalkCommand) -> WalkCommand:
        """Return a command cut to what the policy knows."""
        values = np.array([asked.vx, asked.vy, asked.wz])
        known = np.clip(values, self.policy.lowest, self.policy.highest)
        cut = bool((known != values).any())
        if cut and not self._cut:
            text = "the command is beyond what the policy knows: cut"
            self._tell(ControllerEventKind.WALK, text)
        self._cut = cut
        vx, vy, wz = known.tolist()
        return WalkCommand(vx=vx, vy=vy, wz=wz)

    def _phase(self, walk: WalkCommand) -> Array:
        """Return the phases of the feet (2,) [rad], from -pi to pi."""
        phase = self.policy.file.phase
        if max(abs(walk.vx), abs(walk.vy), abs(walk.wz)) < STILL:
            self._turns = 0.0
            return np.full(2, phase.standing)
        self._turns = (self._turns + self._asking / phase.period) % 1.0
        turns = np.array([self._turns, self._turns + 0.5])
        return (2.0 * math.pi * turns + math.pi) % (2.0 * math.pi) - math.pi

    def _to_anchor(
        self, state: RobotState, reference: RobotReference
    ) -> tuple[Array | None, Array | None]:
        """Return where the anchor shall be (3,) and how (3, 3), in its own axes."""
        base, now = reference.base, self._body_state
        if base is None or now is None:
            return None, None
        p, R = self._anchor_at(now.world_p_base, now.world_R_base, state.q)
        p_goal, R_goal = self._anchor_at(
            base.world_p_base, base.world_R_base, reference.q
        )
        if self._goal is None:  # the motion begins where the robot is
            self._goal = p - p_goal, float(yaw_of(R @ R_goal.T))
            self._goal[0][2] = 0.0
            self._begin = p_goal
        shift, yaw = self._goal
        turn = rotation_z(yaw)
        p_goal = self._begin + shift + turn @ (p_goal - self._begin)
        return R.T @ (p_goal - p), R.T @ turn @ R_goal

    def _anchor_at(self, p: Array, R: Array, q: Array) -> tuple[Array, Array]:
        kinematics = self._robot.body.kinematics
        kinematics.update(Configuration(world_p_base=p, world_R_base=R, q=q))
        return kinematics.position(self._anchor), kinematics.rotation(self._anchor)

    # -- commanding ---------------------------------------------------------------

    def _command(self, state: RobotState, reference: RobotReference) -> JointCommand:
        """Return set-points inside the limits whose torques are those asked for.

        Beyond a limit a set-point is a way to ask for torque: that part is given as
        torque, and all of it together is kept within the efforts.
        """
        target, follows = self._target, self._operator
        if follows.any() and self.mode == "running":
            target = np.where(follows, reference.q, target)
        q = np.clip(target, self._lower, self._upper)
        brake = self._kd * state.dq
        asked = self._kp * (target - state.q) - brake
        held = self._kp * (q - state.q) - brake
        tau = np.clip(asked, -self._effort, self._effort) - held
        return JointCommand(
            stamp=state.stamp,
            q=q,
            dq=np.zeros_like(q),
            tau=tau,
            gains=JointGains(kp=self._kp, kd=self._kd),
        )

    def _limp(self, state: RobotState) -> JointCommand:
        """Return a command that only damps."""
        zero = np.zeros_like(self._default)
        return JointCommand(
            stamp=state.stamp,
            q=np.where(np.isfinite(state.q), state.q, self._default),
            dq=zero,
            tau=zero,
            gains=JointGains(kp=zero, kd=self._kd),
        )

    # -- trouble ------------------------------------------------------------------

    def _trouble(self, state: RobotState) -> str:
        """Return why nobody can balance on these readings, or ""."""
        finite = float(
            state.q.sum()
            + state.dq.sum()
            + state.imu_world_R_base.sum()
            + state.imu_acceleration.sum()
            + state.imu_angular_velocity.sum()
            + state.foot_wrenches.sum()
        )
        if not math.isfinite(finite):
            return "the sensors' readings are not finite"
        last, self._last = self._last, state
        if last is None or not _same(last, state):
            self._changed = state.stamp
        if state.stamp - self._changed > FROZEN:
            return "the sensors' readings do not change"
        return ""

    def _estimate(self, state: RobotState, dt: float) -> None:
        true = _true(state) if self._true_base else None
        self._body_state = true or self._estimator.step(
            state, self._no_acceleration, dt
        )

    def _tilted(self, state: RobotState, reference: RobotReference) -> str:
        """Return why the robot is past saving, or ""."""
        tilt = self._tilt(state, reference)
        if tilt > MOST_TILT:
            return f"base tilted by {math.degrees(tilt):.0f} degrees"
        return ""

    def _tilt(self, state: RobotState, reference: RobotReference) -> float:
        """Return how far the base is tilted from where it should be [rad]."""
        upright = self.posture.world_R_base[2]
        if self.policy.tracks and reference.base is not None:
            upright = reference.base.world_R_base[2]
        cosine = float(state.imu_world_R_base[2] @ upright)
        return math.acos(min(max(cosine, -1.0), 1.0))

    def _tell(self, kind: ControllerEventKind, text: str) -> None:
        self._events.append(ControllerEvent(kind, text))


def _same(a: RobotState, b: RobotState) -> bool:
    return (
        np.array_equal(a.imu_angular_velocity, b.imu_angular_velocity)
        and np.array_equal(a.dq, b.dq)
        and np.array_equal(a.q, b.q)
    )


def _true(state: RobotState) -> BodyState | None:
    """Return the state that the simulator gives, if it does."""
    p, R, v, w = (
        state.world_p_base,
        state.world_R_base,
        state.world_v_base,
        state.world_w_base,
    )
    if p is None or R is None or v is None or w is None:
        return None
    return BodyState(
        world_p_base=p,
        world_R_base=R,
        q=state.q,
        world_v_base=v,
        world_w_base=w,
        dq=state.dq,
    )
