"""No outlet of a session holds its loop up, or ends it."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from telexist.launch_scripts.shell.log_lines import log_lines_through, show_log_lines
from telexist.launch_scripts.terminal.event_lines import EventLines
from telexist.teleop.recording.session_header import start_header
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.sinks import profile_keeper
from telexist.teleop.sinks.line_writer import LineWriter
from telexist.teleop.sinks.profile_keeper import ProfileKeeper
from telexist.teleop.terms.tick import State, Tick
from telexist.teleop.viewers.live.page_sink import PageSink

PATIENCE = 60.0  # [s]


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    opened = threading.Event()
    yield opened
    opened.set()


def test_with_every_outlet_blocked_the_loop_goes_on(
    bench: Any,
    gate: threading.Event,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiting: set[str] = set()

    def block(who: str, result: Any = None) -> Any:
        waiting.add(who)
        assert gate.wait(PATIENCE)
        return result

    header = start_header(bench.body, operator="", source="test", deadline=0.1)
    recorder = SessionRecorder(tmp_path / "blocked.mcap", header)
    monkeypatch.setattr(recorder._writer, "flush", lambda: block("disk"), raising=True)
    monkeypatch.setattr(profile_keeper, "profile_path", lambda name: block("profile"))
    reader, end = os.pipe()
    stream = open(end, "w")  # noqa: SIM115
    terminal = LineWriter(stream)
    keeper = ProfileKeeper("anna", lambda: bench.loop.motion.profile, lambda *_: None)
    page = PageSink(lambda message: block("page"), rate=1000.0)
    lines = EventLines(terminal.put)
    bench.loop.sinks = (recorder, keeper, page, lines)
    for _ in range(4000):
        terminal.put("x" * 100)  # the pipe is full, and so is the queue
    show_log_lines()
    with log_lines_through(terminal.put):
        bench.engage()
        for _ in range(100):
            logging.getLogger("telexist.test").warning("said to nobody")
            bench.play(0.05)
        end = time.monotonic() + PATIENCE  # the outlets' threads may start late
        while len(waiting) < 3 and time.monotonic() < end:
            bench.play(0.05)
            time.sleep(0.01)
    assert bench.state is State.ACTIVE
    assert waiting == {"disk", "profile", "page"}
    gate.set()
    os.close(reader)
    for sink in bench.loop.sinks:
        sink.close()
    terminal.close(0.1)
    stream.close()


class Failing:
    """A sink that fails after some ticks."""

    def __init__(self) -> None:
        self.taken = 0

    def put(self, tick: Tick) -> None:
        self.taken += 1
        if self.taken == 10:
            raise OSError("no space left")

    def close(self) -> None:
        """Nothing to finish."""


def test_an_outlet_that_fails_is_left_out_and_told(bench: Any) -> None:
    failing = Failing()
    bench.loop.sinks = (failing,)
    bench.engage()
    assert (failing.taken, bench.state) == (10, State.ACTIVE)
    assert "outlet_lost" in bench.kinds()


class OwnTime:
    """Plays the loop's clock and waker."""

    def __init__(self, bench: Any) -> None:
        self.bench = bench

    def clear(self) -> None:
        """Nothing has been woken."""

    def wait(self, until: float) -> None:
        self.bench.now = until
        self.bench.robot.stamp = until


def test_an_error_of_our_own_stops_the_robot_before_it_ends_the_session(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.engage()
    while not bench.robot.sent or abs(bench.robot.sent[-1].dq).max() < 0.2:
        bench.play(0.05)  # until it moves
    before = len(bench.robot.sent)
    monkeypatch.setattr(
        "telexist.teleop.loop.teleop_loop.now", lambda: bench.now, raising=True
    )
    monkeypatch.setattr("telexist.teleop.loop.pace.now", lambda: bench.now)
    monkeypatch.setattr("telexist.teleop.loop.pace.sleep", lambda _: None)

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(bench.loop, "_follow", fail)
    with pytest.raises(ZeroDivisionError, match="ours"):
        bench.loop.run(OwnTime(bench), 60.0)
    assert bench.state is State.STOPPED
    assert len(bench.robot.sent) > before + 10
    assert abs(bench.robot.sent[-1].dq).max() == 0.0
    bench.require_bounds()
