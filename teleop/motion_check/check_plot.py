"""One page of plots of a motion that was played."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.motion_check.check_figures import check_line
from telexist.teleop.motion_check.motion_check import MotionCheck

__all__ = ["save_check_plot"]


def save_check_plot(check: MotionCheck, path: Path) -> None:
    """Draw balance, loads, joint errors and torques over time."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    trace = check.trace
    time = trace.array("time")
    error = np.rad2deg(np.abs(trace.array("q") - trace.array("q_wanted")))
    share = np.abs(trace.array("tau")) / check.effort
    rows: list[tuple[str, dict[str, Array]]] = []
    if not check.gantry:
        away = 1e3 * (trace.array("com") - trace.array("com_wanted"))
        outside = 1e3 * trace.array("zmp_outside")
        load = trace.array("load")
        rows += [
            ("motion's ZMP outside the soles [mm]", {"": outside}),
            ("centre of mass, error [mm]", dict(zip("xyz", away.T, strict=True))),
            ("load [body weights]", {"left": load[:, 0], "right": load[:, 1]}),
        ]
    rows += [
        ("joint error [deg]", {"mean": error.mean(axis=1), "worst": error.max(axis=1)}),
        ("torque over effort", {"hardest drive": share.max(axis=1)}),
    ]
    figure = Figure(figsize=(11, 2.2 * len(rows) + 1), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(check_line(check), fontsize=9, wrap=True)
    all_axes = np.atleast_1d(figure.subplots(len(rows), 1, sharex=True))
    for axes, (label, lines) in zip(all_axes, rows, strict=True):
        for name, values in lines.items():
            axes.plot(time, values, lw=0.9, label=name)
        if len(lines) > 1:
            axes.legend(loc="upper left", fontsize=8)
        axes.set_ylabel(label, fontsize=8)
        axes.axhline(0.0, color="black", lw=0.5)
        if check.ended_at is not None:
            axes.axvline(check.ended_at, color="tab:red", ls="--", lw=0.9)
    all_axes[-1].set_xlabel("time [s]")
    figure.savefig(path, dpi=100)
