"""The figures of a motion that was played, and the line that says how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.motion_check.motion_check import CHECK_RATE, MotionCheck

__all__ = [
    "CHECK_FIGURES",
    "check_figure_manual",
    "check_figures",
    "check_line",
    "figure_lines",
]

LOADED = 0.05  # body weights, of a sole whose sliding counts

CHECK_FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "robot": "its name",
        "source": "of the motion",
        "gantry": "whether the base was held",
        "passed": "whether the motion was played to its end",
        "fell_at": "when the robot fell or lost the motion [s]; null if it did not",
        "reason": "what was seen then",
        "causes": "what motion and drives did in the second before",
        "length": "of the motion [s]",
        "played": "of it, before the end [s]",
        "joint_error_mean_deg": "robot beside the motion, all joints",
        "joint_error_max_deg": "the same, greatest",
        "effort_share_p95": "of the hardest drive at each time",
        "effort_share_max": "the same, greatest",
        "hardest_joint": "whose drive that was",
        "com_error_rms_mm": "centre of mass beside the motion's, seen from the feet",
        "com_error_max_mm": "the same, greatest",
        "slide_p95_mm_s": "of soles that bear load",
        "zmp_inside_share": "of the times a sole stands: the motion's ZMP is inside",
        "zmp_outside_max_mm": "the motion's ZMP beyond the soles, greatest",
        "qp_failures": "control steps whose program needed a fallback",
    }
)
"""Name of a figure to what it means."""


def check_figures(check: MotionCheck) -> dict[str, Any]:
    """Return every figure of a check; plain values for `json`."""
    trace = check.trace
    figures: dict[str, Any] = {
        "robot": check.robot.spec.name,
        "source": check.motion.source,
        "gantry": check.gantry,
        "passed": check.passed,
        "fell_at": check.ended_at,
        "reason": check.reason,
        "causes": list(check.causes),
        "length": check.length,
        "played": len(trace.array("time")) / CHECK_RATE,
    }
    if not len(trace.array("time")):
        return figures
    error = np.rad2deg(np.abs(trace.array("q") - trace.array("q_wanted")))
    share = np.abs(trace.array("tau")) / check.effort
    figures |= {
        "joint_error_mean_deg": float(error.mean()),
        "joint_error_max_deg": float(error.max()),
        "effort_share_p95": float(np.quantile(share.max(axis=1), 0.95)),
        "effort_share_max": float(share.max()),
        "hardest_joint": check.joints[int(np.argmax(share.max(axis=0)))],
    }
    return figures if check.gantry else figures | _on_feet(check)


def _on_feet(check: MotionCheck) -> dict[str, Any]:
    trace = check.trace
    away = np.linalg.norm(trace.array("com") - trace.array("com_wanted"), axis=1)
    loaded = trace.array("load") > LOADED
    slides = trace.array("sole_speed")[loaded]
    outside = trace.array("zmp_outside")
    stands = outside[np.isfinite(outside)]
    return {
        "com_error_rms_mm": 1e3 * float(np.sqrt(np.mean(away**2))),
        "com_error_max_mm": 1e3 * float(away.max()),
        "slide_p95_mm_s": _or_none(1e3 * slides, 0.95),
        "zmp_inside_share": float(np.mean(stands <= 0.0)) if stands.size else None,
        "zmp_outside_max_mm": _or_none(1e3 * stands, 1.0),
        "qp_failures": check.qp_failures,
    }


def _or_none(values: Array, share: float) -> float | None:
    return float(np.quantile(values, share)) if values.size else None


def check_line(check: MotionCheck) -> str:
    """Return one line: played or not, when and why."""
    where = "on a gantry" if check.gantry else "on its feet"
    if check.ended_at is None:
        return f"{check.robot.spec.name} plays it {where}: {check.length:.2f} s"
    what = "loses it" if check.gantry else "falls"
    why = "; ".join([check.reason, *check.causes])
    return (
        f"{check.robot.spec.name} {what} {where} at {check.ended_at:.2f} s of "
        f"{check.length:.2f} s: {why}"
    )


def figure_lines(check: MotionCheck) -> list[str]:
    """Return the figures that a terminal shows, one a line."""
    figures = check_figures(check)
    shown = {k: v for k, v in figures.items() if isinstance(v, float | int)}
    return [f"  {name:<22} {float(value):.4g}" for name, value in shown.items()]


def check_figure_manual() -> str:
    """Return what every figure of --json means, one a line."""
    lines = [f"  {name:<22} {text}" for name, text in CHECK_FIGURES.items()]
    return "\n".join(["figures:", *lines])
