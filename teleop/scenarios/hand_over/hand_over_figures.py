"""The figures of controllers that take turns; `figure_words.py` says what they mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.robots.drives import actuators_of
from telexist.teleop.scenarios.hand_over.hand_over_run import AskedChange, HandOverRun

__all__ = ["hand_over_figures"]

FIRST = 20  # steps of a run in which the robot settles


def hand_over_figures(run: HandOverRun) -> dict[str, Any]:
    """Return every figure of a run."""
    options, trace, changes = run.options, run.trace, run.changes
    figures: dict[str, Any] = {
        "scenario": options.name,
        "robot": run.robot.spec.name,
        "seed": options.seed,
        "options": {name: getattr(options, name) for name in options.__slots__},
        "fell": run.fell_at is not None,
        "fell_at": run.fell_at,
        "fall_reason": run.fall_reason,
        "duration": len(trace.array("time")) * run.controller.period,
        "events": [f"{time:.3f} s: {event}" for time, event in trace.events[:400]],
        "joint_past_limit_mrad": 1e3 * run.past_limit,
        "changes_asked": len(changes),
        "changes_done": sum(one.change.done for one in changes),
        "changes_refused": sum(bool(one.change.refused) for one in changes),
        "changes": [_told(one) for one in changes],
    }
    if not changes or len(trace.array("time")) <= FIRST:
        return figures
    effort = actuators_of(run.robot).effort
    steps, changing = trace.array("step")[FIRST:], trace.array("changing")[FIRST:]
    return figures | {
        "change_jump_share_max": max(one.change.jump for one in changes),
        "change_wait_max": max(one.change.waited for one in changes),
        "change_wait_median": float(np.median([one.change.waited for one in changes])),
        "torque_share_max": float(np.abs(trace.array("tau") / effort).max()),
        "torque_step_share_usual": _high(steps[~changing]),
        "torque_step_share_changing": _high(steps[changing]),
        "real_time_factor": float(trace.array("time")[-1] / run.wall),
    }


def _high(values: np.ndarray) -> float | None:
    """Return what 99 of 100 do not exceed."""
    return float(np.quantile(values, 0.99)) if len(values) else None


def _told(asked: AskedChange) -> dict[str, Any]:
    change = asked.change
    return {
        "time": round(asked.time, 3),
        "going": asked.going,
        "from": asked.one,
        "to": asked.other,
        "waited": round(change.waited, 3),
        "jump": change.jump,
        "ended": "done" if change.done else change.refused or "fell",
    }
