"""What people ask for by page, key, joypad or call: done, or refused with the reason.

To engage takes a calibrated operator, a fresh sample, a robot that speaks and, if so
set, a robot that is not far from the operator's pose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from telexist.calibration import Capture
from telexist.teleop.loop.operator_input import Asked, OperatorInput
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.robot_link import RobotLink
from telexist.teleop.safety import Supervisor
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
    """Carries out requests where the state allows them."""

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
        """Do what was asked, in order."""
        for one in asked:
            if one.request is Request.ENGAGE:
                self._engage(one, now)
                continue
            granted = self._session.supervisor.request(one.request, one.who, now)
            if granted and one.request is Request.CALIBRATE:
                self._session.motion.start_capture(self._make_capture())
            if granted and one.request is Request.RESET:
                self._after_reset(now)

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

    def _engage(self, asked: Asked, now: float) -> None:
        session, why_not = self._session, self.why_not_engage(now)
        if why_not:
            session.supervisor.refuse(asked.request, asked.who, why_not, now)
            return
        granted = session.supervisor.request(asked.request, asked.who, now)
        if granted and session.motion.targets is not None:
            session.reference.approach(session.motion.targets.q)

    def why_not_engage(self, now: float) -> str:
        """Return why it would be refused to engage; "" if it would not."""
        session = self._session
        if session.motion.calibrating:
            return "a calibration is going on"
        if session.motion.profile is None:
            return "no operator is calibrated: calibrate first"
        if session.link.state is None:
            return "the robot has not spoken yet"
        if session.input.released:
            return f"{session.input.released[0]}: hold the dead-man's switch first"
        for lost in session.input.gone.values():
            reaction = self._settings.reaction(Fault.DEVICE_LOST)
            if lost.kind is Fault.DEVICE_LOST and reaction is not Reaction.NOTE:
                return f"{lost.device}: {lost.reason}"
        targets = session.motion.targets
        if targets is None or not session.fresh(now):
            return "there is no fresh sample of the operator"
        far, most = session.reference.distance(targets.q), self._settings.engage
        if most.refuse_beyond and far > most.refuse_beyond:
            return f"the robot is {far:.2f} rad from the operator's pose: come closer"
        return ""
