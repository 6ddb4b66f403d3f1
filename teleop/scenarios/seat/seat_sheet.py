"""A page of curves of standing up or sitting down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.teleop.scenarios.seat.seat_run import SeatRun

__all__ = ["save_seat_sheet"]


def save_seat_sheet(run: SeatRun, alone: SeatRun | None, path: Path) -> None:
    """Draw place, loads, hands, rate and torques over time, with those alone."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sheet = Figure(figsize=(14, 9), layout="constrained")
    FigureCanvasAgg(sheet)
    axes = sheet.subplots(3, 2)
    sheet.suptitle(f"{run.options.name}, {run.robot.spec.name}")
    for one, name, style in ((run, "", "-"), (alone, " alone", ":")):
        if one is None:
            continue
        time, trace = one.trace.array("time"), one.trace
        com, wanted = trace.array("com"), trace.array("com_wanted")
        axes[0, 0].plot(time, com[:, 2], style, lw=1.0, label="height" + name)
        axes[0, 0].plot(time, wanted[:, 2], "--", lw=0.6, label="asked" + name)
        axes[0, 1].plot(time, com[:, 0], style, lw=1.0, label="ahead" + name)
        axes[0, 1].plot(time, wanted[:, 0], "--", lw=0.6, label="asked" + name)
        feet, seat = trace.array("feet_load"), trace.array("seat_load")
        axes[1, 0].plot(time, feet, style, lw=0.8, label="feet" + name)
        axes[1, 0].plot(time, seat, style, lw=0.8, label="seat" + name)
        axes[1, 1].plot(time, trace.array("pull").sum(axis=1), style, label=name)
        axes[2, 0].plot(time, trace.array("rate"), style, lw=1.0, label=name)
        share = np.abs(trace.array("tau")) / one.controller.model.actuators.effort
        axes[2, 1].plot(time, share.max(axis=1), style, lw=0.8, label=name)
    words = (
        "centre of mass over the soles [m]",
        "centre of mass ahead of them [m]",
        "load [body weight]",
        "force at the hands [N]",
        "rate of psi",
        "largest torque over its effort",
    )
    for axis, word in zip(axes.flat, words, strict=True):
        axis.set_ylabel(word)
        axis.set_xlabel("time [s]")
    for axis in axes.flat[:3]:
        axis.legend(loc="upper right")
    sheet.savefig(path, dpi=90)
