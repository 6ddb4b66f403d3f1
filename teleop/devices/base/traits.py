"""What a device says of itself, so that nobody has to ask which one it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from telexist.calibration import Capture, OperatorProfile
from telexist.retarget.human_size import HumanSize
from telexist.teleop.terms import Request

__all__ = ["DeviceTraits", "KnownOperator"]


def _no_capture() -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownOperator:
    """The operator whom a recording brings along.

    Attributes:
        source: What showed the operator first, in the user's words; "" if it was this
            device.
        profile: To begin with; None before a calibration that is in the recording.
        size: Of a performer who needs no profile.
        asks: What the recording will ask for by itself.
        capture: Returns the calibration that it asked for last, None if none was yet.
    """

    source: str = ""
    profile: OperatorProfile | None = None
    size: HumanSize | None = None
    asks: frozenset[Request] = frozenset()
    capture: Callable[[], Capture | None] = _no_capture


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTraits:
    """What is special about a device; known before it is opened.

    Attributes:
        program: A program asks through it: nobody can press its emergency stop.
        played: It plays something recorded, so a session may engage by itself.
        still: What it shows may stand still for long: a recording, no frozen sensor.
        worn: Its raw frames are turned as its parts are worn; if not, they are those
            of segments already and only the person's heading is unknown.
        shows: It shows the operator what the robot's camera sees.
        operator: Whom it brings along; None if somebody has to be calibrated.
    """

    program: bool = False
    played: bool = False
    still: bool = False
    worn: bool = False
    shows: bool = False
    operator: KnownOperator | None = None
