"""How well a robot kept its balance: centre of mass, DCM, and where it thought it was.

The plan of the DCM is made anew from what is measured whenever a step is adjusted, so
that `dcm_rms_mm` says how well the controller follows a plan it can change. The same
plan beside the true DCM also has the estimator's errors in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.so3 import yaw_of
from telexist.teleop.scenarios.run_scenario import ScenarioRun
from telexist.teleop.scenarios.script import LIFT_TIME

__all__ = ["balance_figures", "true_dcm"]

SETTLED = 2.0  # [s] of standing after which the centre of mass is looked at
ONE_FOOT_SETTLED = LIFT_TIME + 6.0  # [s]
MM = 1e3  # [mm/m]


def balance_figures(run: ScenarioRun) -> dict[str, Any]:
    """Return the figures of balance."""
    trace = run.trace
    plan = trace.array("dcm_plan")
    error, true_error = trace.array("dcm") - plan, true_dcm(run) - plan
    drift = (trace.array("base") - trace.array("base_estimated"))[-1]
    velocity_error = trace.array("world_v_base") - trace.array("world_v_base_estimated")
    return {
        "dcm_rms_mm": MM * _rms(error),
        "dcm_max_mm": MM * float(np.linalg.norm(error, axis=1).max()),
        "dcm_true_rms_mm": MM * _rms(true_error),
        "dcm_true_max_mm": MM * float(np.linalg.norm(true_error, axis=1).max()),
        "base_velocity_error_rms": _rms(velocity_error),
        "base_drift": float(np.linalg.norm(drift)),
    } | _centre_of_mass(run)


def true_dcm(run: ScenarioRun) -> np.ndarray:
    """Return the simulator's DCM as seen from the feet that carry (t, 2) [m].

    The plan lives in the controller's world, which drifts away from the simulator's. So
    the true one is moved there: turned by the error in heading and put where the feet
    are believed to be, weighted by their loads.
    """
    trace = run.trace
    load = np.clip(trace.array("load"), 1e-6, None)
    share = (load / load.sum(axis=1, keepdims=True))[:, :, None]
    feet = (share * trace.array("soles")[:, :, :2]).sum(axis=1)
    feet_true = (share * trace.array("soles_before")[:, :, :2]).sum(axis=1)
    base_R_base = trace.array("base_R_estimated") @ trace.array(
        "base_R_before"
    ).transpose(0, 2, 1)
    yaw = yaw_of(base_R_base)
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = (trace.array("dcm_true") - feet_true).T
    return feet + np.stack([c * x - s * y, s * x + c * y], axis=1)


def _centre_of_mass(run: ScenarioRun) -> dict[str, Any]:
    """Return how far the true centre of mass was from where it should be, standing."""
    trace, one_foot = run.trace, run.options.foot in ("left", "right")
    begin = ONE_FOOT_SETTLED if one_foot else SETTLED
    settled = (trace.array("mode") == "standing") & (trace.array("time") > begin)
    if not settled.any():
        return {}
    error = (trace.array("com_true")[:, :2] - _support_middle(run))[settled]
    mean = error.mean(axis=0)
    return {
        "com_rms_mm": MM * _rms(error),
        "com_sway_mm": MM * _rms(error - mean),
        "com_offset_mm": MM * float(np.linalg.norm(mean)),
    }


def _support_middle(run: ScenarioRun) -> np.ndarray:
    """Return the middle of the feet, or foot, on which the robot is to stand (t, 2)."""
    soles = run.trace.array("soles_true")[:, :, :2]
    if run.options.foot == "left":
        return soles[:, 0]
    if run.options.foot == "right":
        return soles[:, 1]
    return soles.mean(axis=1)


def _rms(vectors: np.ndarray) -> float:
    """Return the root mean square length of vectors (t, k)."""
    return float(np.sqrt(np.square(vectors).sum(axis=1).mean()))
