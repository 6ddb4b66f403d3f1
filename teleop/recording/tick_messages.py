"""What one turn of the loop becomes in a session's file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson
from telexist.retarget.person_dynamics import SHAPES, PersonDynamics
from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.robots.base import HandCommand, JointCommand, RobotState
from telexist.teleop.terms import DeviceSample, Event, RobotReference, Tick

__all__ = ["Message", "encode", "event_message", "tick_messages"]

Message = tuple[str, dict[str, Any]]
"""Short name of the channel, and the message's fields."""

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


def encode(fields: dict[str, Any]) -> bytes:
    """Return a message as JSON whose numbers read back bit for bit.

    Raises:
        TypeError: If a value is no number, text, list or array of numbers.
    """
    return orjson.dumps(fields, default=_plain, option=_OPTIONS)


def tick_messages(tick: Tick) -> Iterator[Message]:
    """Yield the messages of a turn, except its picture; a None is left out."""
    number = tick.number
    yield (
        "loop",
        {
            "tick": number,
            "stamp": tick.stamp,
            "period": tick.period,
            "age": tick.age,
            "state": tick.state.value,
            "stages": tick.stages,
        },
    )
    for device, sample in enumerate(tick.samples):
        yield "input", _input(number, device, sample)
    if tick.raw is not None:
        yield "raw", _human(number, tick.raw)
    if tick.human is not None:
        yield "human", _human(number, tick.human)
    if tick.targets is not None:
        yield "targets", _targets(number, tick.targets)
    if tick.reference is not None:
        yield "reference", _reference(number, tick.reference)
    if tick.command is not None:
        yield "command", _command(number, tick.command)
    if tick.robot is not None:
        yield "robot", _robot(number, tick.robot)
    if tick.report is not None:
        values = dict(tick.report.values)
        yield "controller", {"tick": number, "stamp": tick.stamp, "values": values}
    if tick.feedback is not None and tick.feedback.hand_forces is not None:
        forces, stamp = tick.feedback.hand_forces, tick.feedback.stamp
        yield "feedback", {"tick": number, "stamp": stamp, "hand_forces": forces}
    for dynamics in tick.dynamics:
        yield "dynamics", _dynamics(number, dynamics)
    for event in tick.events:
        yield event_message(number, event)


def event_message(number: int, event: Event) -> Message:
    """Return the message of an event in turn `number`."""
    return (
        "events",
        {
            "tick": number,
            "stamp": event.stamp,
            "kind": str(event.kind),
            "reason": event.reason,
            "state": event.state.value,
        }
        | ({"device": event.device} if event.device else {}),
    )


def _input(number: int, device: int, sample: DeviceSample) -> dict[str, Any]:
    walk, mill = sample.walk, sample.treadmill
    return _without_none(
        {
            "tick": number,
            "stamp": sample.stamp,
            "device": device,
            "sequence": sample.sequence,
            "human": sample.human is not None,
            "walk": walk and (walk.vx, walk.vy, walk.wz),
            "hands": _hands(sample.hands),
            "forces": None if sample.forces is None else sample.forces.wrench,
            "treadmill": mill and (mill.yaw, mill.speed, mill.direction, mill.height),
            "requests": [request.value for request in sample.requests],
            "dead_man": sample.dead_man,
            "dropped": dict(sample.dropped),
        }
    )


def _human(number: int, frame: HumanFrame) -> dict[str, Any]:
    return _without_none(
        {
            "tick": number,
            "stamp": frame.stamp,
            "sequence": frame.sequence,
            "segments": frame.segments,
            "rotations": frame.rotations,
            "angular_velocities": frame.angular_velocities,
            "positions": frame.positions,
            "linear_velocities": frame.linear_velocities,
            "hand_points": frame.hand_points,
        }
    )


def _targets(number: int, targets: RobotFrame) -> dict[str, Any]:
    return {
        "tick": number,
        "stamp": targets.stamp,
        "q": targets.q,
        "dq": targets.dq,
        "world_p_base": targets.world_p_base,
        "world_R_base": targets.world_R_base,
        "planted": targets.planted,
    }


def _reference(number: int, reference: RobotReference) -> dict[str, Any]:
    walk = reference.walk
    return {
        "tick": number,
        "stamp": reference.stamp,
        "q": reference.q,
        "dq": reference.dq,
        "ddq": reference.ddq,
        "planted": reference.planted,
        "walk": (walk.vx, walk.vy, walk.wz),
    }


def _command(number: int, command: JointCommand) -> dict[str, Any]:
    return _without_none(
        {
            "tick": number,
            "stamp": command.stamp,
            "q": command.q,
            "dq": command.dq,
            "tau": command.tau,
            "hands": _hands(command.hands),
            "fingers": command.hands and command.hands.fingers,
        }
    )


def _robot(number: int, state: RobotState) -> dict[str, Any]:
    return _without_none(
        {
            "tick": number,
            "stamp": state.stamp,
            "q": state.q,
            "dq": state.dq,
            "tau": state.tau,
            "imu_acceleration": state.imu_acceleration,
            "imu_angular_velocity": state.imu_angular_velocity,
            "imu_world_R_base": state.imu_world_R_base,
            "foot_wrenches": state.foot_wrenches,
            "hand_wrenches": state.hand_wrenches,
            "hand_deviations": state.hand_deviations,
            "world_p_base": state.world_p_base,
            "world_R_base": state.world_R_base,
            "world_v_base": state.world_v_base,
            "world_w_base": state.world_w_base,
        }
    )


def _dynamics(number: int, dynamics: PersonDynamics) -> dict[str, Any]:
    return {
        "tick": number,
        "stamp": dynamics.stamp,
        "lag": dynamics.lag,
        "mass": dynamics.mass,
    } | {name: getattr(dynamics, name) for name in SHAPES}


def _hands(hands: HandCommand | None) -> tuple[float, float] | None:
    return None if hands is None else (hands.left, hands.right)


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _plain(value: object) -> object:
    """Turn what the encoder does not know into what it does: strided arrays."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} cannot be recorded")
