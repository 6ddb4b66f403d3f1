"""Runs a recorded session through the loop again and compares what comes out.

The loop is the real one. Its devices say again what they said, at the recorded times;
the robot reports again what it reported. If nothing in the program has changed, every
reference is the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from telexist.calibration import OperatorProfile
from telexist.retarget.robot_body import RobotBody
from telexist.robots.base import JointCommand, RobotFeedback, RobotState
from telexist.teleop.devices.base import Device
from telexist.teleop.loop import Follower, OperatorInput
from telexist.teleop.recording import RecordedCapture, RecordedProfiles, SessionReader
from telexist.teleop.recording.replay.recorded_follower import RecordedFollower
from telexist.teleop.recording.replay.recorded_ticks import recorded_ticks
from telexist.teleop.safety import DeviceEvent
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    ControllerReport,
    DeviceSample,
    EventKind,
    Fault,
    Provides,
    RobotReference,
    Tick,
)

__all__ = ["RunComparison", "RecomputableLoop", "RecordedParts", "recompute"]

_LOST = (Fault.DEVICE_LOST, Fault.BUTTONS_LOST, EventKind.BUTTONS_AWAY)
_EVENTS = (Fault.INPUT_STALE, EventKind.DEVICE_BACK)
TOLD = (ControllerEventKind.FALL, ControllerEventKind.HANDED_BACK)
OLDEST = 0.1  # [s] deadline of a source that is not named in an old recording


class RecomputableLoop(Protocol):
    """What is run again; `TeleopLoop` is one."""

    def turn(self, began: float) -> Tick:
        """Do one round that begins at a time [s]."""

    def take_profile(self, profile: OperatorProfile, reason: str) -> None:
        """Begin with an operator who is calibrated already."""


@dataclass(slots=True)
class RunComparison:
    """How equal two runs are.

    Attributes:
        turns: Compared.
        missing: Turns that the recording lacks.
        same_states: Turns that ended in the same state.
        same_references: Turns whose references are the same to the last bit.
        targets: Largest difference of an answer of the inverse kinematics [rad].
        references: Largest difference of a joint's reference [rad].
        first: First turn whose reference or state differs, or None.
    """

    turns: int = 0
    missing: int = 0
    same_states: int = 0
    same_references: int = 0
    targets: float = 0.0
    references: float = 0.0
    first: int | None = None

    @property
    def exact(self) -> bool:
        """Whether nothing differs and nothing is missing."""
        whole = self.turns == self.same_states == self.same_references
        return whole and self.missing == 0 and self.targets == 0.0


class RecordedParts:
    """Devices, robot and controller of a recorded session.

    Attributes:
        turn: The turn that is being repeated.
        input: For the loop.
        robot: For the loop.
        controller: For the loop.
        profiles: Of the operators.
    """

    def __init__(self, reader: SessionReader, body: RobotBody) -> None:
        """Prepare for a session with this robot.

        Raises:
            BadRecording: If an operator's profile is damaged.
        """
        self.turn: Tick | None = None
        self.profiles = RecordedProfiles(reader)
        self.input = _RecordedInput(self, reader)
        self.robot = _RecordedRobot(self, body)
        self.controller = _RecordedController(self)

    def follower(self, follower: Follower) -> RecordedFollower:
        """Let it find its first posture when it was found; for the loop."""
        return RecordedFollower(follower, lambda: self.turn)

    def capture(self) -> RecordedCapture:
        """Begin a calibration; for the loop."""
        return RecordedCapture(self.profiles, lambda: self.turn)


def recompute(
    reader: SessionReader,
    body: RobotBody,
    make_loop: Callable[[RecordedParts], RecomputableLoop],
) -> RunComparison:
    """Repeat a session.

    Args:
        reader: The session.
        body: Its robot.
        make_loop: Wires a loop with the settings of the session to recorded parts.

    Raises:
        BadRecording: If a message or the operator's profile is wrong.
    """
    parts = RecordedParts(reader, body)
    loop = make_loop(parts)
    if parts.profiles.first is not None:
        loop.take_profile(parts.profiles.first, "as recorded")
    found, last = RunComparison(), None
    for turn in recorded_ticks(reader):
        parts.turn = turn
        _compare(found, turn, loop.turn(turn.stamp))
        found.missing += 0 if last is None else turn.number - last - 1
        last = turn.number
    return found


def _compare(found: RunComparison, turn: Tick, tick: Tick) -> None:
    found.turns += 1
    same_state = tick.state is turn.state
    same = _same(turn.reference, tick.reference)
    found.same_states += same_state
    found.same_references += same
    if found.first is None and not (same and same_state):
        found.first = turn.number
    if turn.reference is not None and tick.reference is not None:
        gap = _gap(turn.reference.q, tick.reference.q)
        found.references = max(found.references, gap)
    if turn.targets is not None:
        answer = None if tick.targets is None else tick.targets.q
        found.targets = max(found.targets, _gap(turn.targets.q, answer))


def _same(a: RobotReference | None, b: RobotReference | None) -> bool:
    if a is None or b is None:
        return a is b
    return all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True)
        for name in ("q", "dq", "ddq")
    )


def _gap(a: np.ndarray, b: np.ndarray | None) -> float:
    if b is None or a.shape != b.shape:
        return float("inf")
    return float(np.abs(a - b).max(initial=0.0))


class _RecordedInput(OperatorInput):
    """All devices of a session as one."""

    def __init__(self, parts: RecordedParts, reader: SessionReader) -> None:
        self._parts = parts
        self._device = _RecordedDevice(
            reader.header.source or "the recorded source",
            reader.header.deadline or OLDEST,
        )
        super().__init__([self._device])

    def read(self) -> None:
        super().read()
        turn = self._parts.turn
        if turn is None:
            return
        for sample in turn.samples:
            self._take(self._device, sample)
        self.lost = _recorded_events(turn, _LOST)
        self.gone |= {event.device: event for event in self.lost}

    def events(self, now: float) -> list[DeviceEvent]:
        del now  # what was silent then is in the recording
        turn = self._parts.turn
        events = [] if turn is None else _recorded_events(turn, _EVENTS)
        for back in (n for n in events if n.kind is EventKind.DEVICE_BACK):
            self.gone.pop(back.device, None)
        return events


def _recorded_events(
    turn: Tick, kinds: Sequence[Fault | EventKind]
) -> list[DeviceEvent]:
    return [
        DeviceEvent(
            kind=kind,
            device=event.device,
            reason=event.reason.removeprefix(f"{event.device}: "),
        )
        for event in turn.events
        for kind in kinds
        if event.kind == kind
    ]


class _RecordedDevice(Device):
    """Stands for the source; its samples come from `_RecordedInput`."""

    def __init__(self, name: str, deadline: float) -> None:
        self._name, self._deadline = name, deadline

    @property
    def name(self) -> str:
        return self._name

    @property
    def deadline(self) -> float:
        return self._deadline

    @property
    def provides(self) -> frozenset[Provides]:
        return frozenset(Provides)

    def open(self, wake: Callable[[], None]) -> None:
        """Nothing to open."""

    def read(self) -> DeviceSample | None:
        return None

    def show(self, feedback: RobotFeedback) -> None:
        """Nobody is there."""

    def close(self) -> None:
        """Nothing to close."""


class _RecordedRobot:
    """Reports what the robot reported, and takes every command."""

    def __init__(self, parts: RecordedParts, body: RobotBody) -> None:
        self._parts, self.body = parts, body

    def connect(self) -> None:
        """Nothing to reach."""

    def read_state(self) -> RobotState | None:
        return None if self._parts.turn is None else self._parts.turn.robot

    def send(self, command: JointCommand) -> JointCommand:
        turn = self._parts.turn
        return command if turn is None or turn.command is None else turn.command

    def read_feedback(self) -> RobotFeedback | None:
        return None

    def disconnect(self) -> None:
        """Nothing to let go."""


class _RecordedController:
    """Gives the commands that were given, and tells what was told."""

    base, walks, period, fallen = "fixed", False, 0.0, None
    names, leader, notice = ("",), "", ""

    def __init__(self, parts: RecordedParts) -> None:
        self._parts = parts

    def reset(self, state: RobotState) -> None:
        """Nothing to remember."""

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        turn = self._parts.turn
        if turn is not None and turn.command is not None:
            return turn.command
        return JointCommand(stamp=reference.stamp, q=reference.q, dq=reference.dq)

    def report(self) -> ControllerReport:
        events = () if self._parts.turn is None else self._parts.turn.events
        told = (
            ControllerEvent(ControllerEventKind(e.kind), e.reason)
            for e in events
            if e.kind in TOLD
        )
        return ControllerReport(values={}, events=tuple(told))

    def ask(self, name: str = "") -> None:
        """Change nothing: who led is recorded."""
