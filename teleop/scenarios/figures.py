"""The figures of a scenario: one flat table that goes to a JSON file.

`figure_words.py` says what each of them means, with its unit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.teleop.scenarios.arm_figures import arm_figures
from telexist.teleop.scenarios.balance_figures import balance_figures
from telexist.teleop.scenarios.leg_figures import leg_figures
from telexist.teleop.scenarios.options import ScenarioOptions
from telexist.teleop.scenarios.own_steps import WalkedRecording, own_steps_figures
from telexist.teleop.scenarios.run_scenario import ScenarioRun
from telexist.teleop.scenarios.safe_fall import fall_figures
from telexist.teleop.scenarios.speed_figures import speed_figures
from telexist.teleop.terms import ControllerEventKind

__all__ = ["scenario_figures"]


def scenario_figures(run: ScenarioRun) -> dict[str, Any]:
    """Return every figure of a run."""
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
        "events": [f"{time:.3f} s: {event}" for time, event in trace.events[:200]],
        "recovery_steps": sum(
            event.kind is ControllerEventKind.STEP for _, event in trace.events
        ),
        "steps": _steps(trace.array("steps")),
        "model_mass_error": run.agreement.mass,
        "model_mass_matrix_error": run.agreement.mass_matrix,
        "model_bias_error": run.agreement.bias,
    }
    if len(trace.array("time")) > 1:
        figures |= balance_figures(run) | arm_figures(run) | leg_figures(run)
        ready = run.controller.posture.world_R_base
        figures |= speed_figures(options, run.script, trace, ready)
        if isinstance(run.upper, WalkedRecording):
            figures |= own_steps_figures(trace, run.upper, ready)
        if "clip_ahead" in trace.rows:
            figures["psi_ahead"] = float(trace.array("clip_ahead")[-1])
            figures["rate_max"] = float(trace.array("clip_rate").max())
        figures |= _torques(run) | _speed_of_computing(run)
    figures["joint_past_limit_mrad"] = 1e3 * run.past_limit
    figures["joint_speed_share_max"] = run.speed_share
    return figures | fall_figures(run.fall)


def _names(options: ScenarioOptions) -> tuple[str, ...]:
    return tuple(options.__slots__)


def _steps(counted: np.ndarray) -> int:
    """Return all steps; the controller counts anew from every start."""
    return int(np.clip(np.diff(counted, prepend=0), 0, None).sum())


def _torques(run: ScenarioRun) -> dict[str, Any]:
    share = run.trace.array("tau") / run.controller.model.actuators.effort
    mode = run.trace.array("mode")
    changes = np.flatnonzero(mode[1:] != mode[:-1]) + 1
    jumps = np.abs(share[changes] - share[changes - 1])
    return {
        "torque_share_max": float(np.abs(share).max()),
        "torque_jump_share_max": float(jumps.max(initial=0.0)),
    }


def _speed_of_computing(run: ScenarioRun) -> dict[str, Any]:
    tick = 1e3 * run.trace.array("tick")
    return {
        "tick_ms_p50": float(np.quantile(tick, 0.5)),
        "tick_ms_p99": float(np.quantile(tick, 0.99)),
        "real_time_factor": float(run.trace.array("time")[-1] / run.wall),
    }
