"""The sheet of a person's dynamics: who strains where, forces, angles and moments."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from telexist.retarget.dynamics import (
    LEG_JOINTS,
    RecordedDynamics,
    leg_moment,
)
from telexist.retarget.ergonomics.scored import RecordedErgonomics
from telexist.retarget.pictures import FADED, INK, SIDE_COLOURS
from telexist.retarget.pictures.body_dynamics.score_plots import draw_scores
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["draw_dynamics_sheet"]

SIDES = ("Left", "Right")
POSES = 7
_BAND = 2.0  # deviations
_MOST = 2000  # samples of a line


def draw_dynamics_sheet(
    result: RecordedDynamics, scores: RecordedErgonomics | None = None
) -> Figure:
    """Draw bodies coloured by effort, ground forces, leg angles and moments.

    Bands are two standard deviations wide on each side.
    """
    rows = [1.7, 1.0, 1.0, 1.0, *([] if scores is None else [1.0]), 0.9]
    figure = Figure(figsize=(14.0, 2.7 * sum(rows)), dpi=100, layout="constrained")
    grid = figure.add_gridspec(len(rows), 3, height_ratios=rows)
    figure.suptitle(
        f"{result.clip.name}: {result.person.mass:.1f} kg, "
        f"{result.clip.size.height:.2f} m, {len(result.body.time)} frames at "
        f"{result.clip.rate:.4g} Hz",
        color=INK,
    )
    bodies = figure.add_subplot(grid[0, :])
    _draw_bodies(bodies, result)
    for column, (joint, axis) in enumerate(zip(LEG_JOINTS, (-1, 1, -1), strict=True)):
        _plot_angle(figure.add_subplot(grid[1, column]), result, joint, axis)
        _plot_moment(figure.add_subplot(grid[2, column]), result, joint)
    for column, (axis, name) in enumerate(
        zip((2, 0, 1), ("up", "ahead (x)", "to the left (y)"), strict=True)
    ):
        _plot_force(figure.add_subplot(grid[3, column]), result, axis, name)
    if scores is not None:
        places = [figure.add_subplot(grid[4, column]) for column in range(3)]
        draw_scores(places, scores)
    _write_notes(figure.add_subplot(grid[-1, :]), result)
    return figure


def _thin(result: RecordedDynamics) -> slice:
    return slice(None, None, max(1, len(result.body.time) // _MOST))


def _frame(axes: Axes, title: str) -> None:
    axes.set_title(title, fontsize=9, color=INK, loc="left")
    axes.tick_params(labelsize=8, colors=INK)
    axes.grid(alpha=0.2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _lines(
    axes: Axes, result: RecordedDynamics, side: str, values: Array, spread: Array | None
) -> None:
    thin = _thin(result)
    time, colour = result.body.time[thin], SIDE_COLOURS[side.lower()]
    if spread is not None:
        low, high = values - _BAND * spread, values + _BAND * spread
        axes.fill_between(time, low[thin], high[thin], color=colour, alpha=0.18, lw=0)
    axes.plot(time, values[thin], color=colour, lw=1.2, label=side.lower())


def _plot_angle(axes: Axes, result: RecordedDynamics, joint: str, sign: int) -> None:
    _frame(axes, f"{joint} [deg]")
    part, _ = LEG_JOINTS[joint]
    for side in SIDES:
        columns = result.person.axes_of(f"{side}{part}")
        angle = sign * np.degrees(result.motion.q[:, columns.start])
        _lines(axes, result, side, angle, None)
    axes.legend(fontsize=7, frameon=False)


def _plot_moment(axes: Axes, result: RecordedDynamics, joint: str) -> None:
    _frame(axes, f"{joint} moment [N m]")
    axes.axhline(0.0, color=FADED, lw=0.6)
    for side in SIDES:
        moment, spread = leg_moment(result, side, joint)
        _lines(axes, result, side, moment, spread)
    _bound(axes, [leg_moment(result, side, joint)[0] for side in SIDES])


def _plot_force(axes: Axes, result: RecordedDynamics, axis: int, name: str) -> None:
    _frame(axes, f"force of the ground, {name} [N]")
    axes.axhline(0.0, color=FADED, lw=0.6)
    curves = []
    for s, side in enumerate(SIDES):
        foot = SEGMENT_INDEX[f"{side}Foot"]
        force = result.body.wrenches[:, foot, axis]
        curves.append(force)
        _lines(axes, result, side, force, result.body.wrenches_sd[:, foot, axis])
        _mark_measured(axes, result, s, side)
    _bound(axes, curves)
    axes.set_xlabel("time [s]; bar below: measured", fontsize=8, color=INK)


def _bound(axes: Axes, curves: list[Array]) -> None:
    """Let the curves, not their bands, choose the range."""
    low = min(float(np.min(curve)) for curve in curves)
    high = max(float(np.max(curve)) for curve in curves)
    room = 0.25 * max(high - low, 1.0)
    axes.set_ylim(low - room, high + room)


def _mark_measured(axes: Axes, result: RecordedDynamics, s: int, side: str) -> None:
    on = result.body.measured[:, s] & result.body.contact[:, s]
    time = np.where(on, result.body.time, np.nan)
    height = 0.02 + 0.025 * s
    axes.plot(
        time,
        np.full(len(time), height),
        color=SIDE_COLOURS[side.lower()],
        lw=3,
        transform=axes.get_xaxis_transform(),
    )


def _draw_bodies(axes: Axes, result: RecordedDynamics) -> None:
    """Draw the bones seen from the left, as dark as their joints strain."""
    axes.set_aspect("equal")
    axes.axis("off")
    efforts = result.body.efforts
    most = max(float(np.percentile(efforts, 99.5)), 1.0)
    colours = colormaps["YlOrRd"]
    frames = np.linspace(0, len(result.body.time) - 1, POSES).astype(int)
    height = result.clip.size.height
    for place, k in enumerate(frames):
        points = result.motion.positions[k]
        shift = np.array([place * 0.85 * height, 0.0, 0.0]) - points[0] * [1.0, 0, 0]
        for link, name in enumerate(SEGMENTS):
            parent = PARENT[name]
            if parent is None:
                continue
            a = points[SEGMENT_INDEX[parent]] + shift
            b = points[link] + shift
            axes.plot(
                [a[0], b[0]],
                [a[2], b[2]],
                color="#b9bec4",
                lw=5,
                zorder=1,
                solid_capstyle="round",
            )
            shade = colours(0.12 + 0.88 * min(efforts[k, link] / most, 1.0))
            axes.scatter(
                [b[0]],
                [b[2]],
                s=46,
                color=[shade],
                zorder=3,
                edgecolors=INK,
                linewidths=0.4,
            )
        head = points[SEGMENT_INDEX["Head"]] + shift
        axes.scatter([head[0]], [head[2] + 0.06 * height], s=260, color="#b9bec4")
        for side in SIDES:
            foot = SEGMENT_INDEX[f"{side}Foot"]
            at, force = points[foot] + shift, result.body.wrenches[k, foot, :3]
            scale = 0.4 * height / (result.person.mass * 9.81)
            axes.annotate(
                "",
                xy=(at[0] + scale * force[0], scale * force[2]),
                xytext=(at[0], 0.0),
                arrowprops={"arrowstyle": "-|>", "color": SIDE_COLOURS[side.lower()]},
                zorder=4,
            )
        axes.text(
            shift[0] + points[0, 0],
            -0.14 * height,
            f"{result.body.time[k]:.2f} s",
            ha="center",
            fontsize=8,
            color=INK,
        )
    axes.axhline(0.0, color=FADED, lw=0.8, zorder=0)
    axes.set_title(
        f"joints by effort, 0 to {most:.0f} N m; arrows: force of the ground",
        fontsize=9,
        color=INK,
        loc="left",
    )


def _write_notes(axes: Axes, result: RecordedDynamics) -> None:
    axes.axis("off")
    lines = [note[:150] for note in result.notes[-12:]]
    axes.text(
        0.0,
        1.0,
        "\n".join(lines),
        fontsize=7,
        va="top",
        color=INK,
        transform=axes.transAxes,
        parse_math=False,
    )
