"""Every error that Telexist raises on purpose.

```
TelexistError
├── BadInput            something the user gave is wrong: file, value, name
│   ├── BadConfig       a TOML file: unknown key, missing key, wrong shape
│   ├── BadRecording    a motion recording that cannot be read
│   │   └── UnknownSkeleton   read, but no person recognised in it
│   ├── BadModel        a robot description that cannot be used
│   ├── BadPolicy       a learned policy that cannot be used
│   ├── BadFrame        one human frame with NaN, a gap or a wrong shape
│   ├── BadMessage      bytes from another program that are no message
│   └── UnknownName     no robot, link or format of that name
├── ModelNotFound       a robot's model is not on this machine
├── MissingDependency   an optional library is absent
├── BadPlugin           another package's plug-in is broken
├── CannotWrite         a result could not be written
├── DeviceLost          an input device is not there, or its port is taken
├── RobotLost           a robot cannot be reached
│   ├── RobotStalled    it is there but silent; it may wake
│   └── SimulationDiverged   a simulated one: its physics has no answer any more
├── CalibrationRefused  the operator moved, or a segment is missing or implausible
├── QpFailed            a quadratic program without an answer
└── UsageError          an argument is wrong, so nothing was started
```

A message is one line that names the file or field and ends with the remedy or the
valid names. Errors carry their data as attributes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from telexist.retarget.printable import printable

__all__ = [
    "BadConfig",
    "BadFrame",
    "BadInput",
    "BadMessage",
    "BadModel",
    "BadPlugin",
    "BadPolicy",
    "BadRecording",
    "CalibrationRefused",
    "CannotWrite",
    "DeviceLost",
    "MissingDependency",
    "ModelNotFound",
    "QpFailed",
    "RobotLost",
    "RobotStalled",
    "SimulationDiverged",
    "TelexistError",
    "UnknownName",
    "UnknownSkeleton",
    "UsageError",
]


class TelexistError(Exception):
    """Root of all errors that a user may meet; its text is safe for a terminal."""

    def __str__(self) -> str:
        """Return the message in printable characters."""
        return printable(super().__str__())


class BadInput(TelexistError):
    """Something that the user gave cannot be used."""


class _BadFile(BadInput):
    """A file that cannot be used, with the place in it where that was seen."""

    def __init__(self, path: str | Path, problem: str, *, place: str = "") -> None:
        self.path = str(path)
        self.problem = problem
        self.place = place
        where = f"{self.path}: {place}" if place else self.path
        super().__init__(f"{where}: {problem}")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.path, self.problem, self.place)


def _rebuild(kind: type[_BadFile], path: str, problem: str, place: str) -> _BadFile:
    return kind(path, problem, place=place)


class BadConfig(_BadFile):
    """A TOML file with an unknown key, a missing key or a value of wrong shape."""


class BadRecording(_BadFile):
    """A motion recording that cannot be read; `place` is a line, frame or field."""


class UnknownSkeleton(BadRecording):
    """A readable recording in which no whole person was recognised."""


class BadModel(_BadFile):
    """A robot description that cannot be used; `place` is a link or joint."""


class BadPolicy(_BadFile):
    """A learned policy that cannot be used; `place` is a key or a part of it."""


class BadFrame(BadInput):
    """A human frame that must not reach the solver."""


class BadMessage(BadInput):
    """Bytes from another program that are no message of its protocol."""


class UnknownName(BadInput):
    """A name that is not in a list of known names."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        near = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'? " if near else ""
        super().__init__(
            f"no {kind} called '{name}': {hint}known: {', '.join(self.known)}"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, self.name, self.known)


class ModelNotFound(TelexistError):
    """A robot's model is not on this machine; the message says how to get it."""


class MissingDependency(TelexistError):
    """An optional library is absent; the message carries the install command."""

    def __init__(self, library: str, command: str) -> None:
        self.library = library
        self.command = command
        super().__init__(f"{library} is not installed: {command}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.library, self.command)


class BadPlugin(TelexistError):
    """Another package's plug-in cannot be loaded, fails, or is something else.

    Attributes:
        kind: What it should be: "device".
        name: With which a user asks for it.
        package: That brings it.
        problem: What is wrong.
    """

    def __init__(self, kind: str, name: str, package: str, problem: str) -> None:
        self.kind, self.name, self.package = kind, name, package
        self.problem = " ".join(problem.split())
        super().__init__(
            f"{kind} '{name}' of the package {package}: {self.problem}; mend or "
            "uninstall that package"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, self.name, self.package, self.problem)


class CannotWrite(TelexistError):
    """A result could not be written; nothing half-written is left behind."""


class DeviceLost(TelexistError):
    """An input device is not there, or cannot be listened to."""


class RobotLost(TelexistError):
    """A robot cannot be reached."""


class RobotStalled(RobotLost):
    """A robot that is there but does not answer in time: it is held, and may wake."""


class SimulationDiverged(RobotLost):
    """A simulated robot's state is infinite, huge or no number."""


class CalibrationRefused(TelexistError):
    """The operator moved, or a segment is missing or implausible."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(*reasons)

    @property
    def reasons(self) -> tuple[str, ...]:
        """All of them, one line each, safe for a terminal."""
        return tuple(printable(str(reason)) for reason in self.args)

    def __str__(self) -> str:
        """Return all reasons in one line."""
        return "; ".join(self.reasons)


class QpFailed(TelexistError):
    """A quadratic program had no answer."""


class UsageError(TelexistError):
    """An argument is wrong, so nothing was started."""
