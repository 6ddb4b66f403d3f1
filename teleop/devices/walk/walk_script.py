"""Walking commands from a script: for trials that repeat, and for demonstrations.

A script is a text with one line for each change: time [s], vx [m/s], vy [m/s],
wz [rad/s], with commas between. `#` begins a remark. In a session, times count from
when the robot first follows the operator.

    # stand, walk ahead, turn left on the way, stand
    0, 0, 0, 0
    5, 0.2, 0, 0
    15, 0.2, 0, 0.2
    25, 0, 0, 0
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from telexist.retarget.errors import BadConfig
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceOptions
from telexist.teleop.terms import DeviceSample, Provides, WalkCommand

__all__ = ["WalkScript", "read_script", "make_script"]

Line = tuple[float, WalkCommand]

STAGES: Sequence[Line] = (
    (0.0, WalkCommand()),
    (8.0, WalkCommand(vx=0.2)),
    (23.0, WalkCommand(vx=0.2, wz=0.2)),
    (33.0, WalkCommand()),
)
"""Without a file: stand and gesture, walk, turn, stand and gesture."""

MOST_BYTES = 100_000
FASTEST = 5.0  # [m/s], [rad/s]


class WalkScript(Device):
    """Gives the command that is due; time counts from `open`, anew from `restart`."""

    def __init__(self, lines: Sequence[Line], name: str) -> None:
        """Take the lines, in order of time."""
        self._times = [time for time, _ in lines]
        self._commands = [command for _, command in lines]
        self._name = name
        self._begin: float | None = None
        self._sequence = 0

    @property
    def name(self) -> str:
        """Short name for messages."""
        return self._name

    @property
    def provides(self) -> frozenset[Provides]:
        """What it gives."""
        return frozenset({Provides.WALK})

    @property
    def deadline(self) -> float:
        """A command is for now [s]."""
        return 0.5

    def open(self, wake: Callable[[], None]) -> None:
        """Begin, unless it has begun."""
        del wake
        if self._begin is None:
            self._begin = clock.now()

    def restart(self) -> None:
        """Begin anew from the first line."""
        if self._begin is not None:
            self._begin = clock.now()

    def read(self) -> DeviceSample | None:
        """Return the command that is due; stand before the first."""
        if self._begin is None:
            return None
        now = clock.now()
        index = bisect.bisect_right(self._times, now - self._begin) - 1
        walk = self._commands[index] if index >= 0 else WalkCommand()
        self._sequence += 1
        return DeviceSample(stamp=now, sequence=self._sequence, walk=walk)

    def show(self, feedback: RobotFeedback) -> None:
        """Do nothing: a script has no eyes."""

    def close(self) -> None:
        """End."""
        self._begin = None


def read_script(path: Path) -> list[Line]:
    """Read a script.

    Raises:
        BadConfig: Naming the file and the line.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadConfig(path, f"larger than {MOST_BYTES} bytes: not a script")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadConfig(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadConfig(path, "not UTF-8 text") from error
    lines: list[Line] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if words:
            lines.append(_line(words, lines, path, f"line {number}"))
    if not lines:
        raise BadConfig(path, "no commands; expected lines: time, vx, vy, wz")
    return lines


def _line(words: str, before: Sequence[Line], path: Path, place: str) -> Line:
    try:
        time, vx, vy, wz = (float(word) for word in words.split(","))
    except ValueError as error:
        problem = "expected four numbers: time, vx, vy, wz"
        raise BadConfig(path, problem, place=place) from error
    if not all(math.isfinite(value) for value in (time, vx, vy, wz)):
        raise BadConfig(path, "a value is not finite", place=place)
    if max(abs(vx), abs(vy), abs(wz)) > FASTEST:
        raise BadConfig(path, f"faster than {FASTEST:g} m/s or rad/s", place=place)
    if time < 0.0 or (before and time <= before[-1][0]):
        raise BadConfig(path, "times must increase, from 0", place=place)
    return time, WalkCommand(vx=vx, vy=vy, wz=wz)


def make_script(text: str, options: DeviceOptions) -> Device:
    """Make `script` or `script:FILE`.

    Raises:
        BadConfig: If the file is wrong.
    """
    del options
    lines = read_script(Path(text)) if text else STAGES
    return WalkScript(lines, f"script {text or '(built in)'}")
