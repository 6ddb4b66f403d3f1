"""A person as IIT's wearables show them: Xsens, iFeel, anything with known segments."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.robots.yarp.iit import (
    SuitPose,
    WearableSensor,
    read_suit,
    read_wearable_data,
)
from telexist.robots.yarp.wire import Bottle, Envelope
from telexist.teleop.devices.base import (
    MAX_ANGULAR_SPEED,
    MAX_SPEED,
    FrameBuilder,
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
    require_body,
    require_speeds,
)
from telexist.teleop.devices.yarp.yarp_device import HeardPort, YarpDevice
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["Wearables"]

OTHER_AFTER = 1.0  # [s] of silence of a suit after which another one is followed


class Wearables(YarpDevice):
    """Follows the segments that one suit shows; the identity in T-pose."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        sources: tuple[str, ...],
        own_name: str,
        parts: Mapping[str, str],
    ) -> None:
        """State what to hear.

        Args:
            host: Of the name server.
            port: Of the name server.
            sources: Names of the ports of the wearables.
            own_name: Of our port.
            parts: Last words of sensors' names to segments, beyond the known ones.
        """
        super().__init__(host, port)
        self._sources, self._own_name, self._parts = sources, own_name, dict(parts)
        self.begin()

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"wearables at {self._own_name}"

    @property
    def provides(self) -> frozenset[Provides]:
        """A person."""
        return frozenset({Provides.HUMAN})

    def begin(self) -> None:
        """Forget the suit."""
        self._builder, self._counter = FrameBuilder(), SampleCounter()
        self._followed, self._heard, self._count = "", float("-inf"), 0

    def heard_ports(self) -> tuple[HeardPort, ...]:
        """Return the port for wearables."""
        return (HeardPort(name=self._own_name, sources=self._sources, hear=self._hear),)

    def _hear(
        self, items: Bottle, envelope: Envelope | None, source: str, stamp: float
    ) -> None:
        producer, sensors = read_wearable_data(items)
        pose = self._pose(producer, sensors)
        if pose is None or not self._follows(f"{producer} at {source}", stamp):
            return
        number = self._number(envelope, stamp)
        _require_plausible(pose)
        frame = self._builder.build(
            pose.segments,
            pose.rotations,
            pose.positions,
            stamp=stamp,
            sequence=number,
            source_time=None if envelope is None else envelope.time,
            angular_velocities=pose.angular_velocities,
            linear_velocities=pose.linear_velocities,
        )
        self._heard = stamp
        self.mailbox.put(DeviceSample(stamp=stamp, sequence=number, human=frame))

    def _pose(
        self, producer: str, sensors: tuple[WearableSensor, ...]
    ) -> SuitPose | None:
        pose = read_suit(producer, sensors, self._parts)
        bodily = [s for s in sensors if s.kind in ("vLink", "pose", "orient")]
        if pose is None and bodily:
            name = bodily[0].name
            raise RefusedMessage(
                "unknown", f"{name} is no segment: say it by ?parts=NAME-SEGMENT"
            )
        return pose

    def _follows(self, who: str, stamp: float) -> bool:
        """Whether a suit is the one that is followed; another one is a stranger's."""
        if who != self._followed:
            if stamp - self._heard <= OTHER_AFTER:
                raise RefusedMessage("stranger", f"{who} beside {self._followed}")
            self._counter.reset()
            self._builder.reset()
            self._followed = who
        return True

    def _number(self, envelope: Envelope | None, stamp: float) -> int:
        """Return the number of a message; drop what is old."""
        if envelope is None:
            self._count += 1
            return self._count
        verdict = self._counter.judge(envelope.sequence, stamp)
        if verdict is SequenceVerdict.SAME:
            raise RefusedMessage("duplicate", f"message {envelope.sequence} twice")
        if verdict is SequenceVerdict.LATE:
            raise RefusedMessage("late", f"message {envelope.sequence}")
        if verdict is SequenceVerdict.ABSURD:
            raise RefusedMessage(
                "malformed", f"message {envelope.sequence} is far ahead"
            )
        if verdict is SequenceVerdict.RESTART:
            self._builder.reset()
        elif self._counter.lost:
            self.mailbox.drop(stamp, "lost", self._counter.lost)
        return envelope.sequence


def _require_plausible(pose: SuitPose) -> None:
    if pose.positions is not None:
        with np.errstate(over="ignore"):
            require_body(pose.segments, pose.positions)
    if pose.linear_velocities is not None:
        require_speeds(pose.linear_velocities, MAX_SPEED)
    if pose.angular_velocities is not None:
        require_speeds(pose.angular_velocities, MAX_ANGULAR_SPEED)
