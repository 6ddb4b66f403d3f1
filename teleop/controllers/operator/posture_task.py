"""The joints' share of the whole-body QP: follow the operator, legs loosely.

Feet, height and lean of the trunk already fix what the legs do; their references fill
what freedom is left, bent by as much as the standing posture is more than the neutral
one: a straight knee would not know where to bend. While walking, the legs keep to the
standing posture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.compiled import Bools, jit_hold_gil
from telexist.retarget.so3 import Array
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.geometry import Blend, joint_room
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.terms import RobotReference

__all__ = ["JointGoal", "PostureTask"]

LEG_PULL = 0.5  # [rad] beyond which a leg's reference does not pull harder
MOST_ACC = 200.0  # [rad/s^2] of a reference that is followed
DRIVE_SHARE = 0.9  # of an arm drive's effort that its own goal may ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class JointGoal:
    """Where the joints are to be: q and dq (n,)."""

    q: Array
    dq: Array


class PostureTask:
    """Turns references into accelerations and weights of the joints.

    Attributes:
        q: Reference as it is followed: finite, inside the limits (n,).
        dq: Its velocity (n,).
        ddq: Its acceleration (n,).
    """

    def __init__(
        self, model: DynamicsModel, posture: Array, settings: PostureSettings
    ) -> None:
        """Prepare.

        Args:
            model: The robot.
            posture: Where the joints are when standing ready (n,) [rad].
            settings: How firmly to follow.
        """
        groups = model.actuators.groups
        self._legs = np.array([group == "legs" for group in groups])
        self._limbs = np.array([group not in ("legs", "torso") for group in groups])
        self._posture = _owned(posture)
        body = model.robot.body
        self._lower, self._upper = joint_room(body)
        self._speed = _owned(body.velocity)
        self._effort = DRIVE_SHARE * model.actuators.effort
        self._standing = np.array([settings.standing.of(group) for group in groups])
        self._walking = np.array([settings.walking.of(group) for group in groups])
        self._bend = np.where(self._legs, posture - body.neutral.q, 0.0)
        self._kp = float(settings.stiffness)
        self._kd = 2.0 * math.sqrt(settings.stiffness)
        self._blend = Blend(0.0, settings.blend_time)
        self.reset()

    def reset(self) -> None:
        """Start standing, in the standing posture."""
        self._blend.reset(0.0)
        self.q = self._given = self._posture.copy()
        self.dq = np.zeros_like(self._posture)
        self.ddq = np.zeros_like(self._posture)

    def take(self, reference: RobotReference) -> bool:
        """Take a reference; return whether it was finite.

        A joint whose reference is not finite keeps the last one that was.
        """
        finite, self.q, self.dq, self.ddq = _finite_reference(
            _owned(reference.q),
            _owned(reference.dq),
            _owned(reference.ddq),
            self._given,
            self._lower,
            self._upper,
            self._speed,
        )
        self._given = self.q
        return bool(finite)

    def shift(self, offset: Array, rate: Array) -> None:
        """Follow beside the reference: by an offset (n,) that moves at a rate (n,)."""
        moved = np.maximum(self._given + offset, self._lower)
        self.q = np.minimum(moved, self._upper)
        self.dq = self.dq + rate

    def weights(self, *, walking: bool, dt: float) -> Array:
        """Return the weights (n,) after dt more of standing or walking."""
        share = self._blend.step(1.0 if walking else 0.0, dt)
        return self._standing + share * (self._walking - self._standing)

    @property
    def walking_share(self) -> float:
        """How far the weights have gone from standing (0) to walking (1)."""
        return self._blend.value

    def leading_to(self, state: BodyState, ddq: Array, dt: float) -> JointGoal:
        """Return where the joints are to be dt [s] later, as far as one can say.

        Arms, trunk and head follow their references. The legs do what balance needs:
        they are to be where the accelerations ddq (n,) that were found lead them.
        """
        q = np.where(self._legs, state.q + dt * state.dq + 0.5 * dt**2 * ddq, self.q)
        dq = np.where(self._legs, state.dq + dt * ddq, self.dq)
        return JointGoal(q=q, dq=dq)

    def accelerations(self, state: BodyState, model: DynamicsModel) -> Array:
        """Return ddq + kp (q_ref - q) + kd (dq_ref - dq) (n,).

        No arm is asked for more than its own drives could do against weight and
        inertia: the program would throw the trunk about to help it.

        Args:
            state: Of the robot.
            model: The robot at that state.
        """
        return _wanted_accelerations(
            self.q,
            self.dq,
            self.ddq,
            state.q,
            state.dq,
            self._posture,
            self._bend,
            self._lower,
            self._upper,
            self._legs,
            self._limbs,
            self._blend.value,
            self._kp,
            self._kd,
            model.M,
            model.h,
            self._effort,
        )


def _owned(values: Array) -> Array:
    """Return a copy that lies in memory as compiled functions know it."""
    return np.array(values, dtype=float, order="C")


@jit_hold_gil
def _finite_reference(
    q: Array,
    dq: Array,
    ddq: Array,
    given: Array,
    lower: Array,
    upper: Array,
    speed: Array,
) -> tuple[bool, Array, Array, Array]:
    """Return whether all was finite, and q, dq, ddq (n,) that are, inside the limits.

    A joint whose reference is not finite keeps the one given before.
    """
    finite = True
    for i in range(len(q)):
        if np.isfinite(q[i]) and np.isfinite(dq[i]) and np.isfinite(ddq[i]):
            q[i] = min(max(q[i], lower[i]), upper[i])
            dq[i] = min(max(dq[i], -speed[i]), speed[i])
            ddq[i] = min(max(ddq[i], -MOST_ACC), MOST_ACC)
        else:
            q[i], dq[i], ddq[i], finite = given[i], 0.0, 0.0, False
    return finite, q, dq, ddq


@jit_hold_gil
def _wanted_accelerations(
    q_ref: Array,
    dq_ref: Array,
    ddq_ref: Array,
    q: Array,
    dq: Array,
    posture: Array,
    bend: Array,
    lower: Array,
    upper: Array,
    legs: Bools,
    limbs: Bools,
    walking: float,
    kp: float,
    kd: float,
    M: Array,
    h: Array,
    effort: Array,
) -> Array:
    """Return `PostureTask.accelerations`; arguments as there, (n,) for joints."""
    wanted = np.empty(len(q))
    for i in range(len(q)):
        if legs[i]:
            bent = min(max(q_ref[i] + bend[i], lower[i]), upper[i])
            ready = bent + walking * (posture[i] - bent)
            far = min(max(ready - q[i], -LEG_PULL), LEG_PULL)
            wanted[i] = kp * far - kd * dq[i]
            continue
        feedback = kp * (q_ref[i] - q[i]) + kd * (dq_ref[i] - dq[i])
        wanted[i] = ddq_ref[i] + feedback
        if limbs[i]:
            inertia, bias = M[6 + i, 6 + i], h[6 + i]
            most, least = (effort[i] - bias) / inertia, (-effort[i] - bias) / inertia
            wanted[i] = min(max(wanted[i], least), most)
    return wanted
