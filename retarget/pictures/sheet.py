"""The picture sheet: one page that shows how a clip was carried over to a robot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.metrics import Report, configurations
from telexist.retarget.pictures.figure_row import (
    SPACING,
    Spot,
    draw_person,
    draw_robot,
    prepare_row,
)
from telexist.retarget.pictures.moments import choose_moments
from telexist.retarget.pictures.palette import FADED, INK, SIDE_COLOURS
from telexist.retarget.pictures.plots import plot_errors, plot_heights, plot_limits
from telexist.retarget.pictures.robot_solids import RobotFigure
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SIDES
from telexist.retarget.signals import HumanClip, RobotMotion

__all__ = ["draw_sheet"]

MOMENTS = 8
SIZE = (14.4, 9.2)  # [inch]
DPI = 100


def draw_sheet(
    clip: HumanClip,
    body: RobotBody,
    motion: RobotMotion,
    report: Report,
    *,
    hulls: Sequence[LinkHull] = (),
) -> Figure:
    """Draw the sheet of a motion.

    Args:
        clip: The person.
        body: The robot.
        motion: Its motion, at the times of the clip.
        report: What `make_report` says of it.
        hulls: Convex shapes of the robot's links; bones are drawn if there are none.
    """
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    moments = choose_moments(clip, MOMENTS)
    _header(figure, report)
    people = figure.add_axes((0.005, 0.630, 0.99, 0.290))
    robots = figure.add_axes((0.005, 0.335, 0.99, 0.290))
    _people(people, clip, moments)
    _robots(robots, RobotFigure(body, hulls), motion, moments)
    _captions(robots, report, moments)
    plot_errors(figure.add_axes((0.035, 0.055, 0.335, 0.225)), report, moments)
    heights = figure.add_axes((0.41, 0.055, 0.335, 0.225))
    plot_heights(heights, report, clip, motion, moments)
    plot_limits(figure.add_axes((0.865, 0.055, 0.125, 0.225)), report)
    return figure


def _people(axes: Axes, clip: HumanClip, moments: Sequence[int]) -> None:
    prepare_row(axes, MOMENTS)
    for column, k in enumerate(moments):
        spot = Spot(axes=axes, column=column)
        draw_person(spot, clip.size, clip.rotations[k], clip.positions[k])


def _robots(
    axes: Axes, figure: RobotFigure, motion: RobotMotion, moments: Sequence[int]
) -> None:
    prepare_row(axes, MOMENTS)
    flags = dict(zip(SIDES, (motion.contact_left, motion.contact_right), strict=True))
    shown = configurations(figure.body, motion, moments)
    for column, (k, configuration) in enumerate(zip(moments, shown, strict=True)):
        planted = [side for side in SIDES if flags[side][k]]
        spot = Spot(axes=axes, column=column)
        draw_robot(spot, figure, configuration, planted)


def _captions(axes: Axes, report: Report, moments: Sequence[int]) -> None:
    errors = report.series.errors
    for column, k in enumerate(moments):
        text = f"{errors.time[k]:.2f} s"
        if errors.limbs:
            mean = np.degrees(errors.limb_direction[k].mean())
            text += f"  ·  limbs {mean:.1f}°"
        axes.text(
            column * SPACING,
            1.24,
            text,
            ha="center",
            va="bottom",
            fontsize=8,
            color=FADED,
        )


def _header(figure: Figure, report: Report) -> None:
    figure.text(
        0.012,
        0.972,
        f"{report.clip}  →  {report.robot}",
        fontsize=15,
        fontweight="bold",
        color=INK,
        va="center",
    )
    figure.text(0.012, 0.947, report.verdict, fontsize=9, color=INK)
    figure.text(0.012, 0.928, "   ".join(_main_numbers(report)), fontsize=9, color=INK)
    handles = [Patch(color=SIDE_COLOURS[side], label=f"{side} side") for side in SIDES]
    handles.append(Patch(fill=False, edgecolor=FADED, label="planted sole"))
    figure.legend(
        handles=handles,
        loc="upper right",
        bbox_to_anchor=(0.995, 0.995),
        ncols=3,
        fontsize=8.5,
        frameon=False,
    )


def _main_numbers(report: Report) -> list[str]:
    tracking = report.after_first_second or report.whole_clip
    rate = (report.frames - 1) / report.duration if report.duration > 0.0 else 0.0
    numbers = [f"{report.duration:.1f} s at {rate:.0f} Hz"]
    if tracking.limb_direction_deg is not None:
        limbs = tracking.limb_direction_deg
        numbers.append(f"limb direction {limbs.mean:.1f}° (p95 {limbs.p95:.1f}°)")
    links = tracking.orientation_deg
    numbers.append(f"link orientation {links.mean:.1f}° (p95 {links.p95:.1f}°)")
    feet = report.feet
    if feet is not None and feet.slide is not None and feet.hover is not None:
        numbers.append(
            f"slide {1e3 * feet.slide.p50:.1f} mm/s (p95 {1e3 * feet.slide.p95:.1f})"
        )
        numbers.append(f"hover ≤ {1e3 * feet.hover:.1f} mm")
    if feet is not None:
        numbers.append(f"depth ≤ {1e3 * feet.depth:.1f} mm")
    numbers.append(f"at limits {100.0 * report.limits.share:.1f} %")
    numbers.append(f"violations {report.limits.violations}")
    if not report.collisions.skipped:
        share = report.collisions.frames / max(report.collisions.checked, 1)
        numbers.append(f"self-collision {100.0 * share:.0f} %")
    if report.timing is not None:
        numbers.append(f"{report.timing.real_time_factor:.1f}× real time")
    return numbers
