"""A device of which only a part is used: `joypad?only=hands+requests`.

So two devices that both close the hands can work together. An emergency stop and a
released dead-man's switch get through whatever was chosen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection

from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human_size import HumanSize
from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.traits import DeviceTraits
from telexist.teleop.terms import DeviceSample, Provides, Request, SessionNews

__all__ = ["OnlyKinds", "split_only"]


class OnlyKinds(Device):
    """Passes on some of what a device provides."""

    def __init__(self, device: Device, kinds: Collection[Provides]) -> None:
        """Take the device and what is wanted of it.

        Raises:
            BadInput: If the device does not provide that.
        """
        for kind in kinds:
            if kind not in device.provides:
                known = ", ".join(sorted(k.value for k in device.provides))
                raise BadInput(
                    f"{device.name} does not provide {kind.value}: choose from {known}"
                )
        self._device = device
        self._kinds = frozenset(kinds)

    @property
    def name(self) -> str:
        """The device's own name."""
        return self._device.name

    @property
    def manual(self) -> str:
        """What a user should know of the device."""
        return self._device.manual

    @property
    def traits(self) -> DeviceTraits:
        """What is special about the device."""
        return self._device.traits

    @property
    def finished(self) -> bool:
        """Whether nothing more will come."""
        return self._device.finished

    @property
    def size_hint(self) -> HumanSize | None:
        """The operator's size, if the device has been told it."""
        return self._device.size_hint

    def restart(self) -> None:
        """Let the device begin."""
        self._device.restart()

    @property
    def provides(self) -> frozenset[Provides]:
        """What is wanted of it."""
        return self._kinds

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return self._device.deadline

    def open(self, wake: Callable[[], None]) -> None:
        """Open the device."""
        self._device.open(wake)

    def read(self) -> DeviceSample | None:
        """Return what is wanted of what is new, or None."""
        sample = self._device.read()
        if sample is None:
            return None
        has, requests = self._kinds, sample.requests
        if Provides.REQUESTS not in has:
            requests = tuple(r for r in requests if r is Request.STOP)
        return dataclasses.replace(
            sample,
            human=sample.human if Provides.HUMAN in has else None,
            walk=sample.walk if Provides.WALK in has else None,
            hands=sample.hands if Provides.HANDS in has else None,
            treadmill=sample.treadmill if Provides.TREADMILL in has else None,
            forces=sample.forces if Provides.FORCES in has else None,
            requests=requests,
        )

    def show(self, feedback: RobotFeedback) -> None:
        """Show it on the device."""
        self._device.show(feedback)

    def tell(self, news: SessionNews) -> None:
        """Tell it on the device."""
        self._device.tell(news)

    def close(self) -> None:
        """Close the device."""
        self._device.close()


def split_only(text: str) -> tuple[str, frozenset[Provides] | None]:
    """Take `only=...` out of the options of a device's text.

    Returns:
        The text without it, and the kinds; None if all are wanted.

    Raises:
        UnknownName: If there is no such kind.
    """
    place, mark, query = text.partition("?")
    items = query.split("&") if mark else []
    chosen = [item for item in items if item.startswith("only=")]
    if not chosen:
        return text, None
    rest = "&".join(item for item in items if item not in chosen)
    words = "+".join(item.removeprefix("only=") for item in chosen).split("+")
    known = [kind.value for kind in Provides]
    for word in words:
        if word not in known:
            raise UnknownName("kind of input", word, known)
    return f"{place}?{rest}" if rest else place, frozenset(map(Provides, words))
