"""Find the rectangles on which a robot stands, from the shapes of its feet.

Feet are flat and point ahead in the zero posture. A sole is what of a foot lies at its
bottom: collision shapes where the model has them, else what is drawn, else the frames
that hang on the foot, else a share of the leg's length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.robots.draft.anatomy import Anatomy
from telexist.robots.draft.body_tree import BodyTree
from telexist.robots.draft.limb_parts import LimbParts
from telexist.robots.draft.link_map import main_link
from telexist.robots.draft.shape_points import points_of
from telexist.robots.urdf import LinkShape, collision_shapes, visual_shapes

__all__ = ["FoundSoles", "find_soles"]

BOTTOMS = (0.02, 0.12)  # of a foot's height: points so near its lowest are the sole's
MIN_WIDTH = 0.02  # of the leg's length: else it is no sole
MIN_LENGTH, MAX_LENGTH = 0.06, 0.8  # of the leg's length: else it is no sole
LENGTH, WIDTH, ANKLE_HEIGHT = 0.28, 0.11, 0.07  # of the leg's length, where unknown
MIN_HEIGHT = 0.02  # of the leg's length: a lower frame is the ankle's own
MIN_LEG = 0.05  # [m]
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
    soles: dict[str, Sole] = {}
    notes: list[str] = []
    root_R_sole = np.column_stack([anatomy.forward, anatomy.left, anatomy.up])
    for side, leg in anatomy.legs.items():
        if leg.outer:
            foot = _Foot(anatomy.tree, leg, root_R_sole)
            soles[side], note = foot.sole()
            notes += [f"soles.{side}: {note}"] if note else []
    return FoundSoles(soles=soles, notes=tuple(notes))


class _Foot:
    """A foot in the zero posture; points in sole axes: x ahead, y left, z up."""

    def __init__(self, tree: BodyTree, leg: LimbParts, root_R_sole: Array) -> None:
        self.tree, self.root_R_sole = tree, root_R_sole
        self.body = leg.outer[-1]
        self.main = main_link(tree, self.body)
        self.ankle: Array = self.body.origin @ root_R_sole
        hip = leg.upper[0].origin @ root_R_sole
        self.leg_length = max(abs(float(hip[2] - self.ankle[2])), MIN_LEG)

    def sole(self) -> tuple[Sole, str]:
        """Return the sole, and a note if it is not from the foot's shapes."""
        wide: Sole | None = None
        for source in (collision_shapes, visual_shapes):
            found = self._points(source(self.tree.urdf))
            for bottom in BOTTOMS:
                sole = self._rectangle(found, bottom)
                if sole is not None and sole.width <= sole.length:
                    return sole, ""
                wide = wide or sole
        if wide is not None:
            return wide, "wider than long, as the model has it: check it"
        frames = [(n, self._frame(n)[None]) for n in self.body.links]
        sole = self._rectangle(frames, BOTTOMS[-1])
        if sole is not None:
            return sole, "no shapes on the foot; taken from its frames"
        return self._guessed(), "no shapes on the foot; a share of the leg's length"

    def _points(self, shapes: Iterable[LinkShape]) -> list[tuple[str, Array]]:
        own = [shape for shape in shapes if shape.link in self.body.links]
        found = points_of(self.tree, own)
        return [(shape.link, points @ self.root_R_sole) for shape, points in found]

    def _frame(self, link: str) -> Array:
        return np.asarray(self.tree.pose_of[link].p @ self.root_R_sole)

    def _rectangle(
        self, found: Sequence[tuple[str, Array]], bottom: float
    ) -> Sole | None:
        """Return the rectangle around the lowest points; None if it is no sole.

        Args:
            found: Links and points on them (k, 3) [m].
            bottom: Share of the foot's height that counts as its bottom.
        """
        if not found:
            return None
        everything = np.vstack([points for _, points in found])
        low, high = everything[:, 2].min(), everything[:, 2].max()
        near = low + max(bottom * (high - low), 1e-4)
        lowest = everything[everything[:, 2] <= near]
        smallest, greatest = lowest.min(axis=0), lowest.max(axis=0)
        length, width, _ = (greatest - smallest) / self.leg_length
        if not (MIN_LENGTH < length < MAX_LENGTH and MIN_WIDTH < width < MAX_LENGTH):
            return None
        carriers = {name for name, points in found if np.any(points[:, 2] <= near)}
        link = carriers.pop() if len(carriers) == 1 else self.main
        middle = np.array([*(0.5 * (smallest + greatest)[:2]), low])
        return self._on_link(link, middle, greatest - smallest)

    def _guessed(self) -> Sole:
        """Return a sole of human proportions, as low as the foot's lowest frame."""
        lowest = min(self._frame(link)[2] for link in self.body.links)
        height = float(self.ankle[2] - lowest)
        if height < MIN_HEIGHT * self.leg_length:
            height = ANKLE_HEIGHT * self.leg_length
        size = self.leg_length * np.array([LENGTH, WIDTH])
        ahead = (0.5 - BEHIND_ANKLE) * size[0]
        return self._on_link(self.main, self.ankle + [ahead, 0.0, -height], size)

    def _on_link(self, link: str, middle: Array, size: Array) -> Sole:
        pose = self.tree.pose_of[link]
        return Sole(
            link=link,
            link_p_sole=pose.R.T @ (self.root_R_sole @ middle - pose.p),
            link_R_sole=pose.R.T @ self.root_R_sole,
            length=float(size[0]),
            width=float(size[1]),
        )
