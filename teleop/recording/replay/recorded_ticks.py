"""A session turn by turn, as the loop gave it to its sinks."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.signals import RobotFrame
from telexist.robots.base import HandCommand, JointCommand, RobotFeedback, RobotState
from telexist.teleop.devices.players import turn_samples
from telexist.teleop.recording import SessionReader
from telexist.teleop.terms import (
    ControllerReport,
    Event,
    RobotReference,
    State,
    Tick,
    WalkCommand,
)

__all__ = ["recorded_ticks"]

_CHANNELS = (
    "loop",
    "input",
    "raw",
    "human",
    "targets",
    "reference",
    "command",
    "robot",
    "controller",
    "feedback",
    "events",
)
_STATES: Mapping[str, State] = {state.value: state for state in State}
Parts = dict[str, list[dict[str, Any]]]


def recorded_ticks(
    reader: SessionReader, decode: Callable[[bytes], np.ndarray] | None = None
) -> Iterator[Tick]:
    """Yield the turns of a session in order, except those that were dropped whole.

    Args:
        reader: The session.
        decode: Makes a picture (h, w, 3) of a JPEG; None leaves pictures out.

    Raises:
        BadRecording: If a message is wrong.
    """
    channels = _CHANNELS if decode is None else (*_CHANNELS, "camera")
    parts: Parts = {}
    number: int | None = None
    for channel, message in reader.messages(*channels):
        if message["tick"] != number:
            if "loop" in parts:
                yield _tick(reader, parts, decode)
            parts, number = {}, message["tick"]
        parts.setdefault(channel, []).append(message)
    if "loop" in parts:
        yield _tick(reader, parts, decode)


def _tick(
    reader: SessionReader,
    parts: Parts,
    decode: Callable[[bytes], np.ndarray] | None,
) -> Tick:
    loop = parts["loop"][0]
    if "reference" not in parts or loop["state"] not in _STATES:
        problem = "lacks a reference, or its state is unknown"
        raise BadRecording(reader.path, problem, place=f"turn {loop['tick']}")
    raw, human = (
        reader.frame(parts[channel][0]) if channel in parts else None
        for channel in ("raw", "human")
    )
    reference = parts["reference"][0]
    return Tick(
        number=loop["tick"],
        stamp=loop["stamp"],
        period=loop["period"],
        state=_STATES[loop["state"]],
        samples=tuple(turn_samples(reader, parts.get("input", []), raw)),
        raw=raw,
        human=human,
        targets=_targets(parts),
        reference=RobotReference(
            stamp=reference["stamp"],
            q=reference["q"],
            dq=reference["dq"],
            ddq=reference["ddq"],
            planted=reference["planted"],
            walk=WalkCommand(**_named(reference["walk"], "vx", "vy", "wz")),
        ),
        command=_command(parts),
        robot=_robot(parts),
        report=_report(parts),
        feedback=_feedback(reader, parts, decode),
        events=tuple(_event(message) for message in parts.get("events", ())),
        stages=tuple(loop["stages"].tolist()),
        age=loop["age"],
    )


def _targets(parts: Parts) -> RobotFrame | None:
    if "targets" not in parts:
        return None
    names = [field.name for field in fields(RobotFrame)]
    return RobotFrame(**{name: parts["targets"][0][name] for name in names})


def _robot(parts: Parts) -> RobotState | None:
    if "robot" not in parts:
        return None
    names = {field.name for field in fields(RobotState)}
    return RobotState(**{k: v for k, v in parts["robot"][0].items() if k in names})


def _command(parts: Parts) -> JointCommand | None:
    if "command" not in parts:
        return None
    message = parts["command"][0]
    hands, fingers = message.get("hands"), message.get("fingers")
    return JointCommand(
        stamp=message["stamp"],
        q=message["q"],
        dq=message["dq"],
        tau=message.get("tau"),
        hands=None
        if hands is None
        else HandCommand(left=float(hands[0]), right=float(hands[1]), fingers=fingers),
    )


def _report(parts: Parts) -> ControllerReport | None:
    if "controller" not in parts:
        return None
    values = {}
    for name, value in parts["controller"][0]["values"].items():
        try:
            values[name] = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            continue  # of no kind that a controller reports
    return ControllerReport(values=values)


def _feedback(
    reader: SessionReader,
    parts: Parts,
    decode: Callable[[bytes], np.ndarray] | None,
) -> RobotFeedback | None:
    found = [*parts.get("feedback", ()), *parts.get("camera", ())]
    if not found:
        return None
    image = None
    if decode is not None and "camera" in parts:
        try:
            image = decode(base64.b64decode(parts["camera"][0]["data"], validate=True))
        except (binascii.Error, OSError) as error:
            problem = "a picture is damaged"
            raise BadRecording(reader.path, problem, place="/camera") from error
    forces = parts["feedback"][0]["hand_forces"] if "feedback" in parts else None
    return RobotFeedback(stamp=found[0]["stamp"], image=image, hand_forces=forces)


def _event(message: dict[str, Any]) -> Event:
    return Event(
        stamp=message["stamp"],
        kind=message["kind"],
        reason=message["reason"],
        state=_STATES.get(message["state"], State.STOPPED),
        device=message.get("device", ""),
    )


def _named(values: np.ndarray, *names: str) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))
