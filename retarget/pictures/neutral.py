"""A robot's neutral posture beside the person's N-pose: is the link map right?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from telexist.retarget.human_size import HumanSize
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.pictures.camera import FRONT, SIDE
from telexist.retarget.pictures.figure_row import (
    SPACING,
    Spot,
    draw_person,
    draw_robot,
    prepare_row,
)
from telexist.retarget.pictures.palette import FADED, INK, SIDE_COLOURS
from telexist.retarget.pictures.robot_solids import RobotFigure
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import LIMBS, NEUTRAL_DIRECTION, SEGMENTS, SIDES
from telexist.retarget.so3 import angle_between

__all__ = ["neutral_figure"]

SIZE = (11.0, 4.6)  # [inch]
DPI = 100
BESIDE = 0.6  # from person to robot, in columns


def neutral_figure(
    body: RobotBody, size: HumanSize, *, hulls: Sequence[LinkHull] = ()
) -> Figure:
    """Draw N-pose and the robot's neutral posture, from the front and from its right.

    Args:
        body: The robot.
        size: A person.
        hulls: Convex shapes of the robot's links; bones are drawn if there are none.
    """
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor="white")
    axes = figure.add_axes((0.01, 0.01, 0.76, 0.88))
    prepare_row(axes, 2.9, above=1.04)
    rotations = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
    positions = np.array([size.joints[name] for name in SEGMENTS])
    robot = RobotFigure(body, hulls)
    for first, camera, view in ((0.0, FRONT, "front"), (1.3, SIDE, "right side")):
        person, machine = (
            Spot(axes=axes, column=first + k, camera=camera) for k in (0.0, BESIDE)
        )
        draw_person(person, size, rotations, positions)
        draw_robot(machine, robot, body.neutral, tuple(body.soles))
        axes.text(
            (first + 0.5 * BESIDE) * SPACING,
            -0.18,
            view,
            ha="center",
            fontsize=9,
            color=FADED,
        )
    figure.text(
        0.02,
        0.93,
        f"{body.name}: neutral posture beside N-pose",
        fontsize=13,
        fontweight="bold",
        color=INK,
    )
    handles = [Patch(color=SIDE_COLOURS[side], label=f"{side} side") for side in SIDES]
    figure.legend(
        handles=handles, loc="upper right", ncols=2, fontsize=9, frameon=False
    )
    figure.text(
        0.785, 0.85, _facts(body), fontsize=8, color=INK, va="top", family="monospace"
    )
    return figure


def _facts(body: RobotBody) -> str:
    """Return a table: size, and how far each limb is from its neutral direction."""
    kinematics = body.kinematics
    lines = [
        f"{'joints':<16}{kinematics.n:>6}",
        f"{'links mapped':<16}{len(body.links):>6}",
        f"{'leg length':<16}{body.leg_length:>6.2f} m",
        "",
        "limb off N-pose",
    ]
    kinematics.update(body.neutral)
    for limb in LIMBS:
        if limb not in body.limb_directions or limb not in body.links:
            lines.append(f"{limb:<16}{'-':>6}")
            continue
        rotation = kinematics.rotation(kinematics.frame(body.links[limb]))
        along = rotation @ body.limb_directions[limb]
        off = np.degrees(angle_between(along, np.array(NEUTRAL_DIRECTION[limb])))
        lines.append(f"{limb:<16}{float(off):>6.1f}°")
    return "\n".join(lines)
