"""How well arms and upper body followed, and what hands were known to feel."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.teleop.scenarios.run_scenario import ScenarioRun

__all__ = ["arm_figures"]


TOLD = 1.0  # [s] after which a robot without sensors at its hands knows what they feel


def arm_figures(run: ScenarioRun) -> dict[str, Any]:
    """Return the errors [rad] of the whole run, while standing and while walking."""
    trace, groups = run.trace, np.array(run.controller.model.actuators.groups)
    error = np.abs(trace.array("q") - trace.array("q_wanted"))
    arms, upper = error[:, groups == "arms"], error[:, groups != "legs"]
    mode = trace.array("mode")
    figures = {"arm_error_max": _max(arms), "upper_error_rms": _rms(upper)}
    for name in ("standing", "walking"):
        now = mode == name
        if now.any():
            figures[f"arm_error_max_{name}"] = _max(arms[now])
            figures[f"upper_error_rms_{name}"] = _rms(upper[now])
    off = np.linalg.norm(trace.array("hand_error")[trace.array("time") > TOLD], axis=2)
    figures["hand_force_error_rms"] = _rms(off)
    return figures


def _max(values: np.ndarray) -> float:
    return float(values.max(initial=0.0))


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.square(values).mean())) if values.size else 0.0
