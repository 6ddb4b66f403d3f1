"""Records every turn of a session, without ever holding up the loop.

`put` appends to a queue; a thread encodes and writes. After `kill -9` or a power cut,
everything up to the last second can be read. When the disk cannot follow, the least
important samples are dropped, counted, and the loss is an event; when it refuses (full,
gone), the recording ends where it is, the reason is reported, and the session goes on.
"""

from __future__ import annotations

import logging
import math
import re
import threading
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from telexist.retarget.errors import CannotWrite, MissingDependency
from telexist.teleop import clock
from telexist.teleop.recording.kept_elsewhere import is_there, keep_elsewhere
from telexist.teleop.recording.mcap_writer import McapWriter
from telexist.teleop.recording.picture import picture_fields
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.tick_messages import (
    Message,
    encode,
    event_message,
    tick_messages,
)
from telexist.teleop.recording.tick_queue import CAPACITY, EventsOnly, TickQueue
from telexist.teleop.terms import Event, State, Tick

__all__ = ["SessionRecorder", "session_path"]

_LOG = logging.getLogger(__name__)

DRAIN = 0.1  # [s] between two looks into the queue
FLUSH = 0.4  # [s] after which a chunk goes to the operating system
SYNC = 0.8  # [s] after which it must be on the disk
MAX_CHUNK = 4_000_000  # [bytes] of JSON; pictures fill a chunk early
BREATH = 2e-4  # [s] after a turn, in which the loop can have the interpreter
LONG = 4000  # [bytes] a message this long is followed by a breath of its own
PATIENCE = 20.0  # [s] for the last turns to reach the disk
_LATEST = 2**63 - 1  # [ns] that a time in the file can hold


def session_path(folder: Path, header: SessionHeader) -> Path:
    """Return a new name in a folder: date, time and robot."""
    date = clock.date_text(header.started, "%Y-%m-%d_%H-%M-%S")
    robot = re.sub(r"[^A-Za-z0-9_-]+", "_", header.robot or "person")[:60]
    path = folder / f"{date}_{robot}.mcap"
    for number in range(2, 1000):
        if not path.exists():
            break
        path = folder / f"{date}_{robot}_{number}.mcap"
    return path


class SessionRecorder:
    """A sink of ticks that keeps all of them in one `.mcap` file.

    Arrays in a tick must not be changed after `put`; it is called from one thread.
    """

    def __init__(
        self,
        path: Path,
        header: SessionHeader,
        *,
        configuration: str = "",
        calibration: str = "",
        profile: Callable[[], str] | None = None,
        report: Callable[[str, str], None] | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        """Begin the file and the thread.

        Args:
            path: A file that does not exist yet; its folder is made.
            header: See `SessionHeader`.
            configuration: The session's configuration, TOML.
            calibration: The operator's profile, TOML.
            profile: Gives the profile in use, TOML; asked from the recorder's thread
                after every event called "calibrated".
            report: Called from the recorder's thread with kind and reason of an event
                that the session should know: "recording" and what was lost.
            capacity: Turns that may wait for the disk.

        Raises:
            CannotWrite: If the file cannot be made.
        """
        self.path = path
        self.header = header
        self._report = report
        self._profile, self._calibration = profile, ""
        self._queue = TickQueue(capacity)
        self._texts: list[Message] = []
        self._closing = threading.Event()
        self._failure: str | None = None
        self._taking = True
        self._number, self._state = 0, State.IDLE
        self._file, self._writer = _begin(path, header)
        self._flushed = self._synced = clock.now()
        self.put_configuration(configuration)
        self.put_calibration(calibration)
        self._thread = threading.Thread(
            target=self._run, name="session recorder", daemon=True
        )
        self._thread.start()

    @property
    def problem(self) -> str | None:
        """Why the recording ended early or is not where it was begun, or None."""
        return self._failure

    def put(self, tick: Tick) -> None:
        """Take a tick; returns at once."""
        if self._taking:
            self._queue.put(tick)

    def put_calibration(self, text: str) -> None:
        """Record an operator profile [TOML] if it is new; empty is none."""
        if text != self._calibration:
            self._calibration = text
            self._put_text("calibration", text)

    def put_configuration(self, text: str) -> None:
        """Record a new configuration [TOML], from any thread; empty is none."""
        self._put_text("configuration", text)

    def close(self) -> None:
        """Write what waits and finish the file; may be called twice."""
        self._taking = False
        self._closing.set()
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            self._fail(f"the disk does not answer for {PATIENCE:g} s")

    def _put_text(self, channel: str, text: str) -> None:
        if text:
            fields = {"tick": self._number, "stamp": clock.now(), "text": text}
            self._texts.append((channel, fields))

    def _run(self) -> None:
        try:
            while not self._closing.wait(DRAIN):
                self._drain()
                self._keep_safe()
                self._stay_there()
            self._drain()
            self._stay_there()
            self._writer.finish()
        except OSError as error:
            self._fail(error.strerror or str(error))
        except Exception as error:  # the session must outlive its recording
            _LOG.exception("the recorder failed")
            self._fail(f"unexpected {type(error).__name__}: {error}")
        finally:
            self._file.close()

    def _drain(self) -> None:
        self._add_texts()
        while (tick := self._queue.take()) is not None:
            if isinstance(tick, Tick):
                self._add_tick(tick)
            else:
                self._add_events(tick)
            if self._writer.waiting > MAX_CHUNK:
                self._writer.flush()
            self._breathe()
        self._add_texts()
        self._tell_dropped()

    def _add_texts(self) -> None:
        while self._texts:
            self._add(self._texts.pop(0))

    def _breathe(self) -> None:
        """Leave the interpreter to the loop for a moment."""
        if not self._closing.is_set():
            clock.sleep(BREATH)

    def _keep_safe(self) -> None:
        now = clock.now()
        late = now - self._synced >= SYNC
        if late or now - self._flushed >= FLUSH:
            self._writer.flush()
            self._flushed = now
        if late:
            self._writer.sync()
            self._synced = now

    def _stay_there(self) -> None:
        """Go on elsewhere if the file, or its folder, was deleted or replaced."""
        if is_there(self._file, self.path):
            return
        file, path = keep_elsewhere(self._file, self.path)
        old, self._file, lost = self._file, file, self.path
        self._writer.go_on_in(file)
        old.close()
        self.path = path
        self._failure = f"{lost} was deleted or replaced; all of it is kept in {path}"
        self._tell(self._failure)

    def _add_tick(self, tick: Tick) -> None:
        self._number, self._state = tick.number, tick.state
        for message in tick_messages(tick):
            self._add(message, tick.stamp)
        if self._profile and any(e.kind == "calibrated" for e in tick.events):
            self.put_calibration(self._profile())
        feedback = tick.feedback
        if feedback is None or feedback.image is None:
            return
        wall = self._wall(feedback.stamp)
        try:
            self._add(
                (
                    "camera",
                    picture_fields(tick.number, feedback.stamp, wall, feedback.image),
                ),
                tick.stamp,
            )
        except (MissingDependency, ValueError) as error:
            self._tell(f"camera: {error}")

    def _add_events(self, rest: EventsOnly) -> None:
        for event in rest.events:
            self._add(event_message(rest.number, event), event.stamp)

    def _add(self, message: Message, stamp: float | None = None) -> None:
        channel, fields = message
        try:
            data = encode(fields)
        except TypeError as error:
            self._tell(f"{channel}: a sample was left out: {error}")
            return
        time = self._wall(fields["stamp"] if stamp is None else stamp)
        self._writer.add(channel, time, fields["tick"], data)
        if len(data) > LONG:
            self._breathe()

    def _tell_dropped(self) -> None:
        dropped = self._queue.take_dropped()
        if dropped:
            counts = ", ".join(f"{count} {name}" for name, count in dropped.items())
            self._tell(f"the disk cannot follow; dropped: {counts}; use a faster disk")

    def _tell(self, reason: str) -> None:
        """Write an event of our own and report it."""
        event = Event(
            stamp=clock.now(), kind="recording", reason=reason, state=self._state
        )
        channel, fields = event_message(self._number, event)
        self._writer.add(channel, self._wall(event.stamp), self._number, encode(fields))
        self._say(reason)

    def _fail(self, reason: str) -> None:
        self._failure = (
            f"{self.path}: recording ended: {reason}; what was written before can be "
            "read; free the disk and start a new session"
        )
        self._taking = False
        self._queue = TickQueue(0)  # nobody will take what waits
        self._say(self._failure)

    def _say(self, reason: str) -> None:
        if self._report is None:
            _LOG.warning("%s", reason)
        else:
            self._report("recording", reason)

    def _wall(self, stamp: float) -> int:
        """Return a monotonic time as nanoseconds since 1970."""
        if not math.isfinite(stamp):
            stamp = self.header.stamp
        seconds = self.header.started + (stamp - self.header.stamp)
        return min(max(0, int(seconds * 1e9)), _LATEST)


def _begin(path: Path, header: SessionHeader) -> tuple[FileIO, McapWriter]:
    file: Any = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = FileIO(path, "x+b")
        writer = McapWriter(file, "session", header.metadata())
        writer.sync()
        return file, writer
    except OSError as error:
        if file is None and path.is_file():
            problem = "exists already: choose another name"
            raise CannotWrite(f"{path}: {problem}") from error
        if file is not None:
            file.close()
            path.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise CannotWrite(
            f"{path}: cannot be written: {reason}; choose another folder with --record"
        ) from error
