"""A session turn by turn: what went into the loop and what came out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from robots.interface import HandCommand, JointCommand, RobotState
from teleop.devices.interface import DeviceSample
from teleop.devices.session_player import turn_samples
from teleop.recording.session_reader import SessionReader
from teleop.tick import Event, State

__all__ = ["RecordedTurn", "recorded_turns"]

_CHANNELS = (
    "loop",
    "input",
    "raw",
    "targets",
    "reference",
    "command",
    "robot",
    "events",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """One turn.

    Attributes:
        number: Of the turn.
        stamp: When it began [s].
        state: State of the session at its end.
        samples: What the devices said.
        robot: The robot's state that was used, or None.
        command: What was sent to it, or None.
        events: What happened.
        targets: Fields of what the inverse kinematics answered, or None.
        reference: Fields of what the controller was given, or None.
    """

    number: int
    stamp: float
    state: str
    samples: tuple[DeviceSample, ...]
    robot: RobotState | None
    command: JointCommand | None
    events: tuple[Event, ...]
    targets: dict[str, Any] | None
    reference: dict[str, Any] | None


def recorded_turns(reader: SessionReader) -> Iterator[RecordedTurn]:
    """Yield the turns of a session in order, except those that were dropped whole.

    Raises:
        BadRecording: If a message is wrong.
    """
    parts: dict[str, list[dict[str, Any]]] = {}
    number: int | None = None
    for channel, message in reader.messages(*_CHANNELS):
        if message["tick"] != number:
            if "loop" in parts:
                yield _turn(reader, parts)
            parts, number = {}, message["tick"]
        parts.setdefault(channel, []).append(message)
    if "loop" in parts:
        yield _turn(reader, parts)


def _turn(
    reader: SessionReader, parts: dict[str, list[dict[str, Any]]]
) -> RecordedTurn:
    loop = parts["loop"][0]
    frames = [reader.frame(message) for message in parts.get("raw", ())]
    frame = frames[0] if frames else None
    return RecordedTurn(
        number=loop["tick"],
        stamp=loop["stamp"],
        state=loop["state"],
        samples=tuple(turn_samples(reader, parts.get("input", []), frame)),
        robot=_robot(parts.get("robot")),
        command=_command(parts.get("command")),
        events=tuple(_event(message) for message in parts.get("events", ())),
        targets=parts.get("targets", [None])[0],
        reference=parts.get("reference", [None])[0],
    )


def _robot(found: list[dict[str, Any]] | None) -> RobotState | None:
    if not found:
        return None
    names = {field.name for field in fields(RobotState)}
    return RobotState(**{k: v for k, v in found[0].items() if k in names})


def _command(found: list[dict[str, Any]] | None) -> JointCommand | None:
    if not found:
        return None
    message = found[0]
    hands = message.get("hands")
    return JointCommand(
        stamp=message["stamp"],
        q=message["q"],
        dq=message["dq"],
        tau=message.get("tau"),
        hands=None if hands is None else HandCommand(left=hands[0], right=hands[1]),
    )


def _event(message: dict[str, Any]) -> Event:
    known = {state.value: state for state in State}
    return Event(
        stamp=message["stamp"],
        kind=message["kind"],
        reason=message["reason"],
        state=known.get(message["state"], State.STOPPED),
    )
