"""The joints' share of the whole-body programme: follow the operator, legs loosely."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from retarget.so3 import Array
from robots.dynamics_model import DynamicsModel
from teleop.controllers.interface import RobotReference
from teleop.controllers.minimum_jerk import Blend

__all__ = ["PostureSettings", "PostureTask"]


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
    """Turns references into accelerations and weights of the joints."""

    def __init__(
        self, model: DynamicsModel, posture: Array, settings: PostureSettings
    ) -> None:
        """Prepare.

        Args:
            model: The robot.
            posture: Where the legs are when standing (n,) [rad].
            settings: How firmly to follow.
        """
        groups = model.actuators.groups
        self._legs = np.array([group == "legs" for group in groups])
        self._posture = posture
        body = model.robot.body
        self._lower, self._upper = body.lower, body.upper
        self._speed = body.velocity
        self._standing = np.array([settings.standing[group] for group in groups])
        self._walking = np.array([settings.walking[group] for group in groups])
        self._kp, self._kd = settings.stiffness, 2.0 * np.sqrt(settings.stiffness)
        self._blend = Blend(0.0, settings.blend_time)
        self.q = np.array(posture)

    def reset(self, *, walking: bool) -> None:
        """Start with the weights of standing or walking."""
        self._blend = Blend(1.0 if walking else 0.0, 1.0)

    def weights(self, *, walking: bool, dt: float) -> Array:
        """Return the weights (n,) after dt more of standing or walking."""
        share = self._blend.step(1.0 if walking else 0.0, dt)
        return self._standing + share * (self._walking - self._standing)

    def accelerations(self, reference: RobotReference, q: Array, dq: Array) -> Array:
        """Return ddq + kp (q_ref - q) + kd (dq_ref - dq) (n,); finite, whatever comes.

        The legs keep to the standing posture: where they go is for balance to say.
        A reference that is not finite counts as the last one that was.
        """
        given = reference.q
        good = np.isfinite(given) & np.isfinite(reference.dq)
        good &= np.isfinite(reference.ddq) & ~self._legs
        self.q = np.where(good, np.clip(given, self._lower, self._upper), self.q)
        velocity = np.where(good, np.clip(reference.dq, -self._speed, self._speed), 0.0)
        ahead = np.where(good, np.clip(reference.ddq, -200.0, 200.0), 0.0)
        return ahead + self._kp * (self.q - q) + self._kd * (velocity - dq)
