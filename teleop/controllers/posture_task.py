"""The joints' share of the whole-body programme: follow the operator, legs loosely.

Feet, height and lean of the trunk already fix what the legs do; their references fill
what freedom is left, bent by as much as the standing posture is more than the neutral
one: a straight knee would not know where to bend. While walking, the legs keep to the
standing posture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from retarget.so3 import Array
from robots.dynamics_model import BodyState, DynamicsModel
from teleop.controllers.interface import RobotReference
from teleop.controllers.minimum_jerk import Blend

__all__ = ["PostureSettings", "PostureTask"]

LEG_PULL = 0.5  # [rad] beyond which a leg's reference does not pull harder
DRIVE_SHARE = 0.9  # of an arm drive's effort that its own goal may ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class PostureSettings:
    """How firmly the joints follow, per group of joints.

    Attributes:
        stiffness: [1/s^2]; damping is critical.
        standing: Weight of each group when standing.
        walking: Weight when walking.
        blend_time: From one to the other by minimum jerk [s].
    """

    stiffness: float = 200.0
    standing: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {"legs": 0.05, "torso": 3.0, "arms": 3.0, "head": 3.0, "other": 3.0}
        )
    )
    walking: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {"legs": 0.05, "torso": 3.0, "arms": 1.5, "head": 1.5, "other": 1.5}
        )
    )
    blend_time: float = 1.0


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
        self._posture = posture
        body = model.robot.body
        self._lower, self._upper = body.lower, body.upper
        self._speed, self._effort = body.velocity, DRIVE_SHARE * model.actuators.effort
        self._standing = np.array([settings.standing[group] for group in groups])
        self._walking = np.array([settings.walking[group] for group in groups])
        self._bend = np.where(self._legs, posture - body.neutral.q, 0.0)
        self._kp, self._kd = settings.stiffness, 2.0 * np.sqrt(settings.stiffness)
        self._blend = Blend(0.0, settings.blend_time)
        self.reset()

    def reset(self) -> None:
        """Start standing, in the standing posture."""
        self._blend.reset(0.0)
        self.q = self._given = np.array(self._posture)
        self.dq = np.zeros_like(self._posture)
        self.ddq = np.zeros_like(self._posture)

    def take(self, reference: RobotReference) -> bool:
        """Take a reference; return whether it was finite.

        A joint whose reference is not finite keeps the last one that was.
        """
        q, dq, ddq = reference.q, reference.dq, reference.ddq
        good = np.isfinite(q) & np.isfinite(dq) & np.isfinite(ddq)
        given = np.where(good, np.clip(q, self._lower, self._upper), self._given)
        self.q = self._given = given
        self.dq = np.where(good, np.clip(dq, -self._speed, self._speed), 0.0)
        self.ddq = np.where(good, np.clip(ddq, -200.0, 200.0), 0.0)
        return bool(good.all())

    def shift(self, offset: Array, rate: Array) -> None:
        """Follow beside the reference: by an offset (n,) that moves at a rate (n,)."""
        self.q = np.clip(self._given + offset, self._lower, self._upper)
        self.dq = self.dq + rate

    def weights(self, *, walking: bool, dt: float) -> Array:
        """Return the weights (n,) after dt more of standing or walking."""
        share = self._blend.step(1.0 if walking else 0.0, dt)
        return self._standing + share * (self._walking - self._standing)

    @property
    def walking_share(self) -> float:
        """How far the weights have gone from standing (0) to walking (1)."""
        return self._blend.value

    def accelerations(self, state: BodyState, model: DynamicsModel) -> Array:
        """Return ddq + kp (q_ref - q) + kd (dq_ref - dq) (n,).

        No arm is asked for more than its own drives could do against weight and
        inertia: the programme would throw the trunk about to help it.

        Args:
            state: Of the robot.
            model: The robot at that state.
        """
        legs, far = self._legs, self.q - state.q
        bent = np.minimum(np.maximum(self.q + self._bend, self._lower), self._upper)
        ready = bent + self._blend.value * (self._posture - bent)
        loose = np.minimum(np.maximum(ready - state.q, -LEG_PULL), LEG_PULL)
        far, speed = np.where(legs, loose, far), np.where(legs, 0.0, self.dq)
        ahead = np.where(legs, 0.0, self.ddq)
        wanted = ahead + self._kp * far + self._kd * (speed - state.dq)
        inertia, bias = model.M.diagonal()[6:], model.h[6:]
        most, least = (self._effort - bias) / inertia, (-self._effort - bias) / inertia
        return np.where(self._limbs, np.clip(wanted, least, most), wanted)
