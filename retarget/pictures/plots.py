"""Plots of a report: errors and heights over time, joints at their limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from telexist.retarget.metrics import Report
from telexist.retarget.pictures.palette import FADED, INK, SIDE_COLOURS
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["plot_errors", "plot_heights", "plot_limits"]

MOST_BARS = 10
MOST_SAMPLES = 2000  # of a line; more than a sheet has pixels
BAND = 0.035  # height of a contact band, of the axes


def plot_errors(axes: Axes, report: Report, moments: Sequence[int]) -> None:
    """Plot the direction error of the limbs, mean and worst, over time."""
    errors = report.series.errors
    _frame(axes, "limb direction error [deg]", errors.time, moments)
    if not errors.limbs:
        _say(axes, "the robot has no limbs to compare")
        return
    time, limbs = _thinned(errors.time, np.degrees(errors.limb_direction))
    worst, mean = limbs.max(axis=1), limbs.mean(axis=1)
    axes.fill_between(time, mean, worst, color="#d9534f", alpha=0.15, lw=0)
    axes.plot(time, worst, color="#d9534f", lw=0.9, label="worst limb")
    axes.plot(time, mean, color=INK, lw=1.3, label="mean of the limbs")
    axes.set_ylim(0.0, max(1.05 * float(worst.max()), 1.0))
    _legend(axes)


def plot_heights(
    axes: Axes,
    report: Report,
    clip: HumanClip,
    motion: RobotMotion,
    moments: Sequence[int],
) -> None:
    """Plot how base and soles rise and fall, with bands while a sole is planted."""
    _frame(axes, "heights [m]", clip.time, moments)
    pelvis = clip.positions[:, SEGMENT_INDEX["Pelvis"], 2]
    ratio = report.leg_ratio
    lines = [
        (f"human pelvis × {ratio:.2f}", ratio * (pelvis - pelvis[0]), FADED, "--"),
        (
            "robot base",
            motion.base_position[:, 2] - motion.base_position[0, 2],
            INK,
            "-",
        ),
    ]
    soles = report.series.soles
    for side, sole in soles.items():
        lines.append((f"{side} sole", sole.centre[:, 2], SIDE_COLOURS[side], "-"))
    for label, values, colour, style in lines:
        time, thin = _thinned(clip.time, values)
        axes.plot(time, thin, color=colour, lw=1.1, ls=style, label=label)
    low, high = axes.get_ylim()
    axes.set_ylim(low - 0.15 * (high - low), high)
    for k, (side, sole) in enumerate(soles.items()):
        axes.fill_between(
            clip.time,
            0.01 + 1.3 * k * BAND,
            0.01 + (1.3 * k + 1.0) * BAND,
            where=sole.planted.tolist(),
            transform=axes.get_xaxis_transform(),
            color=SIDE_COLOURS[side],
            lw=0,
            step="mid",
        )
    _legend(axes)


def plot_limits(axes: Axes, report: Report) -> None:
    """Plot which joints are at their limits, and for what share of the time."""
    shares = sorted(report.limits.share_by_joint.items(), key=lambda item: -item[1])
    shown = shares[:MOST_BARS]
    title = "time at a joint limit [%]"
    if len(shares) > len(shown):
        title += f": {len(shown)} of {len(shares)} joints"
    axes.set_title(title, fontsize=8.5, loc="right", color=INK)
    _bare(axes)
    axes.set_xlim(0.0, 100.0)
    if not shown:
        axes.set_yticks([])
        _say(axes, "no joint is ever at a limit")
        return
    rows = np.arange(len(shown))
    axes.barh(rows, [100.0 * s for _, s in shown], color="#7a68ae", height=0.62)
    axes.set_yticks(rows, [_short(name) for name, _ in shown], fontsize=7)
    axes.set_ylim(MOST_BARS - 0.4, -0.6)


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"


def _thinned(time: Array, values: Array) -> tuple[Array, Array]:
    """Return fewer samples, the largest of every bunch, so that peaks survive."""
    bunch = int(np.ceil(len(time) / MOST_SAMPLES))
    if bunch <= 1:
        return time, values
    starts = np.arange(0, len(time), bunch)
    return time[starts], np.maximum.reduceat(values, starts, axis=0)


def _frame(axes: Axes, title: str, time: Array, moments: Sequence[int]) -> None:
    axes.set_title(title, fontsize=8.5, loc="left", color=INK)
    _bare(axes)
    axes.grid(axis="y", color="#e6e8eb", lw=0.6)
    axes.set_axisbelow(True)
    if len(time) > 1:
        axes.set_xlim(float(time[0]), float(time[-1]))
    axes.set_xlabel("time [s]", fontsize=7.5, color=FADED, labelpad=1)
    for k in moments:
        axes.axvline(float(time[k]), color="#c5cad0", lw=0.7, ls=":", zorder=0)


def _bare(axes: Axes) -> None:
    for edge in ("top", "right"):
        axes.spines[edge].set_visible(False)
    for edge in ("left", "bottom"):
        axes.spines[edge].set_color("#b6bcc4")
    axes.tick_params(labelsize=7.5, colors=FADED, length=2.5)


def _legend(axes: Axes) -> None:
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.01, 0.99),
        ncols=4,
        fontsize=7,
        frameon=False,
        handlelength=1.5,
        columnspacing=1.0,
        borderaxespad=0.2,
    )


def _say(axes: Axes, text: str) -> None:
    axes.text(
        0.5, 0.5, text, transform=axes.transAxes, ha="center", fontsize=8, color=FADED
    )
