"""The few lines about a scenario that a terminal shows."""

from __future__ import annotations

from typing import Any

from telexist.teleop.scenarios.options import ScenarioOptions

__all__ = ["summary_lines"]

SHOWN = (
    "completion_time",
    "time_ratio",
    "error_max_mm",
    "energy_ratio",
    "rate_max",
    "psi_ahead",
    "dcm_rms_mm",
    "dcm_true_rms_mm",
    "com_rms_mm",
    "arm_error_max",
    "mean_speed",
    "mean_yaw_rate",
    "speed_error",
    "squat_mm",
    "one_foot_time",
    "free_leg_error_rms",
    "steps",
    "recovery_steps",
    "qp_failures",
    "fall_joint_speed_max",
    "joint_error_mean",
    "way_asked",
    "way_done",
    "way_error",
    "policy_ms_p50",
    "policy_ms_p99",
    "tick_ms_p50",
    "real_time_factor",
)


def summary_lines(options: ScenarioOptions, figures: dict[str, Any]) -> list[str]:
    """Return how it ended and the most telling figures."""
    end = figures.get("ending", "stood")
    if figures.get("fell_at") is not None:
        end = f"FELL at {figures['fell_at']:.2f} s: {figures['fall_reason']}"
    first = f"{options.name} {figures['robot']} seed {options.seed}: {end}"
    shown = [name for name in SHOWN if figures.get(name) is not None]
    return [first, *(f"  {name:<20} {figures[name]:.4g}" for name in shown)]
