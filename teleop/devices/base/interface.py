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

from telexist.retarget.human_size import HumanSize
from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base.traits import DeviceTraits
from telexist.teleop.terms import DeviceSample, Provides, SessionNews

__all__ = ["Device"]


class Device(Protocol):
    """One input device; `open` and `close` may each be called twice.

    Devices derive from this class and get what most of them have in common.
    """

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

    def tell(self, news: SessionNews) -> None:
        """Let the operator know of the session, if the device can; never blocks."""
        return None

    def close(self) -> None:
        """Stop to listen."""

    @property
    def traits(self) -> DeviceTraits:
        """What is special about it; known before it is opened."""
        return DeviceTraits()

    @property
    def manual(self) -> str:
        """What a user should know of it once it is open, in one line.

        Its keys, where it listens and how a sender is pointed there. "" if it has
        nothing to say.
        """
        return ""

    @property
    def finished(self) -> bool:
        """Whether nothing more will come: a recording that was played once."""
        return False

    @property
    def size_hint(self) -> HumanSize | None:
        """The operator's size, if the device has been told it."""
        return None

    def restart(self) -> None:
        """Begin what it does by itself: the robot now follows the operator."""
        return None
