"""How well a standing robot's legs follow the operator's: squats and lifted feet."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.robots.description import leg_joints
from telexist.teleop.scenarios.run_scenario import ScenarioRun

__all__ = ["leg_figures"]

MM = 1e3  # [mm/m]
RAISED = 0.02  # [m] over the floor from which a foot is in the air


def leg_figures(run: ScenarioRun) -> dict[str, Any]:
    """Return the figures of the legs; while walking nothing is counted.

    `free_leg_error_rms` is that of the lifted leg's joints [rad]; the floor and the
    standing leg keep it from 0 where the operator's foot is low. Heights are those of
    the centre of mass over the lower sole; `squat_mm` is the deepest that was reached
    below standing ready, `height_error_rms_mm` how far from what was asked.
    """
    trace = run.trace
    standing = trace.array("mode") == "standing"
    soles, com = trace.array("soles_true")[:, :, 2], trace.array("com_true")[:, 2]
    error = trace.array("q") - trace.array("q_wanted")
    support = trace.array("support")
    errors, raised = [], 0
    for foot, side in enumerate(("left", "right")):
        up = standing & (support == 1 - foot)
        up &= soles[:, foot] - soles[:, 1 - foot] > RAISED
        raised += int(up.sum())
        errors.append(error[up][:, leg_joints(run.robot, side)].ravel())
    figures: dict[str, Any] = {
        "support_changes": int(np.count_nonzero(np.diff(support))),
        "one_foot_time": raised / run.options.control_rate,
    }
    if raised:
        figures["free_leg_error_rms"] = _rms(np.concatenate(errors))
        figures["foot_height_max_mm"] = MM * float(
            np.abs(soles[:, 0] - soles[:, 1])[standing].max()
        )
    if standing.any():
        height = (com - soles.min(axis=1))[standing]
        ready = run.controller.parameters.com_height
        asked = trace.array("trunk_height")[standing]
        figures["squat_mm"] = MM * float(ready - height.min())
        figures["height_error_rms_mm"] = MM * _rms(height - asked)
    return figures


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.square(values).mean()))
