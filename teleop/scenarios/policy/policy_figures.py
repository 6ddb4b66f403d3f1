"""The figures of a policy's scenario; `figure_words.py` says what they mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.robots.drives import actuators_of
from telexist.teleop.scenarios import speed_figures
from telexist.teleop.scenarios.policy.policy_run import PolicyRun

__all__ = ["policy_figures"]


def policy_figures(run: PolicyRun) -> dict[str, Any]:
    """Return every figure of a run."""
    options, trace = run.options, run.trace
    count = len(trace.array("time"))
    figures: dict[str, Any] = {
        "scenario": options.name,
        "robot": run.robot.spec.name,
        "seed": options.seed,
        "options": {name: getattr(options, name) for name in options.__slots__},
        "fell": run.fell_at is not None,
        "fell_at": run.fell_at,
        "fall_reason": run.fall_reason,
        "push_at": run.script.pushes[0].start if run.script.pushes else None,
        "duration": count * run.controller.period,
        "events": [f"{time:.3f} s: {event}" for time, event in trace.events[:200]],
        "joint_past_limit_mrad": 1e3 * run.past_limit,
    }
    if count < 2:
        return figures
    effort = actuators_of(run.robot).effort
    figures["torque_share_max"] = float(np.abs(trace.array("tau") / effort).max())
    figures |= _tracking(run) if run.controller.policy.tracks else {}
    ready = run.controller.posture.world_R_base
    figures |= speed_figures(options, run.script, trace, ready)
    tick = 1e3 * trace.array("tick")[trace.array("asked")]
    return figures | {
        "policy_ms_p50": float(np.quantile(tick, 0.5)),
        "policy_ms_p99": float(np.quantile(tick, 0.99)),
        "real_time_factor": float(trace.array("time")[-1] / run.wall),
    }


def _tracking(run: PolicyRun) -> dict[str, Any]:
    """Return how well joints, height and way of the base were followed."""
    trace = run.trace
    error = trace.array("q") - trace.array("q_wanted")
    base, wanted = trace.array("base"), trace.array("base_wanted")
    return {
        "joint_error_mean": float(np.abs(error).mean()),
        "joint_error_rms": float(np.sqrt(np.square(error).mean())),
        "base_height_error_mm": 1e3 * float(np.abs(base - wanted)[:, 2].mean()),
        "way_asked": float(np.linalg.norm(wanted[-1, :2] - wanted[0, :2])),
        "way_done": float(np.linalg.norm(base[-1, :2] - base[0, :2])),
        "way_error": float(np.linalg.norm((base - wanted)[-1, :2])),
    }
