"""A page of curves of a hand's way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.teleop.scenarios.hand.hand_run import HandRun

__all__ = ["save_hand_sheet"]


def save_hand_sheet(run: HandRun, alone: HandRun, path: Path) -> None:
    """Draw force, rate, psi, path, error and energy over time, with those alone."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sheet = Figure(figsize=(14, 9), layout="constrained")
    FigureCanvasAgg(sheet)
    axes = sheet.subplots(3, 2)
    sheet.suptitle(f"hand, {run.robot.spec.name}, {run.law}")
    time = run.trace.array("time")
    force = run.trace.array("force")
    for i, name in enumerate("xyz"):
        axes[0, 0].plot(time, force[:, i], lw=0.8, label=name)
    axes[0, 0].set_ylabel("force felt [N]")
    start = alone.trace.array("place")[0]
    unit = run.reach.way / np.linalg.norm(run.reach.way)
    for one, name, style in ((run, run.law, "-"), (alone, "alone", ":")):
        t, trace = one.trace.array("time"), one.trace
        axes[0, 1].plot(t, trace.array("rate"), style, lw=1.0, label=name)
        axes[1, 0].plot(t, trace.array("psi") - t, style, lw=1.0, label=name)
        gone = (trace.array("place") - start) @ unit
        axes[1, 1].plot(t, gone, style, lw=1.0, label=name)
        axes[2, 0].plot(t, 1e3 * trace.array("error"), style, lw=1.0, label=name)
        axes[2, 1].plot(t, trace.array("energy"), style, lw=1.0, label=name)
    words = ("rate of psi", "psi ahead of time [s]", "way gone [m]", "error [mm]", "V")
    for axis, word in zip(axes.flat[1:], words, strict=True):
        axis.set_ylabel(word)
    for axis in axes.flat:
        axis.set_xlabel("time [s]")
        axis.legend(loc="upper right")
    sheet.savefig(path, dpi=90)
