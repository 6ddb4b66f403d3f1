"""Torques for a hand that goes its way: a robot whose base does not move.

The task is the hand's velocity; its dynamics is (8.42), its unknowns are accelerations
of the arm's joints, tau = M u, so that all joints count alike. What the arm need not do
for the hand it does for its posture; the other joints stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.advance import AdvanceLaw
from telexist.retarget.partner import AgentDynamics, VelocityTask, felt_terms
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.scenarios.hand.hand_laws import HandAsked, HandLaw
from telexist.teleop.scenarios.hand.hand_reach import HandReach
from telexist.teleop.scenarios.hand.joint_observer import JointObserver

__all__ = ["HandController", "HandSight"]

FORCE_TIME = 0.02  # [s] over which the force is averaged that may advance the path
STIFFNESS, DAMPING = 60.0, 16.0  # [1/s^2], [1/s] of joints to their posture


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSight:
    """What a step saw and decided.

    Attributes:
        asked: By the law.
        alpha: Below 0 the force lets the energy fall, (8.44) [m/s^2].
        force: On the hand, world axes (3,) [N].
        tau: Torques (n,) [N m].
    """

    asked: HandAsked
    alpha: float
    force: Array
    tau: Array


class HandController:
    """Moves one hand."""

    def __init__(
        self, model: DynamicsModel, reach: HandReach, base: BodyState, gains: AdvanceLaw
    ) -> None:
        """Prepare.

        Args:
            model: The robot; every step updates it.
            reach: The hand and its arm.
            base: Where the base is, for ever.
            gains: Stiffness and damping of the hand to its path.
        """
        self._model, self._reach, self._base, self._gains = model, reach, base, gains
        hand = model.robot.body.hands[reach.side]
        self._frame, self._row = model.frame(hand), int(reach.side == "right")
        self._effort = np.array(model.actuators.effort)
        self._seen: JointObserver | None = None
        self._ddq = np.zeros(model.n)
        self._force = np.zeros(3)

    def step(self, state: RobotState, law: HandLaw, dt: float) -> HandSight:
        """Return torques for the next dt."""
        model, force = self._model, self._look(state, dt)
        self._force += dt / (dt + FORCE_TIME) * (force - self._force)
        place = model.position(self._frame)
        velocity = model.velocity(self._frame)[:3]
        asked = law.step(place, velocity, self._force, dt)
        ddq_0 = self._posture(place, velocity)
        tau, alpha = self._torques(asked, force, ddq_0)
        return HandSight(asked=asked, alpha=alpha, force=force, tau=tau)

    def _posture(self, place: Array, velocity: Array) -> Array:
        """Return accelerations (n,) to the posture for where the hand is."""
        reach = self._reach
        along = reach.way / float(reach.way @ reach.way)
        start = reach.start + self._base.world_p_base
        wanted, slope = reach.posture(float((place - start) @ along))
        rate = slope * float(velocity @ along)
        return STIFFNESS * (wanted - self._q) + DAMPING * (rate - self._dq)

    def _look(self, state: RobotState, dt: float) -> Array:
        """Update the model; return the force on the hand in world axes (3,) [N]."""
        if self._seen is None:
            self._seen = JointObserver(state.q, dt)
        self._seen.step(state.q, state.dq, self._ddq, dt)
        self._q, self._dq, base = self._seen.q, self._seen.dq, self._base
        self._model.update(
            BodyState(
                world_p_base=base.world_p_base,
                world_R_base=base.world_R_base,
                q=self._q,
                world_v_base=np.zeros(3),
                world_w_base=np.zeros(3),
                dq=self._dq,
            )
        )
        felt = state.hand_wrenches
        if felt is None or not np.isfinite(felt[self._row]).all():
            return np.zeros(3)
        return self._model.rotation(self._frame) @ felt[self._row, :3]

    def _torques(
        self, asked: HandAsked, force: Array, ddq_0: Array
    ) -> tuple[Array, float]:
        model, arm, gains = self._model, self._reach.arm, self._gains
        M, h = model.M[6:, 6:], model.h[6:]
        J = model.jacobian(self._frame)[:3, 6:]
        # Weight, the force where the hand does not feel it, and who is no arm's.
        rest = h - J.T @ force + M[:, ~arm] @ ddq_0[~arm]
        robot = AgentDynamics(
            M=M,
            h=h - rest,
            B=M[:, arm],
            hands=J,
            hands_bias=np.zeros(3),
            feet=np.zeros((0, model.n)),
            feet_bias=np.zeros(0),
        )
        eye = np.eye(3)
        task = VelocityTask(
            J=J,
            bias=model.acceleration_bias(self._frame)[:3],
            error=asked.velocity_error,
            integral=asked.error,
            wanted=asked.acceleration,
            K_d=eye,
            K_p=gains.stiffness * eye,
            K_D=gains.damping * eye,
        )
        terms = felt_terms(robot, task)
        law = terms.torques if asked.keeps else terms.cancelling_torques
        u = law(force, ddq_0[arm])
        tau = np.clip(rest + M[:, arm] @ u, -self._effort, self._effort)
        pushed = tau - h + J.T @ force
        self._ddq = np.linalg.solve(M, pushed)
        return tau, terms.alpha(force)
