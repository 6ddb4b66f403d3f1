"""The session's end of the estimate: takes ticks, gives back what was estimated."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from telexist.calibration import OperatorProfile
from telexist.retarget.ergonomics import ErgonomicSettings
from telexist.retarget.person_dynamics import PersonDynamics
from telexist.teleop.dynamics.dynamics_messages import (
    ENDED,
    ESTIMATE,
    NOTE,
    READY,
    encode_forces,
    encode_frame,
    encode_person,
)
from telexist.teleop.settings import DynamicsSettings
from telexist.teleop.terms import DeviceSample, EventKind, Fault, Tick

__all__ = ["DynamicsNote", "LiveDynamics"]

Waiting = TypeVar("Waiting")

PAUSE = 0.005  # [s] between two looks at what waits; the loop is never woken
WAITING = 500  # samples and estimates that may wait
ENDING = 5.0  # [s] for the process to end

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DynamicsNote:
    """Something found, or a fault; none holds the robot."""

    kind: Fault | EventKind
    text: str


class LiveDynamics:
    """Runs the estimate in its process; nothing here waits for it."""

    def __init__(
        self,
        settings: DynamicsSettings,
        profile: Callable[[], OperatorProfile | None],
        ergonomics: ErgonomicSettings | None = None,
    ) -> None:
        """Prepare.

        Args:
            settings: Mass, lag, what may carry.
            profile: Returns the operator that is followed now.
            ergonomics: What scores assume; None: the defaults.
        """
        self._settings, self._profile = settings, profile
        self._ergonomics = ergonomics or ErgonomicSettings()
        self._person: OperatorProfile | None = None
        self._ticks: deque[tuple[Tick, OperatorProfile | None]] = deque(maxlen=WAITING)
        self._estimates: deque[PersonDynamics] = deque(maxlen=WAITING)
        self._notes: deque[DynamicsNote] = deque(maxlen=WAITING)
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []

    def open(self) -> None:
        """Start the process; it is ready some seconds later."""
        if self._process is not None:
            return
        # scipy and the compiled estimator are for the process alone
        from telexist.teleop.dynamics.dynamics_process import serve_estimates

        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(
            target=serve_estimates, args=(theirs,), name="dynamics", daemon=True
        )
        self._process.start()
        theirs.close()
        for work in (self._send, self._listen):
            thread = threading.Thread(
                target=work, args=(self._pipe,), name="dynamics", daemon=True
            )
            thread.start()
            self._threads.append(thread)

    @property
    def process_id(self) -> int | None:
        """Number of the process, to see what it costs."""
        return self._process.pid if self._process is not None else None

    def put(self, tick: Tick) -> None:
        """Take a tick; returns at once."""
        if tick.human is not None or _forces(tick):
            self._ticks.append((tick, self._profile()))

    def take(self) -> tuple[PersonDynamics, ...]:
        """Return what was estimated since the last call."""
        return tuple(_emptied(self._estimates))

    def take_notes(self) -> tuple[DynamicsNote, ...]:
        """Return what was found since the last call."""
        return tuple(_emptied(self._notes))

    def close(self) -> None:
        """End the process; may be called twice."""
        self._closed.set()
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        process.join(ENDING)
        if process.is_alive():
            process.kill()
            process.join()
        for thread in self._threads:
            thread.join(ENDING)
        if self._pipe is not None:
            self._pipe.close()

    def _send(self, pipe: Connection) -> None:
        """Pass on what waits, until the end."""
        try:
            while not self._closed.wait(PAUSE):
                for tick, profile in _emptied(self._ticks):
                    self._send_tick(pipe, tick, profile)
        except OSError:
            return  # told by the one who listens
        except Exception as error:  # an error of our own must not end the session
            _log.exception("the person's dynamics")
            self._lose(f"{type(error).__name__}: {error}")

    def _send_tick(
        self, pipe: Connection, tick: Tick, profile: OperatorProfile | None
    ) -> None:
        if profile is not None and profile is not self._person:
            self._person = profile
            pipe.send_bytes(
                encode_person(profile.size, self._settings, self._ergonomics)
            )
        for sample in _forces(tick):
            if sample.forces is not None:
                pipe.send_bytes(encode_forces(sample.forces))
        if tick.human is not None:
            pipe.send_bytes(encode_frame(tick.human))

    def _listen(self, pipe: Connection) -> None:
        """Keep what comes, until the end."""
        why = "its process has ended"
        try:
            while True:
                message = pipe.recv_bytes()
                kind, content = message[:1], message[1:]
                if kind == ESTIMATE:
                    self._estimates.append(PersonDynamics.from_bytes(content))
                elif kind == NOTE:
                    self._notes.append(_note(content.decode(errors="replace")))
                elif kind == READY:
                    said = "the estimate of the person's torques begins"
                    self._notes.append(DynamicsNote(EventKind.DYNAMICS, said))
                elif kind == ENDED:
                    why = content.decode(errors="replace")
        except (EOFError, OSError):
            self._lose(why)
        except Exception as error:  # the same
            _log.exception("the person's dynamics")
            self._lose(f"{type(error).__name__}: {error}")

    def _lose(self, why: str) -> None:
        if not self._closed.is_set():
            text = f"no torques any more: {why}; the session goes on without"
            self._notes.append(DynamicsNote(Fault.DYNAMICS_LOST, text))


def _note(text: str) -> DynamicsNote:
    word, _, rest = text.partition(" ")
    return DynamicsNote(Fault.of(word) or EventKind.DYNAMICS, rest)


def _forces(tick: Tick) -> list[DeviceSample]:
    return [sample for sample in tick.samples if sample.forces is not None]


def _emptied(waiting: deque[Waiting]) -> list[Waiting]:
    return [waiting.popleft() for _ in range(len(waiting))]
