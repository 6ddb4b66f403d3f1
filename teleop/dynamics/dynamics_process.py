"""The process that estimates: reads frames and forces, writes what they come to."""

from __future__ import annotations

import logging
import os
from multiprocessing.connection import Connection

from telexist.retarget.dynamics import ForcesAt, Moment, OnlineDynamics, trust_of
from telexist.retarget.ergonomics.scored import LiveErgonomics
from telexist.retarget.errors import TelexistError
from telexist.retarget.person_dynamics import PersonDynamics, SensorState
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.robots.base import ignore_terminal
from telexist.teleop.dynamics.completed_person import CompletedPerson
from telexist.teleop.dynamics.dynamics_messages import (
    ENDED,
    ESTIMATE,
    FORCES,
    FRAME,
    NOTE,
    PERSON,
    READY,
    PersonAsked,
    decode_forces,
    decode_frame,
    decode_person,
)
from telexist.teleop.terms import EventKind, Fault

__all__ = ["serve_estimates"]

NICE = 5  # the loop comes first, and the page's buttons
SIDES = ("left", "right")

_log = logging.getLogger(__name__)


def serve_estimates(pipe: Connection) -> None:
    """Estimate until the pipe is closed."""
    ignore_terminal(but=("SIGTERM",))
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        _warm_up()
        pipe.send_bytes(READY)
        _Estimates(pipe).run()
    except (EOFError, OSError):
        return  # the session has ended
    except Exception as error:
        _log.exception("the estimate of the person's dynamics failed")
        pipe.send_bytes(ENDED + f"{type(error).__name__}: {error}".encode()[:500])


def _warm_up() -> None:
    """Load the compiled estimator before the first frame comes."""
    clip = builtin_clip()
    online = OnlineDynamics(clip.size)
    for k in range(20):
        online.put_frame(clip.frame(k))
    online.step()


class _Estimates:
    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._online: OnlineDynamics | None = None
        self._body: CompletedPerson | None = None
        self._scores: LiveErgonomics | None = None
        self._told: dict[str, SensorState] = {}
        self._said = ""

    def run(self) -> None:
        """Take what has come; then one estimate, of the newest."""
        while True:
            framed = self._take(self._pipe.recv_bytes())
            while self._pipe.poll():
                framed |= self._take(self._pipe.recv_bytes())
            if framed:
                self._estimate()

    def _take(self, message: bytes) -> bool:
        """Take a message; return whether it was a frame that can be used."""
        if message[:1] == PERSON:
            self._begin(decode_person(message))
        elif self._online is not None and self._body is not None:
            if message[:1] == FORCES:
                self._online.put_forces(decode_forces(message))
            elif message[:1] == FRAME:
                try:
                    self._online.put_frame(self._body.complete(decode_frame(message)))
                except TelexistError as error:
                    self._tell(EventKind.DYNAMICS, str(error))
                    return False
                return True
        return False

    def _begin(self, asked: PersonAsked) -> None:
        settings = asked.settings
        self._body = CompletedPerson(asked.size)
        self._online = OnlineDynamics(
            asked.size,
            settings.mass or None,
            lag=settings.lag,
            trust=trust_of(hands=settings.hands, seat=settings.seat),
        )
        self._scores = LiveErgonomics(
            asked.ergonomics, hands=settings.hands, seat=settings.seat
        )
        if not settings.mass:
            mass = self._online.person.mass
            self._tell(
                EventKind.DYNAMICS,
                f"mass {mass:.0f} kg assumed; say it with --mass, or stand still on "
                "force sensors",
            )

    def _estimate(self) -> None:
        if self._online is None:
            return
        try:
            moment = self._online.step()
        except TelexistError as error:
            self._tell(EventKind.DYNAMICS, str(error))
            return
        for note in self._online.notes:
            self._tell(EventKind.DYNAMICS, note)
        self._online.notes.clear()
        if moment is None:
            return
        self._judge_sensors(moment)
        self._pipe.send_bytes(ESTIMATE + self._scored(moment).to_bytes())

    def _scored(self, moment: Moment) -> PersonDynamics:
        """Return the estimate with its scores; a score that fails costs no estimate."""
        if self._scores is None:
            return moment.dynamics
        try:
            scored = self._scores.score(moment)
        except TelexistError as error:
            self._tell(EventKind.DYNAMICS, f"no scores: {error}")
            return moment.dynamics
        for note in self._scores.notes:
            self._tell(EventKind.DYNAMICS, note)
        self._scores.notes.clear()
        return scored

    def _judge_sensors(self, moment: Moment) -> None:
        """Tell how each sensor does, when that changes."""
        forces: ForcesAt = moment.forces
        for side, state, reason in zip(
            SIDES, forces.status, forces.reason, strict=True
        ):
            before = self._told.get(side, SensorState.WAITING)
            self._told[side] = state
            if state is before:
                continue
            if state is SensorState.OK:
                self._tell(EventKind.DYNAMICS, f"{side} foot: its force is known again")
            else:
                text = f"{side} foot: {state.value}: {reason}: its force is unknown"
                self._tell(Fault.FORCES, text)

    def _tell(self, kind: str, text: str) -> None:
        """Tell something, but not the same twice in a row."""
        if text == self._said:
            return
        self._said = text
        self._pipe.send_bytes(NOTE + f"{kind!s} {text}".encode()[:1000])
