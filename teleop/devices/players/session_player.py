"""A recorded session played as input: the same samples with the same spacing."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from telexist.calibration import Capture
from telexist.retarget.errors import BadRecording
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand
from telexist.teleop import clock
from telexist.teleop.devices.base import DeviceTraits, KnownOperator
from telexist.teleop.devices.players.played_device import PlayedDevice
from telexist.teleop.recording import (
    EndedCapture,
    RecordedProfiles,
    SessionReader,
    recorded_ends,
)
from telexist.teleop.terms import (
    DeviceSample,
    Provides,
    Request,
    Treadmill,
    WalkCommand,
)

__all__ = [
    "SessionPlayer",
    "recorded_samples",
    "turn_samples",
]

_FIELDS = {
    "walk": Provides.WALK,
    "hands": Provides.HANDS,
    "treadmill": Provides.TREADMILL,
}


class SessionPlayer(PlayedDevice):
    """Gives what all devices of a session gave, raw, when they gave it.

    Human frames are raw: they need the operator's profile that is in the session. After
    the last sample it falls silent and `finished` is true.

    Attributes:
        reader: The session.
        profiles: Of its operators.
    """

    def __init__(self, source: Path | SessionReader, *, requests: bool = True) -> None:
        """Look the session over.

        Args:
            source: The session.
            requests: Whether the recorded requests (engage, hold, stop, ...) are made
                again; otherwise somebody else has to make them.

        Raises:
            BadRecording: If it cannot be read or holds no input.
        """
        self.reader = (
            source if isinstance(source, SessionReader) else SessionReader(source)
        )
        self._requests = requests
        self.profiles = RecordedProfiles(self.reader)
        self._calibrations = recorded_ends(self.reader, self.profiles)
        self._calibrated = 0
        self._asks, self._provides, self._deadline = _survey(self.reader)
        super().__init__(f"session {self.reader.path.stem}")

    @property
    def provides(self) -> frozenset[Provides]:
        """What its devices gave."""
        asked = frozenset() if self._requests else frozenset({Provides.REQUESTS})
        return self._provides - asked

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return self._deadline

    @property
    def traits(self) -> DeviceTraits:
        """What played it first said of itself, and its operator."""
        header, profiles = self.reader.header, self.profiles
        asks = self._asks if self._requests else frozenset()
        calibrates = Request.CALIBRATE in asks
        profile = profiles.first if calibrates else profiles.first or profiles.last
        known = KnownOperator(
            source=header.source, profile=profile, asks=asks, capture=self.capture
        )
        return DeviceTraits(
            played=True, still=header.still, worn=header.worn, operator=known
        )

    def capture(self) -> Capture | None:
        """Return the calibration that was asked for last; None if none was yet."""
        if not self._calibrated:
            return None
        return EndedCapture(self._calibrations[self._calibrated - 1])

    def _play(self, stop: threading.Event) -> None:
        shift: float | None = None
        self._calibrated = 0
        for sample in recorded_samples(self.reader):
            if not np.isfinite(sample.stamp):
                continue
            if shift is None:
                shift = clock.now() - sample.stamp
            if stop.wait(max(0.0, sample.stamp + shift - clock.now())):
                return
            self._calibrated += sample.requests.count(Request.CALIBRATE)
            self._mailbox.put(self._shifted(sample, shift))
        self._finished = not stop.is_set()

    def _shifted(self, sample: DeviceSample, shift: float) -> DeviceSample:
        human = sample.human
        if human is not None:
            human = dataclasses.replace(human, stamp=human.stamp + shift)
        return dataclasses.replace(
            sample,
            stamp=sample.stamp + shift,
            human=human,
            requests=sample.requests if self._requests else (),
        )


def recorded_samples(reader: SessionReader) -> Iterator[DeviceSample]:
    """Yield the samples of a session's devices as they were read, in order.

    Raises:
        BadRecording: If a message is wrong.
    """
    turn: int | None = None
    inputs: list[dict[str, Any]] = []
    frame: HumanFrame | None = None
    for channel, fields in reader.messages("input", "raw"):
        if fields["tick"] != turn:
            yield from turn_samples(reader, inputs, frame)
            turn, inputs, frame = fields["tick"], [], None
        if channel == "input":
            inputs.append(fields)
        else:
            frame = reader.frame(fields)
    yield from turn_samples(reader, inputs, frame)


def turn_samples(
    reader: SessionReader, inputs: list[dict[str, Any]], frame: HumanFrame | None
) -> Iterator[DeviceSample]:
    """Yield the samples of one turn from its messages and its raw frame."""
    if frame is not None and not any(fields["human"] for fields in inputs):
        yield DeviceSample(stamp=frame.stamp, sequence=frame.sequence, human=frame)
    for fields in inputs:
        yield _sample(reader, fields, frame if fields["human"] else None)


def _sample(
    reader: SessionReader, fields: dict[str, Any], frame: HumanFrame | None
) -> DeviceSample:
    walk, hands, mill = (fields.get(name) for name in _FIELDS)
    try:
        requests = tuple(Request(word) for word in fields["requests"])
    except ValueError as error:
        raise BadRecording(reader.path, str(error), place="/input") from error
    return DeviceSample(
        stamp=fields["stamp"],
        sequence=fields["sequence"],
        human=frame,
        walk=None if walk is None else WalkCommand(**_named(walk, "vx", "vy", "wz")),
        hands=None
        if hands is None
        else HandCommand(left=float(hands[0]), right=float(hands[1])),
        treadmill=None
        if mill is None
        else Treadmill(**_named(mill, "yaw", "speed", "direction", "height")),
        requests=requests,
        dead_man=fields.get("dead_man"),
        dropped=_counts(fields["dropped"]),
    )


def _counts(dropped: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple((k, v) for k, v in dropped.items() if isinstance(v, int))


def _named(values: np.ndarray, *names: str) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _survey(
    reader: SessionReader,
) -> tuple[frozenset[Request], frozenset[Provides], float]:
    """Find out what a session's devices asked and gave, and when it is stale [s]."""
    found = {Provides.HUMAN} if "raw" in reader.counts() else set()
    stamps, words = [], set()
    for _, fields in reader.messages("input"):
        found |= {provided for name, provided in _FIELDS.items() if name in fields}
        words |= set(fields["requests"])
        if fields["human"]:
            stamps.append(fields["stamp"])
    asks = frozenset(request for request in Request if request.value in words)
    if words:
        found.add(Provides.REQUESTS)
    if not found:
        raise BadRecording(reader.path, "holds no input that could be played")
    periods = np.diff(np.array(stamps))
    period = float(np.median(periods)) if len(periods) else 0.0
    fallback = max(0.1, 5.0 * period if np.isfinite(period) else 0.0)
    return asks, frozenset(found), reader.header.deadline or fallback
