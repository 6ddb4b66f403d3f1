"""The figures of a hand's way; `figure_words.py` says what they mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.teleop.scenarios.hand.hand_run import HandRun

__all__ = ["hand_figures"]

TOLD = 0.5  # [s] after which a hand without sensors is felt


def hand_figures(run: HandRun, alone: HandRun, let_go: float) -> dict[str, Any]:
    """Return the figures of a run.

    Args:
        run: With the partner.
        alone: The same hand without one and without advancement.
        let_go: When the partner let go [s]; infinite: never.
    """
    trace = run.trace
    rate, energy = trace.array("rate"), trace.array("energy")
    arrived, usual = run.arrived, alone.arrived
    ratio = arrived / usual if arrived is not None and usual else None
    tau = trace.array("tau")[:, run.reach.arm]
    period = float(trace.array("time")[1])
    late = trace.array("time") > TOLD
    figures: dict[str, Any] = {
        "robot": run.robot.spec.name,
        "law": run.law,
        "hand": run.reach.side,
        "way": float(np.linalg.norm(run.reach.way)),
        "completion_time": arrived,
        "completion_time_alone": usual,
        "time_ratio": ratio,
        "psi_ahead": float((trace.array("psi") - trace.array("time")).max()),
        "rate_max": float(rate.max()),
        "error_max_mm": 1e3 * float(trace.array("error").max()),
        "energy_start": float(energy[0]),
        "energy_max": float(energy.max()),
        "energy_ratio": float(energy.max() / energy[0]),
        "hand_force_error_rms": float(
            np.sqrt(np.square(trace.array("force_error")[late]).mean())
        ),
        "help_max": float(trace.array("help").max()),
        "alpha_least": float(trace.array("alpha").min()),
        "arm_torque_rms": float(np.sqrt(np.square(tau).sum(axis=1).mean())),
        "arm_torque_rate_rms": float(
            np.sqrt(np.square(np.diff(tau, axis=0) / period).sum(axis=1).mean())
        ),
        "joint_past_limit_mrad": 1e3 * run.past_limit,
    }
    after = trace.array("time") >= let_go
    if after.any():
        figures |= _letting_go(run, after)
    return figures


def _letting_go(run: HandRun, after: np.ndarray) -> dict[str, Any]:
    """Return how the hand came back to its reference."""
    rate, place = run.trace.array("rate")[after], run.trace.array("place")[after]
    time = run.trace.array("time")[after]
    back = np.flatnonzero(rate > 1.05)
    jumps = np.diff(place, n=2, axis=0) if len(place) > 2 else np.zeros((0, 3))
    period = float(run.trace.array("time")[1])
    return {
        "back_after": float(time[back[-1]] - time[0]) if len(back) else 0.0,
        "error_after_max_mm": 1e3 * float(run.trace.array("error")[after].max()),
        "acceleration_after_max": float(
            np.linalg.norm(jumps, axis=1).max(initial=0.0) / period**2
        ),
    }
