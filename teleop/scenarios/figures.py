"""The figures of a scenario: one flat table that goes to a JSON file."""

from __future__ import annotations

from typing import Any

import numpy as np

from retarget.so3 import yaw_of
from teleop.scenarios.leg_figures import leg_figures
from teleop.scenarios.options import ScenarioOptions
from teleop.scenarios.run_scenario import ScenarioRun
from teleop.scenarios.script import LIFT_TIME

__all__ = ["scenario_figures"]

STARTED = 6.0  # [s] after which one-foot figures and speeds are taken
MM = 1e3  # [mm/m]


def scenario_figures(run: ScenarioRun) -> dict[str, Any]:
    """Return every figure of a run; times in s, lengths as the name says."""
    options, trace = run.options, run.trace
    figures: dict[str, Any] = {
        "scenario": options.name,
        "robot": run.robot.spec.name,
        "seed": options.seed,
        "options": {name: getattr(options, name) for name in _names(options)},
        "fell": run.fell_at is not None,
        "fell_at": run.fell_at,
        "fall_reason": run.fall_reason,
        "push_at": run.script.pushes[0].start if run.script.pushes else None,
        "duration": float(len(trace.array("time")) / options.control_rate),
        "qp_failures": run.controller.qp.failures,
        "events": [f"{time:.3f} s: {text}" for time, text in trace.events[:200]],
        "recovery_steps": sum(t.startswith("step:") for _, t in trace.events),
    }
    if len(trace.array("time")) > 1:
        figures |= _tracking(run) | leg_figures(run) | _walking(run)
        figures |= _speed_of_computing(run)
    return figures


def _names(options: ScenarioOptions) -> tuple[str, ...]:
    return tuple(options.__slots__)


def _tracking(run: ScenarioRun) -> dict[str, Any]:
    trace, groups = run.trace, np.array(run.controller.model.actuators.groups)
    time = trace.array("time")
    dcm_error = trace.array("dcm") - trace.array("dcm_plan")
    error = np.abs(trace.array("q") - trace.array("q_wanted"))
    standing = trace.array("mode") == "standing"
    settled = standing & (time > (LIFT_TIME + STARTED if _one_foot(run) else 2.0))
    tau = trace.array("tau")
    figures = {
        "dcm_rms_mm": MM * _rms(dcm_error),
        "dcm_max_mm": MM * float(np.linalg.norm(dcm_error, axis=1).max()),
        "arm_error_max": float(error[:, groups == "arms"].max(initial=0.0)),
        "upper_error_rms": _rms_entries(error[:, groups != "legs"]),
        "torque_share_max": float(
            np.abs(tau / run.controller.model.actuators.effort).max()
        ),
        "torque_jump_share_max": _largest_jump(run, tau),
        "base_velocity_error_rms": _rms(
            trace.array("base_v") - trace.array("base_v_estimated")
        ),
        "base_drift": float(
            np.linalg.norm((trace.array("base") - trace.array("base_estimated"))[-1])
        ),
    }
    if settled.any():
        com = trace.array("com_true")[settled, :2]
        support = _support_middle(run)[settled]
        error = com - support
        figures["com_rms_mm"] = MM * _rms(error - error.mean(axis=0))
        figures["com_offset_mm"] = MM * float(np.linalg.norm(error.mean(axis=0)))
    return figures


def _support_middle(run: ScenarioRun) -> np.ndarray:
    """Return the middle of the feet, or foot, on which the robot is to stand (t, 2)."""
    soles = run.trace.array("soles_true")[:, :, :2]
    if run.options.foot == "left":
        return soles[:, 0]
    if run.options.foot == "right":
        return soles[:, 1]
    return soles.mean(axis=1)


def _one_foot(run: ScenarioRun) -> bool:
    return run.options.foot in ("left", "right")


def _largest_jump(run: ScenarioRun, tau: np.ndarray) -> float:
    """Return the largest change of a torque where the mode changes, over its effort."""
    mode = run.trace.array("mode")
    changes = np.flatnonzero(mode[1:] != mode[:-1]) + 1
    if not len(changes):
        return 0.0
    effort = run.controller.model.actuators.effort
    return float(np.abs((tau[changes] - tau[changes - 1]) / effort).max())


def _walking(run: ScenarioRun) -> dict[str, Any]:
    options, trace = run.options, run.trace
    time = trace.array("time")
    late = time > STARTED
    figures: dict[str, Any] = {"steps": run.controller.steps}
    asked = np.array([options.speed, options.side_speed, options.yaw_rate])
    if not asked.any() or late.sum() < 2 * options.control_rate:
        return figures
    if options.name not in ("walk", "turn"):
        return figures
    # Whole steps only, in the heading of each moment: sway and drift do not count.
    base = trace.array("base")[late, :2]
    R = trace.array("base_R")[late] @ run.controller.posture.world_R_base.T
    yaw = np.unwrap(yaw_of(R))
    v = np.diff(base, axis=0) * options.control_rate
    c, s = np.cos(yaw[:-1]), np.sin(yaw[:-1])
    ahead = float((c * v[:, 0] + s * v[:, 1]).mean())
    aside = float((-s * v[:, 0] + c * v[:, 1]).mean())
    turn = float((yaw[-1] - yaw[0]) / (time[late][-1] - time[late][0]))
    reached = np.array([ahead, aside, turn])
    main = int(np.argmax(np.abs(asked)))
    figures |= {
        "mean_speed": ahead,
        "mean_side_speed": aside,
        "mean_yaw_rate": turn,
        "speed_error": float(abs(reached[main] - asked[main]) / abs(asked[main])),
    }
    return figures


def _speed_of_computing(run: ScenarioRun) -> dict[str, Any]:
    tick = 1e3 * run.trace.array("tick")
    return {
        "tick_ms_p50": float(np.quantile(tick, 0.5)),
        "tick_ms_p99": float(np.quantile(tick, 0.99)),
        "real_time_factor": float(run.trace.array("time")[-1] / run.wall),
    }


def _rms(vectors: np.ndarray) -> float:
    """Return the root mean square length of vectors (t, k)."""
    return float(np.sqrt(np.square(vectors).sum(axis=1).mean()))


def _rms_entries(values: np.ndarray) -> float:
    return float(np.sqrt(np.square(values).mean())) if values.size else 0.0
