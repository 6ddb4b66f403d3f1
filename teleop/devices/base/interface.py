"""What every input device gives, and how it is asked.

A device may provide a person's motion, a walking command, hands, a treadmill, or
requests from buttons; several devices work together, each for what it provides.

`human` frames of a device are *raw*: z up, SI units, right-handed, rotations of the
device's own segment frames. The operator's profile (`calibration/`) turns them into
frames that are the identity in N-pose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from telexist.robots.base import RobotFeedback
from telexist.teleop.terms import DeviceSample, Provides

__all__ = [
    "Device",
    "manual_of",
]


class Device(Protocol):
    """One input device; `open` and `close` may each be called twice."""

    @property
    def name(self) -> str:
        """Short name for messages: "xsens on 127.0.0.1:9763"."""

    @property
    def provides(self) -> frozenset[Provides]:
        """What it gives; known before it is opened."""

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]; inf for what speaks only if asked."""

    def open(self, wake: Callable[[], None]) -> None:
        """Start to listen.

        Args:
            wake: To be called from the device's thread when a sample has arrived, so
                that the loop need not wait for its next turn; it returns at once.

        Raises:
            DeviceLost: If it is not there; with what to do.
            MissingDependency: If a library is absent.
        """

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None; never blocks.

        Raises:
            DeviceLost: While it is unplugged, or if its reader died.
        """

    def show(self, feedback: RobotFeedback) -> None:
        """Give feedback to the operator, if the device can; never blocks."""

    def close(self) -> None:
        """Stop to listen."""


def manual_of(device: Device) -> str:
    """Return what a user should know of a device once it is open, in one line.

    A device says so with a property `manual`: its keys, where it listens and how a
    sender is pointed there. "" if it has nothing to say.
    """
    return str(getattr(device, "manual", ""))
