"""What people ask for by page, key, joypad or call, carried out where it is granted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from telexist.calibration import Capture
from telexist.teleop.controllers.base import Several
from telexist.teleop.loop.operator_input import Asked, OperatorInput
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.robot_link import RobotLink
from telexist.teleop.safety import EngageConditions, Supervisor
from telexist.teleop.settings import SessionSettings
from telexist.teleop.terms import Fault, Reaction, Request

__all__ = ["Asking", "Requests"]


class Asking(Protocol):
    """The parts of a session that requests change; the loop is one."""

    input: OperatorInput
    link: RobotLink
    motion: OperatorMotion
    reference: ReferenceMaker
    supervisor: Supervisor

    def fresh(self, now_: float) -> bool:
        """Return whether the operator was seen, well, within the deadline."""


class Requests:
    """Carries out requests that the supervisor grants."""

    def __init__(
        self,
        session: Asking,
        settings: SessionSettings,
        make_capture: Callable[[], Capture],
    ) -> None:
        """Prepare for a session; `make_capture` begins a calibration."""
        self._session, self._settings = session, settings
        self._make_capture = make_capture

    def handle(self, asked: Sequence[Asked], now: float) -> None:
        """Do what was asked, in order, where the supervisor grants it."""
        session = self._session
        for one in asked:
            engages = one.request is Request.ENGAGE
            conditions = self.conditions(now) if engages else None
            if one.request is Request.CHANGE and not self._several():
                why = "there is no other controller"
                session.supervisor.refuse(one.request, one.who, why, now)
                continue
            granted = session.supervisor.request(
                one.request, one.who, now, conditions=conditions
            )
            if granted and one.request is Request.CHANGE:
                self._change()
            if granted and one.request is Request.CALIBRATE:
                session.motion.start_capture(self._make_capture())
            if granted and one.request is Request.RESET:
                self._after_reset(now)
            if granted and engages and session.motion.targets is not None:
                session.reference.approach(session.motion.targets.q)

    def _several(self) -> bool:
        """Return whether there is more than one controller."""
        return isinstance(self._session.link.controller, Several)

    def _change(self) -> None:
        """Ask for the next controller."""
        controller = self._session.link.controller
        if isinstance(controller, Several):
            controller.ask()

    def _after_reset(self, now: float) -> None:
        session = self._session
        if session.motion.profile is None:
            session.supervisor.forget_operator(now)
        if session.link.state is None:
            return
        # The command may only jump to a robot that did not follow it; else a lag of the
        # servos would become a jerk. One that balances need not be where it was sent.
        far = session.reference.distance(session.link.state.q)
        bolted = session.link.controller.base == "fixed"
        taken = session.link.take_back(now)
        if taken or (bolted and far > self._settings.safety.tracking_error):
            session.reference.reset(session.link.state.q)
        session.link.recover(now)

    def conditions(self, now: float) -> EngageConditions:
        """Return what is known of operator, devices and robot."""
        session = self._session
        targets = session.motion.targets
        return EngageConditions(
            calibrating=session.motion.calibrating,
            calibrated=session.motion.profile is not None,
            robot_seen=session.link.state is not None,
            released=session.input.released[0] if session.input.released else "",
            lost=self._lost(),
            fresh=targets is not None and session.fresh(now),
            distance=session.reference.distance(targets.q) if targets else 0.0,
            farthest=self._settings.engage.refuse_beyond,
        )

    def _lost(self) -> str:
        """Return which device is gone, if that matters, and why."""
        reaction = self._settings.reaction(Fault.DEVICE_LOST)
        for lost in self._session.input.gone.values():
            if lost.kind is Fault.DEVICE_LOST and reaction is not Reaction.NOTE:
                return f"{lost.device}: {lost.reason}"
        return ""
