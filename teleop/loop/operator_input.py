"""All devices of a session as one: the newest of each kind, requests, what was lost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, TelexistError
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand, RobotFeedback
from telexist.teleop.devices.base import Device, drop_text
from telexist.teleop.safety import DeviceEvent, StreamWatch
from telexist.teleop.terms import (
    DeviceSample,
    EventKind,
    Fault,
    Provides,
    Request,
    Treadmill,
    WalkCommand,
)

__all__ = ["Asked", "OperatorInput", "RefusedSamples"]

RING_STEP = (0.002, 0.5)  # [s] between two samples that tell how fast a ring turns
BUTTONS = frozenset({Provides.REQUESTS})
SOLES = frozenset({Provides.FORCES})  # no part in moving the robot
ONCE = tuple(kind for kind in Provides if kind is not Provides.REQUESTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request and who made it."""

    request: Request
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedSamples:
    """Samples that a device lost or refused.

    Attributes:
        device: Its name.
        reason: Its word for it, or why it was lost itself.
        count: How many samples.
        detail: What was wrong with the newest of them.
    """

    device: str
    reason: str
    count: int
    detail: str = ""


class OperatorInput:
    """Reads all devices, each for what it provides.

    Attributes:
        human: Raw frame that is new in this turn, or None.
        arrival: When the newest raw frame arrived [s]; -inf before the first.
        walk: The newest walking command, and when it came; see `walk_at`.
        hands: The newest closing of the hands, or None.
        treadmill: The newest treadmill sample, or None.
        ring_rate: How fast its ring turns, counter-clockwise [rad/s].
        source: The device that shows the person.
        lost: Devices that went away in this turn, with their reason.
        gone: Devices that are away now, by name, with their reason.
        samples: What the devices said in this turn.
        asked: Requests of this turn, in order.
        refused: What devices lost or refused since the last turn.
    """

    def __init__(self, devices: Sequence[Device]) -> None:
        """Check that each kind has one source.

        Raises:
            BadInput: If two devices provide the same, or none the person.
        """
        self.devices = tuple(devices)
        for kind in ONCE:
            names = [d.name for d in self.devices if kind in d.provides]
            if len(names) > 1:
                both = " and ".join(names)
                raise BadInput(
                    f"{both} both provide {kind.value}: choose one, or limit a device "
                    "to a part, as in joypad?only=requests"
                )
        human = [d for d in self.devices if Provides.HUMAN in d.provides]
        if not human:
            others = (d.name for d in self.devices if not d.provides <= BUTTONS)
            raise BadInput(
                f"{', '.join(others)}: nobody is shown: choose a --source that shows a "
                "person, such as xsens, vmc, openvr or builtin; all else is for "
                "--walk-input"
            )
        self.source = human[0]
        walkers = [d for d in self.devices if Provides.WALK in d.provides]
        self._walker = walkers[0] if walkers else None
        self.human: HumanFrame | None = None
        self.arrival = float("-inf")
        self.walk, self.walk_stamp = WalkCommand(), float("-inf")
        self.hands: HandCommand | None = None
        self.treadmill: Treadmill | None = None
        self.ring_rate, self._ring_stamp = 0.0, float("-inf")
        self._released: set[str] = set()
        self.lost: list[DeviceEvent] = []
        self.gone: dict[str, DeviceEvent] = {}
        self._watch, self._back = StreamWatch(self.devices), list[DeviceEvent]()
        self.samples: list[DeviceSample] = []
        self.asked: list[Asked] = []
        self.refused: list[RefusedSamples] = []

    def read(self) -> None:
        """Take what is new; never blocks."""
        self.human = None
        self.samples, self.asked, self.refused, self.lost = [], [], [], []
        for device in self.devices:
            try:
                sample = device.read()
            except TelexistError as error:
                self._lose(device, str(error))
                continue
            if device.name in self.gone and _speaks(device, sample):
                self._find(device)
            if sample is not None:
                self._take(device, sample)

    def events(self, now: float) -> list[DeviceEvent]:
        """Return which devices have fallen silent, or are back; each is told once.

        A walking command whose device is silent is zero from then on.

        Args:
            now: Time [s].
        """
        for device in self.devices:
            if self._watch.silent(device, now):
                self._rest(device)
        back, self._back = self._back, []
        known = {*self.gone, *(event.device for event in back)}
        return back + [n for n in self._watch.events(now) if n.device not in known]

    def walk_at(self, now: float, deadline: float = 0.0) -> WalkCommand:
        """Return the walking command; zero if it is too old.

        Args:
            now: Time [s].
            deadline: An older command is none [s]; 0: as its device says.
        """
        if self._walker is None:
            return WalkCommand()
        fresh = now - self.walk_stamp <= (deadline or self._walker.deadline)
        return self.walk if fresh else WalkCommand()

    @property
    def released(self) -> tuple[str, ...]:
        """Devices whose dead-man's switch is not held."""
        return tuple(sorted(self._released))

    def _lose(self, device: Device, reason: str) -> None:
        self._rest(device)
        if device.name not in self.gone:
            kind: Fault | EventKind = Fault.DEVICE_LOST
            if device.provides <= BUTTONS:
                kind = Fault.BUTTONS_LOST
                if other := self._other_stop(device):
                    kind = EventKind.BUTTONS_AWAY
                    reason = f"{reason}; {other} can stop the robot"
            elif device.provides <= SOLES:
                kind = Fault.FORCES
            event = DeviceEvent(kind=kind, device=device.name, reason=reason)
            self.gone[device.name] = event
            self.lost.append(event)

    def _other_stop(self, lost: Device) -> str:
        """Return a device that a person can still press for a stop; "" if none."""
        names = [
            device.name
            for device in self.devices
            if device is not lost
            and Provides.REQUESTS in device.provides
            and device.name not in self.gone
            and not (device.traits.program or device.traits.played)
        ]
        return names[0] if names else ""

    def _find(self, device: Device) -> None:
        del self.gone[device.name]
        back = DeviceEvent(
            kind=EventKind.DEVICE_BACK, device=device.name, reason="is back"
        )
        self._back.append(back)

    def _rest(self, device: Device) -> None:
        """Let nothing go on by the last word of a device."""
        if Provides.WALK in device.provides:
            self.walk = WalkCommand()
        if Provides.TREADMILL in device.provides:
            self.ring_rate = 0.0

    def _take(self, device: Device, sample: DeviceSample) -> None:
        self.samples.append(sample)
        self._watch.heard(device, sample)
        if sample.human is not None:
            self.human, self.arrival = sample.human, sample.stamp
        if sample.walk is not None:
            self.walk, self.walk_stamp = sample.walk, sample.stamp
        if sample.hands is not None:
            self.hands = sample.hands
        if sample.treadmill is not None:
            self._take_treadmill(sample.treadmill, sample.stamp)
        if sample.dead_man is False:
            self._released.add(device.name)
        elif sample.dead_man:
            self._released.discard(device.name)
        self.asked += [Asked(request=r, who=device.name) for r in sample.requests]
        details = dict(sample.details)
        self.refused += [
            RefusedSamples(
                device=device.name,
                reason=reason,
                count=count,
                detail=details.get(reason) or drop_text(reason),
            )
            for reason, count in sample.dropped
        ]

    def _take_treadmill(self, treadmill: Treadmill, stamp: float) -> None:
        passed = stamp - self._ring_stamp
        self.ring_rate = 0.0
        if self.treadmill is not None and RING_STEP[0] < passed < RING_STEP[1]:
            turned = math.remainder(treadmill.yaw - self.treadmill.yaw, math.tau)
            self.ring_rate = turned / passed
        self.treadmill, self._ring_stamp = treadmill, stamp

    def show(self, feedback: RobotFeedback) -> None:
        """Give feedback to every device that can show it."""
        for device in self.devices:
            device.show(feedback)


def _speaks(device: Device, sample: DeviceSample | None) -> bool:
    """Whether a device that was read without an error is there again."""
    if device.provides <= BUTTONS:  # it says nothing until it is pressed
        return True
    return sample is not None and not sample.empty
