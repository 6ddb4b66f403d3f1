"""A reference that a controller grows into, or that leads it to a stand.

Between the operator's reference and one at rest: a posture, a base that stays, no
walking command. Who takes over begins where the robot is; who is to leave first comes
to stand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array, rotation_from_rpy, rotation_z, yaw_of
from telexist.teleop.controllers.geometry import Blend
from telexist.teleop.controllers.policy import roll_pitch_of
from telexist.teleop.terms import BaseReference, RobotReference, WalkCommand

__all__ = ["EasedReference"]

SPEED = 1.0  # [rad/s] at which joints go to the operator's
SHORTEST, LONGEST = 0.5, 2.0  # [s] until then
STANDS = 0.2  # of the operator's reference, up to which nobody walks
CALMING = 0.8  # [s] in which a robot is led to a stand


class EasedReference:
    """Follows the operator's reference by a share.

    Attributes:
        share: Of the operator's, 0 to 1.
    """

    def __init__(self, ready: Configuration, legs: np.ndarray) -> None:
        """Follow the operator wholly.

        Args:
            ready: How the robot stands ready.
            legs: Which joints are those of the legs (n,) bool.
        """
        self._ready, self._legs = ready, legs
        self.follow()

    def follow(self) -> None:
        """Follow the operator wholly, from now on."""
        self._blend = Blend(1.0, CALMING)
        self._rest: Array | None = None
        self._begin_base()

    @property
    def share(self) -> float:
        """Of the operator's reference."""
        return self._blend.value

    def begin(self, q: Array, reference: RobotReference) -> None:
        """Begin at a posture (n,), and go to the operator's."""
        far = float(np.abs(np.nan_to_num(reference.q - q)).max())
        self._blend = Blend(0.0, min(max(far / SPEED, SHORTEST), LONGEST))
        self._rest = np.array(q)
        self._begin_base()

    def step(
        self, reference: RobotReference, dt: float, *, calm: bool
    ) -> RobotReference:
        """Return the reference of the next dt [s].

        Args:
            reference: The operator's.
            dt: Step [s].
            calm: Whether the robot is to come to a stand.
        """
        before = self.share
        share = self._blend.step(0.0 if calm else 1.0, dt)
        base = self._base(reference.base, share)
        if share >= 1.0:
            self._rest = None
            return replace(reference, base=base)
        if self._rest is None:  # legs to where they stand, all others as they are
            self._rest = np.where(self._legs, self._ready.q, np.nan)
        rest = np.where(np.isnan(self._rest), reference.q, self._rest)
        rate = (share - before) / dt
        walk, goes = reference.walk, max(share - STANDS, 0.0) / (1.0 - STANDS)
        return replace(
            reference,
            q=rest + share * (reference.q - rest),
            dq=share * reference.dq + rate * (reference.q - rest),
            ddq=share * reference.ddq,
            planted=(True, True) if calm else reference.planted,
            walk=WalkCommand(vx=goes * walk.vx, vy=goes * walk.vy, wz=goes * walk.wz),
            base=base,
            path=None if calm else reference.path,
        )

    # -- the base ---------------------------------------------------------------------

    def _begin_base(self) -> None:
        """Begin with the operator's base, wherever it is."""
        self._eased = False
        self._last: tuple[Array, float] | None = None
        self._p, self._yaw = np.zeros(2), 0.0

    def _base(self, base: BaseReference | None, share: float) -> BaseReference | None:
        """Return a base that goes a share of the operator's ways and turns.

        What it did not go it stays behind: there is no jump when the share is whole.
        """
        if base is None:
            return None
        ready = self._ready
        R = base.world_R_base @ ready.world_R_base.T
        place, heading = np.array(base.world_p_base[:2]), float(yaw_of(R))
        last_place, last_heading = self._last or (place, heading)
        if self._last is None:
            self._p, self._yaw = place.copy(), heading
        self._last = place, heading
        turn = (heading - last_heading + np.pi) % (2.0 * np.pi) - np.pi
        aside = rotation_z(self._yaw - last_heading)
        self._p += share * (aside[:2, :2] @ (place - last_place))
        self._yaw += share * float(turn)
        self._eased |= share < 1.0
        if not self._eased:
            return base
        height = float(ready.world_p_base[2])
        height += share * (float(base.world_p_base[2]) - height)
        rpy = np.array([*(share * roll_pitch_of(R)), self._yaw])
        aside = share * rotation_z(self._yaw - heading)
        return BaseReference(
            world_p_base=np.array([*self._p, height]),
            world_R_base=rotation_from_rpy(rpy) @ ready.world_R_base,
            world_v_base=aside @ base.world_v_base,
            world_w_base=aside @ base.world_w_base,
        )
