"""Figures on a floor: a person or a robot at a place on the paper."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from telexist.retarget.human_size import HumanSize
from telexist.retarget.kinematics import Configuration
from telexist.retarget.pictures.camera import THREE_QUARTER, Camera
from telexist.retarget.pictures.human_solids import human_solids
from telexist.retarget.pictures.paint import Stage, paint
from telexist.retarget.pictures.palette import FADED, FLOOR, SIDE_COLOURS
from telexist.retarget.pictures.robot_solids import RobotFigure
from telexist.retarget.pictures.solids import PaintedSolid
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["SPACING", "Spot", "draw_person", "draw_robot", "prepare_row"]

SPACING = 0.95  # between columns, in heights of a figure
BELOW, ABOVE = 0.20, 1.24  # paper under and over the middle of the floor, in heights
FLOOR_HALF = 0.32  # half the edge of the piece of floor, in heights
MARK = 1.5  # size of the mark under a planted sole, in soles
ARROW = 0.30  # length of the arrow that shows the heading, in heights


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where on the paper a figure is drawn: in a column of axes, seen by a camera."""

    axes: Axes
    column: float = 0.0
    camera: Camera = THREE_QUARTER


def prepare_row(axes: Axes, columns: float, *, above: float = ABOVE) -> None:
    """Set axes up for a row of figures of height 1, with paper `above` the floor."""
    axes.set_xlim(-SPACING / 2.0, (columns - 0.5) * SPACING)
    axes.set_ylim(-BELOW, above)
    axes.set_aspect("equal", anchor="C")
    axes.axis("off")


def draw_person(
    spot: Spot, size: HumanSize, rotations: Array, positions: Array
) -> None:
    """Draw a person.

    Args:
        spot: Where.
        size: The person's joints and tips in N-pose.
        rotations: `world_R_segment` (23, 3, 3).
        positions: Origins of the segments (23, 3) [m].
    """
    pelvis = SEGMENT_INDEX["Pelvis"]
    middle = positions[pelvis] * np.array([1.0, 1.0, 0.0])
    stage = _set_up(spot, middle, size.height, rotations[pelvis, :, 0])
    paint(spot.axes, human_solids(size, rotations, positions), stage)


def draw_robot(
    spot: Spot,
    figure: RobotFigure,
    configuration: Configuration,
    planted: Collection[str] = (),
) -> None:
    """Draw a robot, with marks on the floor under the soles that are planted."""
    solids: Sequence[PaintedSolid] = figure.solids(configuration)
    base = configuration.world_p_base
    middle = np.array([base[0], base[1], figure.floor])
    stage = _set_up(spot, middle, figure.height, figure.heading(configuration))
    for side in figure.body.soles:
        if side in planted:
            outline = stage.floor(figure.sole_outline(side))
            middle_of_sole = outline.mean(axis=0)
            mark = Polygon(
                middle_of_sole + MARK * (outline - middle_of_sole),
                facecolor="white",
                edgecolor=SIDE_COLOURS[side],
                linewidth=1.3,
                zorder=2,
            )
            spot.axes.add_patch(mark)
    paint(spot.axes, solids, stage)


def _set_up(spot: Spot, middle: Array, height: float, heading: Array) -> Stage:
    """Lay a piece of floor with an arrow that shows the heading."""
    stage = Stage(spot.camera, middle, 1.0 / height, spot.column * SPACING)
    half = FLOOR_HALF * height
    square = half * np.array([[1, 1, 0], [1, -1, 0], [-1, -1, 0], [-1, 1, 0]])
    outline = stage.floor(middle + square)
    spot.axes.add_patch(Polygon(outline, facecolor=FLOOR, edgecolor="none", zorder=0))
    ahead = heading * np.array([1.0, 1.0, 0.0])
    length = float(np.linalg.norm(ahead))
    if length > 1e-6:
        start = stage.floor(middle).tolist()
        end = stage.floor(middle + ARROW * height * ahead / length).tolist()
        spot.axes.annotate(
            "",
            xy=(end[0], end[1]),
            xytext=(start[0], start[1]),
            arrowprops={"arrowstyle": "-|>", "color": FADED, "lw": 1.0},
            zorder=2,
        )
    return stage
