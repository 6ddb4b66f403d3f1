"""HumanState, HumanWrench and HumanDynamics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.errors import BadInput, BadMessage
from telexist.retarget.so3 import Array
from telexist.robots.yarp.wire import Bottle, CodedList, Dialect, Item

__all__ = [
    "HumanState",
    "human_dynamics_items",
    "human_state_items",
    "human_wrench_items",
    "read_human_state",
]

FIELDS = 18


def _zeros(count: int) -> Array:
    return np.zeros(count)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanState:
    """Joints and base of a person, or of the robot that shall follow one.

    Attributes:
        joints: Names.
        positions: (n,) [rad].
        velocities: (n,) [rad/s], or empty.
        base: Name of the base link.
        world_p_base: (3,) [m].
        base_quat_wxyz: (4,).
        base_velocity: Linear, angular (6,).
        com: (3,) [m].
        com_velocity: (3,) [m/s].
    """

    joints: tuple[str, ...]
    positions: Array
    velocities: Array = field(default_factory=lambda: _zeros(0))
    base: str
    world_p_base: Array
    base_quat_wxyz: Array
    base_velocity: Array = field(default_factory=lambda: _zeros(6))
    com: Array = field(default_factory=lambda: _zeros(3))
    com_velocity: Array = field(default_factory=lambda: _zeros(3))


def human_state_items(state: HumanState, dialect: Dialect) -> Bottle:
    """Return the message of a state.

    Raises:
        BadInput: If a value is missing or not finite.
    """
    joints = len(state.joints)
    _check("positions", state.positions, joints)
    if len(state.velocities):
        _check("velocities", state.velocities, joints)
    for name, count in (("world_p_base", 3), ("base_quat_wxyz", 4), ("com", 3)):
        _check(name, getattr(state, name), count)
    _check("base_velocity", state.base_velocity, 6)
    _check("com_velocity", state.com_velocity, 3)
    return [
        _names(state.joints),
        _doubles(state.positions, dialect),
        _doubles(state.velocities, dialect),
        state.base,
        *_floats(state.world_p_base),
        *_floats(state.base_quat_wxyz),
        _doubles(state.base_velocity, dialect),
        *_floats(state.com),
        *_floats(state.com_velocity),
    ]


def read_human_state(items: Bottle) -> HumanState:
    """Return the state in a message.

    Raises:
        BadMessage: If it is none.
    """
    try:
        if len(items) != FIELDS:
            raise BadMessage(f"a HumanState of {len(items)} fields, not {FIELDS}")
        numbers = np.array([*items[4:11], *items[12:18]], dtype=np.float64)
        names = items[0]
        positions = np.array(items[1], dtype=np.float64)
        if not isinstance(names, list) or positions.shape != (len(names),):
            raise BadMessage("a HumanState whose joints and positions differ")
        return HumanState(
            joints=tuple(map(str, names)),
            positions=positions,
            velocities=np.array(items[2], dtype=np.float64),
            base=str(items[3]),
            world_p_base=numbers[0:3],
            base_quat_wxyz=numbers[3:7],
            base_velocity=np.array(items[11], dtype=np.float64),
            com=numbers[7:10],
            com_velocity=numbers[10:13],
        )
    except (TypeError, ValueError) as error:
        raise BadMessage(f"not a HumanState: {error}") from error


def human_wrench_items(wrenches: Mapping[str, Array], dialect: Dialect) -> Bottle:
    """Return a HumanWrench: source to force and torque (6,) [N], [N m]."""
    for name, wrench in wrenches.items():
        _check(f"the wrench of {name}", wrench, 6)
    values = np.concatenate([*wrenches.values(), np.zeros(0)])
    return [_names(tuple(wrenches)), _doubles(values, dialect)]


def human_dynamics_items(torques: Mapping[str, float], dialect: Dialect) -> Bottle:
    """Return a HumanDynamics: joint to torque [N m]."""
    values = np.array(list(torques.values()), dtype=np.float64)
    _check("torques", values, len(torques))
    return [_names(tuple(torques)), _doubles(values, dialect)]


def _check(name: str, values: Array, count: int) -> None:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise BadInput(f"{name}: {count} finite numbers are needed; not published")


def _names(names: Sequence[str]) -> Item:
    return CodedList(names, 4)


def _doubles(values: Array, dialect: Dialect) -> Item:
    return CodedList(_floats(values), dialect.float64)


def _floats(values: Array) -> list[Item]:
    return [float(value) for value in values]
