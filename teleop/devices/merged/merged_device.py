"""Reads all that a person wears and gives one stream of it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.person_dynamics import SensorState
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceTraits, merge_samples
from telexist.teleop.devices.merged.sensor_stream import SensorStream
from telexist.teleop.devices.merged.worn_sensors import FEET, PERSON, WornSensor
from telexist.teleop.terms import DeviceSample, Fault, Provides, SessionNews

__all__ = ["MergedDevice"]

WAITING = 16  # forces that may wait for the loop's next turns
QUIET = 2.0  # [s] after the opening before a sensor that says nothing is told


class MergedDevice(Device):
    """Several devices as one.

    Frames come when the person's device has one; segments of other devices take the
    place of its own while they are fresh. Forces come when either foot has some. A
    sensor whose state changes is told as a fault that does not hold the robot; a
    person's device that is lost is lost itself.
    """

    def __init__(self, name: str, sensors: Sequence[tuple[WornSensor, Device]]) -> None:
        """Check that every device can give what is taken of it.

        Raises:
            BadInput: If one cannot.
        """
        self._name = name
        self._streams = [SensorStream(sensor, device) for sensor, device in sensors]
        for stream in self._streams:
            gives = set(stream.sensor.gives)
            for kind, wanted in (
                (Provides.FORCES, gives & set(FEET)),
                (Provides.HUMAN, gives - set(FEET)),
            ):
                if wanted and kind not in stream.device.provides:
                    raise BadInput(
                        f"{stream.sensor.name}: {stream.device.name} gives no "
                        f"{', '.join(sorted(wanted))}"
                    )
        person = [one for one in self._streams if PERSON in one.sensor.gives]
        self._person = person[0] if person else None
        self._parts = [
            (one, [thing for thing in one.sensor.gives if thing not in (PERSON, *FEET)])
            for one in self._streams
        ]
        if self._person is None and any(names for _, names in self._parts):
            raise BadInput("segments are given, but nobody: a sensor must give person")
        self._told: dict[str, SensorState] = {}
        self._forces: deque[DeviceSample] = deque(maxlen=WAITING)
        self._wake: Callable[[], None] = _nobody
        self._opened = math.inf

    @property
    def name(self) -> str:
        """Short name for messages."""
        return self._name

    @property
    def states(self) -> dict[str, SensorState]:
        """How each sensor does, by its name."""
        return {one.sensor.name: one.state for one in self._streams}

    @property
    def provides(self) -> frozenset[Provides]:
        """What its sensors give, and the buttons of its devices."""
        kinds = set()
        for stream in self._streams:
            gives = set(stream.sensor.gives)
            if gives & set(FEET):
                kinds.add(Provides.FORCES)
            if PERSON in gives:
                kinds.add(Provides.HUMAN)
            if Provides.REQUESTS in stream.device.provides:
                kinds.add(Provides.REQUESTS)
        return frozenset(kinds)

    @property
    def deadline(self) -> float:
        """That of the person's device, or the shortest."""
        if self._person is not None:
            return self._person.device.deadline
        return min(one.sensor.deadline for one in self._streams)

    @property
    def traits(self) -> DeviceTraits:
        """Those of the person's device."""
        if self._person is not None:
            return self._person.device.traits
        return DeviceTraits()

    @property
    def manual(self) -> str:
        """What a user should know of each."""
        lines = [(one.sensor.name, one.device.manual) for one in self._streams]
        return "; ".join(f"{name}: {text}" for name, text in lines if text)

    @property
    def finished(self) -> bool:
        """Whether the person's device gives nothing more."""
        return self._person is not None and self._person.device.finished

    @property
    def size_hint(self) -> HumanSize | None:
        """The operator's size, if the person's device has been told it."""
        return None if self._person is None else self._person.device.size_hint

    def restart(self) -> None:
        """Let all begin."""
        for stream in self._streams:
            stream.device.restart()

    def open(self, wake: Callable[[], None]) -> None:
        """Open all; if one cannot be opened, none stays open."""
        self._wake, self._told = wake, {}
        self._opened = clock.now()
        self._forces.clear()
        try:
            for stream in self._streams:
                stream.begin()
                stream.device.open(wake)
        except BaseException:
            self.close()
            raise

    def read(self) -> DeviceSample | None:
        """Return what is new of all, or None.

        Raises:
            DeviceLost: While the person's device is away.
        """
        if not math.isfinite(self._opened):
            return None
        now = clock.now()
        merged: DeviceSample | None = None
        for stream in self._streams:
            sample = stream.read(now)
            if sample is None:
                continue
            if sample.forces is not None:
                self._forces.append(replace(_bare(sample), forces=sample.forces))
            human = sample.human if stream is self._person else None
            rest = replace(
                sample,
                forces=None,
                human=None if human is None else self._complete(human, now),
                walk=None,
                hands=None,
                treadmill=None,
            )
            merged = rest if merged is None else merge_samples(merged, rest)
        if self._person is not None and self._person.lost is not None:
            raise self._person.lost
        return self._with_news(self._with_forces(merged), now)

    def show(self, feedback: RobotFeedback) -> None:
        """Show it on all devices."""
        for stream in self._streams:
            stream.device.show(feedback)

    def tell(self, news: SessionNews) -> None:
        """Tell it on all devices."""
        for stream in self._streams:
            stream.device.tell(news)

    def close(self) -> None:
        """Close all; may be called twice."""
        for stream in self._streams:
            stream.device.close()
        self._wake, self._opened = _nobody, math.inf

    def _with_forces(self, merged: DeviceSample | None) -> DeviceSample | None:
        """Add the oldest forces that wait: each foot's own, with its own stamps."""
        if not self._forces:
            return merged
        felt = self._forces.popleft()
        if self._forces:
            self._wake()  # the others come in the next turns
        if merged is None or merged.empty:
            return felt if merged is None else merge_samples(merged, felt)
        return replace(merged, forces=felt.forces)

    def _with_news(
        self, sample: DeviceSample | None, now: float
    ) -> DeviceSample | None:
        """Say which sensors do otherwise than before."""
        news = []
        for stream in self._streams:
            name, state = stream.sensor.name, stream.state
            if state is SensorState.WAITING and now - self._opened < QUIET:
                continue
            before = self._told.get(name, SensorState.OK)
            self._told[name] = state
            if state is not before:
                why = f": {stream.reason}" if stream.reason else ""
                news.append(f"{name}: {state.value}{why}")
        if not news:
            return sample
        told = DeviceSample(
            stamp=now,
            dropped=((Fault.FORCES.value, len(news)),),
            details=((Fault.FORCES.value, "; ".join(news)[:300]),),
        )
        return told if sample is None else merge_samples(sample, told)

    def _complete(self, frame: HumanFrame, now: float) -> HumanFrame:
        """Put the turns of other devices' segments into the person's frame."""
        rotations = np.array(frame.rotations)
        spins = np.array(frame.angular_velocities)
        for stream, names in self._parts:
            other = stream.frame
            if not names or other is None or not stream.fresh(now):
                continue
            for name in names:
                if name in frame.segments and name in other.segments:
                    row, theirs = frame.segments.index(name), other.segments.index(name)
                    rotations[row] = other.rotations[theirs]
                    spins[row] = other.angular_velocities[theirs]
        return replace(frame, rotations=rotations, angular_velocities=spins)


def _bare(sample: DeviceSample) -> DeviceSample:
    return DeviceSample(stamp=sample.stamp, sequence=sample.sequence)


def _nobody() -> None:
    """Wake nobody."""
