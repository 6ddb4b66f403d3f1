"""The figures of standing up and sitting down; `figure_words.py` says their meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.teleop.scenarios.seat.seat_run import SeatRun

__all__ = ["seat_figures"]

MM = 1e3  # [mm/m]


def seat_figures(run: SeatRun, alone: SeatRun | None = None) -> dict[str, Any]:
    """Return the figures of a run.

    Args:
        run: What happened.
        alone: The same robot without a partner, to compare; None for no comparison.
    """
    trace, model = run.trace, run.controller.model
    share = np.abs(trace.array("tau")) / model.actuators.effort
    phase = trace.array("phase")
    way = _on_the_way(run)
    tick = MM * trace.array("tick")
    figures: dict[str, Any] = {
        "robot": run.robot.spec.name,
        "fell_at": run.fell_at,
        "fall_reason": run.fall_reason,
        "completion_time": _duration(run),
        "effort": _effort(run),
        "com_error_max_mm": _error(run),
        "torque_share_max": float(share[way].max()) if way.any() else None,
        "torque_share_max_all": float(share.max()),
        "rate_max": float(trace.array("rate").max()),
        "pull_max": float(trace.array("pull").max()),
        "seat_load_end": float(trace.array("seat_load")[-1]),
        "phases": [
            f"{trace.array('time')[i]:.3f} s: {phase[i]}"
            for i in range(len(phase))
            if i == 0 or phase[i] != phase[i - 1]
        ],
        "events": [f"{time:.3f} s: {event}" for time, event in trace.events[:200]],
        "qp_failures": run.controller.qp.failures,
        "steps": int(trace.array("steps").max()),
        "way_done": float(np.linalg.norm(np.ptp(trace.array("place")[:, :2], axis=0))),
        "tick_ms_p50": float(np.quantile(tick, 0.5)),
        "tick_ms_p99": float(np.quantile(tick, 0.99)),
    }
    if alone is not None:
        usual, effort = _duration(alone), _effort(alone)
        figures["completion_time_alone"], figures["effort_alone"] = usual, effort
        done = figures["completion_time"]
        if done and usual:
            figures["time_ratio"] = done / usual
        if figures["effort"] and effort:
            figures["effort_ratio"] = figures["effort"] / effort
    return figures


def _on_the_way(run: SeatRun) -> np.ndarray:
    """Return which steps are between sitting at rest and standing (t,)."""
    phase = run.trace.array("phase")
    return (run.trace.array("mode") == "sitting") & (phase != "seated")


def _duration(run: SeatRun) -> float | None:
    """Return how long the way took [s], or None if its end was not reached."""
    time, way = run.trace.array("time"), _on_the_way(run)
    if not way.any() or not reached(run):
        return None
    return float(time[way][-1] - time[way][0]) + run.controller.period


def reached(run: SeatRun) -> bool:
    """Return whether the robot did what was asked, and has not fallen."""
    if run.fell_at is not None:
        return False
    modes, phase = run.trace.array("mode"), run.trace.array("phase")
    if run.options.name == "stand-up":
        return bool(modes[-1] != "sitting")
    return bool(phase[-1] == "seated")


def _effort(run: SeatRun) -> float | None:
    """Return the integral of the squared torques of a leg [N^2 m^2 s]."""
    way = _on_the_way(run)
    if not way.any():
        return None
    legs = np.array([g == "legs" for g in run.controller.model.actuators.groups])
    tau = run.trace.array("tau")[way][:, legs]
    return float(0.5 * np.square(tau).sum() * run.controller.period)


def _error(run: SeatRun) -> float | None:
    """Return how far the true centre of mass was from its way, at most [mm]."""
    way = _on_the_way(run)
    if not way.any():
        return None
    error = (run.trace.array("com") - run.trace.array("com_wanted"))[way]
    return MM * float(np.linalg.norm(error, axis=1).max())
