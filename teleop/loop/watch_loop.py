"""The loop of a session without a robot: a person is watched, and nothing moves.

device.read -> HumanFrame -> sinks
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from telexist.calibration import Capture, CapturePhase, OperatorProfile
from telexist.teleop.clock import Waker, now
from telexist.teleop.dynamics import LiveDynamics
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.loop.outlets import Outlets
from telexist.teleop.safety import Supervisor
from telexist.teleop.settings import SessionSettings
from telexist.teleop.terms import EventKind, Fault, Request, Tick, TickSink

__all__ = ["WatchLoop"]

PERIOD = 0.02  # [s] between two turns without a sample


class WatchLoop:
    """Watches a person; `turn` is one round of it.

    Attributes:
        supervisor: Keeps the events; its state never goes beyond calibrated.
        motion: The person.
        dynamics: Estimates their torques, or None.
        interrupted: Why the session must end, or "".
    """

    def __init__(
        self,
        *,
        devices: OperatorInput,
        motion: OperatorMotion,
        settings: SessionSettings,
        make_capture: Callable[[], Capture],
    ) -> None:
        """Wire the parts."""
        self.input, self.motion = devices, motion
        self.supervisor = Supervisor(settings)
        self.dynamics: LiveDynamics | None = None
        self.interrupted = ""
        self._outlets = Outlets((), self.supervisor.fault)
        self._make_capture = make_capture
        self._turns, self._last = 0, float("nan")
        self._end = float("inf")

    @property
    def sinks(self) -> tuple[TickSink, ...]:
        """Who gets every tick."""
        return self._outlets.sinks

    @sinks.setter
    def sinks(self, sinks: Sequence[TickSink]) -> None:
        self._outlets.sinks = tuple(sinks)

    def run(self, waker: Waker, duration: float = float("inf")) -> None:
        """Turn until `duration` [s] is over, or as `stop_soon` says."""
        self._end = now() + duration
        began = now()
        while began < self._end and not self.interrupted:
            waker.clear()
            self.turn(began)
            waker.wait(began + PERIOD)
            began = now()
        if self.supervisor.log_rest(now()):
            self.turn(now())

    def stop_soon(self, after: float | None = None) -> None:
        """End `run` within `after` [s]."""
        self._end = min(self._end, now() + (after or 0.0))

    def interrupt(self, reason: str) -> None:
        """End with the next turn; any thread and any signal handler may call this."""
        self.interrupted = self.interrupted or reason

    def take_profile(self, profile: OperatorProfile, reason: str) -> None:
        """Begin with somebody who is calibrated already."""
        self.motion.take_profile(profile)
        self.supervisor.calibrated(reason, now())

    def turn(self, began: float) -> Tick:
        """Do one round; the sinks have its tick, too."""
        self.input.read()
        self._hear_devices(began)
        self._handle_requests(began)
        self._calibrate(began)
        raw = self.input.human
        verdict = None if raw is None else self.motion.follow(raw)
        if verdict is not None:
            self.supervisor.note(verdict.kind, verdict.reason, began)
        for note in self.dynamics.take_notes() if self.dynamics else ():
            self.supervisor.log(note.kind, note.text, began)
        self.supervisor.log_due(began)
        good = raw is not None and verdict is None and self.motion.profile is not None
        self._turns += 1
        period = 0.0 if self._turns == 1 else began - self._last
        self._last = began
        tick = Tick(
            number=self._turns,
            stamp=began,
            period=period,
            state=self.supervisor.state,
            samples=tuple(self.input.samples),
            raw=raw,
            human=self.motion.human if good else None,
            dynamics=self.dynamics.take() if self.dynamics else (),
            events=self.supervisor.drain(),
            notice=self.motion.notice,
            age=now() - self.input.arrival,
        )
        self._outlets.put(tick)
        return tick

    def _hear_devices(self, now_: float) -> None:
        for event in (*self.input.lost, *self.input.events(now_)):
            text = f"{event.device}: {event.reason}"
            self.supervisor.log(event.kind, text, now_, device=event.device)
        for refused in self.input.refused:
            reason = f"{refused.device}: {refused.detail}"
            kind = Fault.of(refused.reason) or refused.reason
            self.supervisor.note(kind, reason, now_, refused.count)

    def _handle_requests(self, now_: float) -> None:
        for one in self.input.asked:
            if one.request is Request.CALIBRATE:
                self.supervisor.request(one.request, one.who, now_)
                self.motion.start_capture(self._make_capture())
            else:
                reason = f"{one.request.value} by {one.who}: there is no robot"
                self.supervisor.log(EventKind.REFUSED_REQUEST, reason, now_)

    def _calibrate(self, now_: float) -> None:
        ended = self.motion.update_capture(self.input.human, now_)
        if ended is None:
            return
        if ended.phase is CapturePhase.DONE:
            self.supervisor.calibrated("the person was calibrated", now_)
        for reason in ended.reasons:
            self.supervisor.log(EventKind.CALIBRATION_REFUSED, reason, now_)
