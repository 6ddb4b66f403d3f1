"""A session cut into episodes of state and action at a fixed rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.options import ExportOptions
from telexist.teleop.recording.export.resample import grid, newest_before, stretches

__all__ = ["Episode", "Episodes", "cut_episodes", "engaged_spans"]

_POSE = ("world_p_base", "world_R_base")
_BASE = ("base_x", "base_y", "base_z", "quat_w", "quat_x", "quat_y", "quat_z")
_HANDS = ("left_hand", "right_hand")
MAX_FRAMES = 10_000_000  # of one episode; two days at 50 Hz


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One stretch of a session.

    Attributes:
        times: On the session's clock (t,) [s].
        state: What was measured (t, len(state_names)).
        action: What was commanded (t, len(action_names)).
    """

    times: Array
    state: Array
    action: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Episodes:
    """All episodes and the names of their columns."""

    state_names: tuple[str, ...]
    action_names: tuple[str, ...]
    episodes: tuple[Episode, ...]


def cut_episodes(reader: SessionReader, options: ExportOptions) -> Episodes:
    """Resample measured and commanded joints: at each instant the newest sample.

    The state is the measured joint positions, for a robot that can walk with the pose
    of its base; the action is the commanded ones, with the hands if there are any.

    Raises:
        BadRecording: If nothing was measured or commanded, or nobody was engaged.
    """
    robot, command = _finite(reader, "robot"), _finite(reader, "command")
    state_names, state = _state(reader, robot)
    action_names, action = _action(reader, command)
    first = max(robot["stamp"][0], command["stamp"][0])
    episodes = []
    for begin, end in engaged_spans(reader, options):
        if (end - begin) * options.fps > MAX_FRAMES:
            problem = f"lasts {end - begin:g} s: its times cannot be right"
            raise BadRecording(reader.path, problem)
        times = grid(max(begin, first), end, options.fps)
        if len(times) < 2:
            continue
        at_state = newest_before(robot["stamp"], times)
        at_action = newest_before(command["stamp"], times)
        episodes.append(
            Episode(times=times, state=state[at_state], action=action[at_action])
        )
    if not episodes:
        problem = "nobody was engaged long enough: --whole exports all of it"
        raise BadRecording(reader.path, problem)
    return Episodes(
        state_names=state_names, action_names=action_names, episodes=tuple(episodes)
    )


def _finite(reader: SessionReader, channel: str) -> dict[str, np.ndarray]:
    """Return a channel without the samples whose time or positions are not finite."""
    arrays = reader.arrays(channel)
    needed = ["stamp", "q"]
    if not reader.header.fixed_base:
        needed += [name for name in _POSE if name in arrays]
    if arrays:
        good = np.ones(len(arrays["stamp"]), dtype=np.bool_)
        for name in needed:
            good &= np.isfinite(arrays[name]).reshape(len(good), -1).all(axis=1)
        arrays = {name: values[good] for name, values in arrays.items()}
    if not arrays or len(arrays["stamp"]) == 0:
        raise BadRecording(reader.path, f"holds no samples of {channel}")
    return arrays


def engaged_spans(
    reader: SessionReader, options: ExportOptions
) -> list[tuple[float, float]]:
    """Return begin and end of each stretch in which the operator was engaged [s].

    Raises:
        BadRecording: If the session holds no turns.
    """
    loop = reader.arrays("loop")
    if not loop:
        raise BadRecording(reader.path, "holds no turns of the loop")
    timed = np.isfinite(loop["stamp"])
    stamps, states = loop["stamp"][timed], loop["state"][timed]
    if options.whole and len(stamps):
        return [(float(stamps[0]), float(stamps[-1]))]
    active = stretches(states == "active")
    return [(float(stamps[a]), float(stamps[b])) for a, b in active]


def _state(
    reader: SessionReader, robot: dict[str, np.ndarray]
) -> tuple[tuple[str, ...], Array]:
    joints = reader.header.joints
    if reader.header.fixed_base or not set(_POSE) <= robot.keys():
        return joints, robot["q"]
    quat_wxyz = quat_wxyz_from_rotation(robot["world_R_base"])
    state = np.column_stack([robot["q"], robot["world_p_base"], quat_wxyz])
    return (*joints, *_BASE), state


def _action(
    reader: SessionReader, command: dict[str, np.ndarray]
) -> tuple[tuple[str, ...], Array]:
    joints, fingers = reader.header.joints, reader.header.fingers
    if "fingers" in command:
        return (*joints, *fingers), np.column_stack(
            [command["q"], _held(command["fingers"])]
        )
    if "hands" not in command:
        return joints, command["q"]
    hands = np.nan_to_num(command["hands"], nan=0.0)
    return (*joints, *_HANDS), np.column_stack([command["q"], hands])


def _held(values: Array) -> Array:
    """Return rows (t, k) in which nothing is missing: as before, or as at first."""
    told = np.isfinite(values).all(axis=1)
    if not told.any():
        return np.zeros_like(values)
    last = np.maximum.accumulate(np.where(told, np.arange(len(values)), -1))
    return values[np.where(last < 0, int(np.argmax(told)), last)]
