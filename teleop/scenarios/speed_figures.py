"""How fast a robot walked, beside what it was asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.so3 import Array, yaw_of
from telexist.teleop.scenarios.options import ScenarioOptions
from telexist.teleop.scenarios.script import Script
from telexist.teleop.scenarios.trace import Trace

__all__ = ["speed_figures"]

STARTED = 5.0  # [s] after the command, when the speed is reached
SHORTEST = 2.0  # [s] of walking that has a mean speed
NAMES = ("speed", "side_speed", "yaw_rate")  # of options, in the order of a command


def speed_figures(
    options: ScenarioOptions, script: Script, trace: Trace, ready: Array
) -> dict[str, Any]:
    """Return mean speeds and their errors, where one command is walked for a while.

    `speed_error` is the largest of the errors of all components that were asked for,
    each relative to its own command.

    Args:
        options: Of the scenario.
        script: What was asked.
        trace: What was done: `time`, `base` and `base_R`.
        ready: `world_R_base` (3, 3) of the robot standing ready.
    """
    time = trace.array("time")
    asked = np.array([getattr(options, name) for name in NAMES])
    if options.name == "random-walk" or not len(script.times) or not asked.any():
        return {}
    end = script.times[1] if len(script.times) > 1 else np.inf
    walked = (time > script.times[0] + STARTED) & (time < end)
    if walked.sum() < SHORTEST * options.control_rate:
        return {}
    reached = _mean_speeds(trace, walked, options.control_rate, ready)
    figures: dict[str, Any] = {
        f"mean_{name}": float(value) for name, value in zip(NAMES, reached, strict=True)
    }
    errors = {
        f"{name}_error": float(abs(reached[i] - asked[i]) / abs(asked[i]))
        for i, name in enumerate(NAMES)
        if asked[i]
    }
    ahead = {"ahead_speed_error": errors.pop("speed_error")} if asked[0] else {}
    return figures | ahead | errors | {"speed_error": max((ahead | errors).values())}


def _mean_speeds(
    trace: Trace, walked: np.ndarray, rate: float, ready: Array
) -> np.ndarray:
    """Return ahead, aside, turning (3,), in the heading of each moment."""
    R = trace.array("base_R")[walked] @ ready.T
    yaw = np.unwrap(yaw_of(R))
    vx, vy = np.diff(trace.array("base")[walked, :2], axis=0).T * rate
    c, s = np.cos(yaw[:-1]), np.sin(yaw[:-1])
    turn = (yaw[-1] - yaw[0]) * rate / (len(yaw) - 1)
    return np.array([(c * vx + s * vy).mean(), (c * vy - s * vx).mean(), turn])
