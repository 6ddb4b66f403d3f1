"""The keyboard, with real terminals (pseudo-terminals)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any

import numpy as np
import pytest
from telexist.retarget.errors import DeviceLost
from telexist.teleop import clock
from telexist.teleop.devices.keyboard.keyboard import Keyboard
from telexist.teleop.devices.keyboard.keys import KeyParser
from telexist.teleop.devices.walk.walk_shaping import WalkLimits
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)
import pty
import termios

PATIENCE = 60.0  # [s] after which a keyboard that says nothing has failed
FAST = WalkLimits(acceleration=10.0, turn_acceleration=10.0)


class Typist:
    """A terminal with a keyboard in front and an open `Keyboard` behind."""

    def __init__(self) -> None:
        self.hand, slave = pty.openpty()
        self.stream: IO[Any] = os.fdopen(slave, "rb", buffering=0)
        self.before = termios.tcgetattr(slave)
        self.woken = 0
        self.requests: list[Request] = []
        self.keyboard = Keyboard(walk=FAST, stream=self.stream)
        self.keyboard.open(self._wake)

    def _wake(self) -> None:
        self.woken += 1

    def type(self, data: bytes) -> None:
        os.write(self.hand, data)

    def until(
        self, wanted: Callable[[DeviceSample], bool], held: bytes = b""
    ) -> DeviceSample:
        """Return the first sample that is wanted, with keys held down meanwhile."""
        end, repeat = clock.now() + PATIENCE, clock.now()
        while clock.now() < end:
            if held and clock.now() >= repeat:
                self.type(held)
                repeat = clock.now() + 0.1  # [s] as terminals repeat
            sample = self.keyboard.read()
            if sample is not None:
                self.requests += sample.requests
                if wanted(sample):
                    return sample
            clock.sleep(0.002)
        raise AssertionError(f"no such sample in {PATIENCE:g} s")

    def mode(self) -> list[Any]:
        return termios.tcgetattr(self.stream.fileno())

    def close(self) -> None:
        self.keyboard.close()
        self.stream.close()
        if self.hand >= 0:
            os.close(self.hand)


@pytest.fixture
def typist() -> Iterator[Typist]:
    typist = Typist()
    yield typist
    typist.close()


def test_walk_lasts_while_the_key_repeats() -> None:
    keyboard = Keyboard(walk=FAST)
    keyboard._press("w", 0.0)
    assert keyboard._walk(0.59, 1.0).vx == 0.4  # terminals wait before they repeat
    for k in range(20):
        keyboard._press("w", 0.5 + 0.04 * k)
        assert keyboard._walk(0.5 + 0.04 * k, 0.04).vx == 0.4
    assert keyboard._walk(1.26 + 0.19, 1.0).vx == 0.4
    assert keyboard._walk(1.26 + 0.21, 1.0) == WalkCommand()


def test_a_request_ends_the_walk() -> None:
    keyboard = Keyboard(walk=FAST)
    keyboard._press("w", 0.0)
    assert keyboard._walk(0.01, 1.0).vx == 0.4
    keyboard._press(" ", 0.02)
    assert keyboard._walk(0.02, 1.0) == WalkCommand()


@pytest.mark.parametrize(
    ("keys", "walk"),
    [
        (b"\x1b[A", WalkCommand(vx=0.4)),
        (b"\x1bOB", WalkCommand(vx=-0.4)),
        (b"\x1b[D", WalkCommand(vy=0.2)),
        (b"d", WalkCommand(vy=-0.2)),
        (b"WQ", WalkCommand(vx=0.4, wz=0.6)),
        (b"we", WalkCommand(vx=0.4, wz=-0.6)),
        (b"ws", WalkCommand(vx=-0.4)),
    ],
)
def test_keys_walk(typist: Typist, keys: bytes, walk: WalkCommand) -> None:
    typist.until(lambda s: s.walk == walk, held=keys)


def test_requests_arrive_in_order_and_wake_the_loop(typist: Typist) -> None:
    typist.type(b"cxg")
    typist.type(b" ")
    typist.until(lambda s: Request.STOP in s.requests)
    assert typist.requests == [Request.CALIBRATE, Request.ENGAGE, Request.STOP]
    assert typist.woken >= 1


def test_hands_close_and_open_gradually(typist: Typist) -> None:
    before = typist.until(lambda s: s.hands is not None)
    typist.type(b"p")
    begun = typist.until(lambda s: s.hands is not None and s.hands.left > 0.0)
    assert begun.hands is not None
    took = begun.stamp - before.stamp  # [s]; half a second from open to closed
    assert begun.hands.left <= 2.0 * took + 1e-9
    typist.until(lambda s: s.hands is not None and s.hands.right == 1.0)
    typist.type(b"o")
    typist.until(lambda s: s.hands is not None and s.hands.right == 0.0)


def test_terminal_is_given_back_as_it_was(typist: Typist) -> None:
    assert typist.mode() != typist.before
    assert not typist.mode()[3] & termios.ECHO
    assert typist.mode()[3] & termios.ISIG  # Ctrl-C still interrupts
    typist.keyboard.close()
    assert typist.mode() == typist.before
    typist.keyboard.open(lambda: None)
    assert typist.mode() != typist.before
    typist.keyboard.close()
    typist.keyboard.close()
    assert typist.mode() == typist.before


def test_terminal_is_given_back_when_the_program_fails() -> None:
    code = (
        "import sys; from telexist.teleop.devices.keyboard.keyboard import Keyboard\n"
        "Keyboard().open(lambda: None)\nraise RuntimeError('bug')"
    )
    hand, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    done = subprocess.run([sys.executable, "-c", code], stdin=slave, check=False)
    assert done.returncode == 1
    assert termios.tcgetattr(slave) == before
    os.close(hand)
    os.close(slave)


def test_closed_terminal_is_a_released_switch(
    typist: Typist, caplog: pytest.LogCaptureFixture
) -> None:
    typist.until(lambda s: s.walk is not None and s.walk.vx > 0.1, held=b"w")
    os.close(typist.hand)
    typist.hand = -1
    gone = typist.until(lambda s: s.dead_man is False)
    assert gone.walk == WalkCommand()
    assert "its terminal was closed" in caplog.text


def test_without_a_terminal_one_clear_line() -> None:
    with (
        open(os.devnull, "rb") as nothing,
        pytest.raises(DeviceLost, match="no terminal: run it in a terminal"),
    ):
        Keyboard(stream=nothing).open(lambda: None)
    with pytest.raises(DeviceLost, match="no standard input"):
        Keyboard(stream=io.BytesIO()).open(lambda: None)


def test_parser_survives_any_bytes_and_always_hears_the_stop(rng_bytes: bytes) -> None:
    parser = KeyParser()
    for k in range(0, len(rng_bytes), 7):
        parser.feed(rng_bytes[k : k + 7])
        assert parser.feed(b" ") == [" "]
        assert len(parser._sequence) <= 16


@pytest.fixture
def rng_bytes() -> bytes:
    letters = np.frombuffer(b"\x1b[O;1A~wq\xff\x00", dtype=np.uint8)
    return np.random.default_rng(5).choice(letters, 20_000).tobytes()


def test_arrow_in_pieces_and_other_sequences() -> None:
    parser = KeyParser()
    assert parser.feed(b"\x1b") + parser.feed(b"[") + parser.feed(b"A") == ["w"]
    assert parser.feed(b"\x1b[1;5C\x1b[3~\x1bOP") == []
    assert parser.feed(b"\x1bg") == ["g"]
