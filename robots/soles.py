"""Find the rectangles on which a robot stands, from the shapes of its feet.

Feet are flat and point ahead in the zero posture. A sole is what of a foot lies at its
bottom: collision shapes where the model has them, else what is drawn, else the frames
that hang on the foot, else a share of the leg's length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retarget.robot_body import Sole
from retarget.so3 import Array
from robots.anatomy import Anatomy
from robots.limb_parts import LimbParts
from robots.link_map import main_link
from robots.mechanism import Mechanism
from robots.meshes import collision_shapes, visual_shapes
from robots.shape_points import points_of

__all__ = ["FoundSoles", "find_soles"]

BOTTOMS = (0.02, 0.12)  # of a foot's height: points so near its lowest are the sole's
MIN_WIDTH = 0.02  # of the leg's length: else it is no sole
MIN_LENGTH, MAX_LENGTH = 0.06, 0.8  # of the leg's length: else it is no sole
LENGTH, WIDTH, ANKLE_HEIGHT = 0.28, 0.11, 0.07  # of the leg's length, where unknown
MIN_HEIGHT = 0.02  # of the leg's length: a lower frame is the ankle's own
BEHIND_ANKLE = 0.3  # of the sole's length, where unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSoles:
    """The result.

    Attributes:
        soles: "left" and "right"; empty for a robot without ankles.
        notes: Where they come from, if not from the shapes of the feet.
    """

    soles: Mapping[str, Sole]
    notes: tuple[str, ...]


def find_soles(anatomy: Anatomy) -> FoundSoles:
    """Find the soles of a robot."""
    mechanism = anatomy.mechanism
    soles: dict[str, Sole] = {}
    notes: list[str] = []
    root_R_sole = np.column_stack([anatomy.forward, anatomy.left, anatomy.up])
    for side, leg in anatomy.legs.items():
        if leg.outer:
            soles[side] = _sole(mechanism, leg, root_R_sole, side, notes)
    return FoundSoles(soles=soles, notes=tuple(notes))


def _sole(
    mechanism: Mechanism,
    leg: LimbParts,
    root_R_sole: Array,
    side: str,
    notes: list[str],
) -> Sole:
    foot = leg.outer[-1]
    ankle = foot.origin @ root_R_sole
    length = float(leg.upper[0].origin @ root_R_sole[:, 2] - ankle[2])
    main = main_link(mechanism, foot)
    wide: Sole | None = None
    for source in (collision_shapes, visual_shapes):
        shapes = [s for s in source(mechanism.urdf) if s.link in foot.links]
        found = [(s.link, p @ root_R_sole) for s, p in points_of(mechanism, shapes)]
        for bottom in BOTTOMS:
            sole = _rectangle(mechanism, found, bottom, root_R_sole, length, main)
            if sole is not None and sole.width <= sole.length:
                return sole
            wide = wide or sole
    if wide is not None:
        notes.append(f"soles.{side}: wider than long, as the model has it: check it")
        return wide
    frames = [(n, mechanism.pose_of[n].p[None] @ root_R_sole) for n in foot.links]
    sole = _rectangle(mechanism, frames, BOTTOMS[-1], root_R_sole, length, main)
    if sole is not None:
        notes.append(f"soles.{side}: no shapes on the foot; taken from its frames")
        return sole
    notes.append(f"soles.{side}: no shapes on the foot; a share of the leg's length")
    lowest = min(float(points[0, 2]) for _, points in frames)
    return _guessed(mechanism, main, ankle, lowest, length, root_R_sole)


def _rectangle(
    mechanism: Mechanism,
    found: Sequence[tuple[str, Array]],
    bottom: float,
    root_R_sole: Array,
    leg_length: float,
    main: str,
) -> Sole | None:
    """Return the rectangle around the lowest points; None if it is no sole.

    Args:
        mechanism: The robot.
        found: Links and points on them (k, 3), x ahead, y left, z up [m].
        bottom: Share of the height that counts as the bottom.
        root_R_sole: Axes of the sole in the root link (3, 3).
        leg_length: From hip to ankle [m].
        main: Link that carries a sole made of several links' shapes.
    """
    if not found:
        return None
    everything = np.vstack([points for _, points in found])
    low, high = everything[:, 2].min(), everything[:, 2].max()
    near = low + max(bottom * (high - low), 1e-4)
    lowest = everything[everything[:, 2] <= near]
    smallest, greatest = lowest.min(axis=0), lowest.max(axis=0)
    size = greatest - smallest
    if not MIN_LENGTH * leg_length < size[0] < MAX_LENGTH * leg_length:
        return None
    if not MIN_WIDTH * leg_length < size[1] < MAX_LENGTH * leg_length:
        return None
    carriers = {name for name, points in found if np.any(points[:, 2] <= near)}
    link = carriers.pop() if len(carriers) == 1 else main
    middle = np.array([*(0.5 * (smallest + greatest)[:2]), low])
    return _in_link(mechanism, link, middle, root_R_sole, (size[0], size[1]))


def _in_link(
    mechanism: Mechanism,
    link: str,
    middle: Array,
    root_R_sole: Array,
    size: tuple[float, float],
) -> Sole:
    pose = mechanism.pose_of[link]
    return Sole(
        link=link,
        link_p_sole=pose.R.T @ (root_R_sole @ middle - pose.p),
        link_R_sole=pose.R.T @ root_R_sole,
        length=float(size[0]),
        width=float(size[1]),
    )


def _guessed(
    mechanism: Mechanism,
    main: str,
    ankle: Array,
    lowest: float,
    leg_length: float,
    root_R_sole: Array,
) -> Sole:
    """Return a sole of human proportions, as low as the foot's lowest frame."""
    length, width = LENGTH * leg_length, WIDTH * leg_length
    height = max(float(ankle[2]) - lowest, 0.0)
    if height < MIN_HEIGHT * leg_length:
        height = ANKLE_HEIGHT * leg_length
    middle = ankle + np.array([(0.5 - BEHIND_ANKLE) * length, 0.0, -height])
    return _in_link(mechanism, main, middle, root_R_sole, (length, width))
