"""One page of plots of a scenario, for people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from telexist.teleop.scenarios.run_scenario import ScenarioRun

__all__ = ["save_plot_sheet"]


def save_plot_sheet(run: ScenarioRun, figures: dict[str, Any], path: Path) -> None:
    """Draw balance, steps, loads, torques and errors over time, and a fall."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    trace = run.trace
    time = trace.array("time")
    sheet = Figure(figsize=(14, 9), layout="constrained")
    FigureCanvasAgg(sheet)
    axes = sheet.subplots(3, 2)
    fell = f"FELL at {run.fell_at:.2f} s" if figures["fell"] else "did not fall"
    sheet.suptitle(f"{run.options.name}, {run.robot.spec.name}: {fell}")
    if len(time) > 1:
        _draw_floor(axes[0, 0], run)
        _draw_lines(axes[0, 1], time, "DCM error [mm]", _dcm_error(run), ("x", "y"))
        _draw_lines(axes[1, 0], time, "load [body weight]", trace.array("load"), "LR")
        longer = _with_fall(run, "time", time)
        com = _with_fall(run, "com_true", trace.array("com_true"))
        _draw_lines(axes[1, 1], longer, "centre of mass [m]", com, ("x", "y", "z"))
        tau = np.abs(trace.array("tau") / run.controller.model.actuators.effort)
        share = _with_fall(run, "torque_share", tau.max(axis=1))[:, None]
        _draw_lines(axes[2, 0], longer, "torque over effort", share, ("max",))
        error = np.abs(trace.array("q") - trace.array("q_wanted"))
        arms = np.array(run.controller.model.actuators.groups) == "arms"
        worst = error[:, arms].max(axis=1, initial=0.0)[:, None]
        _draw_lines(axes[2, 1], time, "arm error [rad]", worst, ("max",))
    if run.fell_at is not None:
        for axis in axes.flat[1:]:
            axis.axvline(run.fell_at, color="tab:red", lw=0.8, ls="--")
    sheet.savefig(path, dpi=90)


def _with_fall(run: ScenarioRun, name: str, values: np.ndarray) -> np.ndarray:
    """Return a column that goes on after a fall."""
    after = run.fall.array(name)
    return np.concatenate([values, after]) if len(after) else values


def _dcm_error(run: ScenarioRun) -> np.ndarray:
    return 1e3 * (run.trace.array("dcm") - run.trace.array("dcm_plan"))


def _draw_floor(axes: Any, run: ScenarioRun) -> None:
    trace = run.trace
    soles, com = trace.array("soles"), trace.array("com")
    for i, colour in ((0, "tab:red"), (1, "tab:green")):
        axes.plot(soles[:, i, 0], soles[:, i, 1], ".", ms=2, color=colour)
    axes.plot(com[:, 0], com[:, 1], color="black", lw=1.0, label="com")
    dcm = trace.array("dcm")
    axes.plot(dcm[:, 0], dcm[:, 1], color="tab:blue", lw=0.5, label="dcm")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.legend(loc="upper left")


def _draw_lines(
    axes: Any, time: np.ndarray, label: str, values: np.ndarray, names: Any
) -> None:
    for i, name in enumerate(names):
        axes.plot(time, values[:, i], lw=0.8, label=name)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(label)
    axes.legend(loc="upper left")
