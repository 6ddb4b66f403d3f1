"""Walking: one phase after the other, until the command is zero and the robot rests."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping import (
    first_stance,
    nearer_foot,
    planar_rotation,
    side_of,
)
from telexist.teleop.controllers.terms import Intent, Measured
from telexist.teleop.controllers.walking.first_shift import FirstShift, RecoveryShift
from telexist.teleop.controllers.walking.walk_phase import WalkPhase
from telexist.teleop.controllers.walking.walk_state import WalkState
from telexist.teleop.terms import WalkCommand

__all__ = ["Walking"]


class Walking:
    """Takes steps; a footstep plan, the DCM through it, and phases that know it.

    Attributes:
        finished: Whether the robot has come to rest.
        phase: What is going on; None before the first start.
    """

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `start` or `recover` comes first."""
        self._state = WalkState(parameters, soles)
        self.phase: WalkPhase | None = None
        self.finished = True

    def start(
        self, measured: Measured, command: WalkCommand, *, yaw: float, held: Array
    ) -> None:
        """Begin to walk from standing.

        Args:
            measured: The robot.
            command: Where to.
            yaw: Heading of the base [rad].
            held: Where standing had the DCM (2,) [m].
        """
        support = first_stance(command)
        self._state.start(measured, support, yaw=yaw, recovering=False)
        self._enter(FirstShift(self._state, held), measured)

    def recover(self, measured: Measured, *, yaw: float) -> None:
        """Begin to step at once, to catch the robot; heading of the base [rad]."""
        support = nearer_foot(measured)
        self._state.start(measured, support, yaw=yaw, recovering=True)
        self._enter(RecoveryShift(self._state), measured)

    def step(self, measured: Measured, command: WalkCommand, dt: float) -> Intent:
        """Go on for dt [s] and say what to do; `start` or `recover` came first."""
        state, phase = self._state, self._now()
        phase.time += dt
        state.follow(command, dt)
        measured = state.unbiased(measured, phase.bias_share)
        following = phase.next(measured)
        if following is not None:
            phase = self._enter(following, measured)
        self.finished = phase.finished(measured)
        support = state.support.foot
        state.floor.step(measured, support, dt, both_stand=phase.both_stand)
        return phase.step(measured, dt)

    def take_up(self, measured: Measured) -> None:
        """Go on after a time in which nobody moved the robot: catch it."""
        self._state.recovering = True
        self._now().take_up(measured)

    @property
    def recovering(self) -> bool:
        """Whether it walks to be caught."""
        return self._state.recovering

    @property
    def steps(self) -> int:
        """Steps taken since the last start."""
        return self._state.steps

    @property
    def middle(self) -> tuple[Array, float]:
        """Middle between the feet (2,) [m] and heading [rad], by the support foot."""
        support = self._state.support
        aside = 0.5 * self._state.parameters.foot_spacing * side_of(support.foot)
        place = support.p - planar_rotation(support.yaw) @ np.array([0.0, aside])
        return place, support.yaw

    def end_centred(self, centred: bool) -> None:
        """Say whether the feet go apart evenly at the end, for a place that counts."""
        self._state.spacing.both = centred

    @property
    def stoop(self) -> float:
        """How much lower than standing the body is to be [m]."""
        return self._state.stoop

    def _enter(self, phase: WalkPhase, measured: Measured) -> WalkPhase:
        self.phase, self.finished = phase, False
        phase.start(measured)
        return phase

    def _now(self) -> WalkPhase:
        if self.phase is None:
            raise RuntimeError("a walk that has not begun takes no step")
        return self.phase
