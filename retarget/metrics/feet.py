"""Whether standing feet stand: slide, depth and hover of the soles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.metrics.link_motion import LinkMotion
from telexist.retarget.metrics.spread import Spread
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["FeetReport", "SoleMotion", "measure_feet", "sole_motions"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SoleMotion:
    """One sole over time.

    Attributes:
        centre: Its middle (t, 3) [m].
        corners: Its corners (t, 4, 3) [m].
        planted: Whether it is said to stand (t,) bool.
    """

    centre: Array
    corners: Array
    planted: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class FeetReport:
    """How well planted feet stand; distances [m], speeds [m/s].

    Attributes:
        planted_share: Share of time that each foot is planted.
        slide: Horizontal speed of planted soles' middles; None if never planted.
        corner_slide: The same for the fastest corner.
        depth: How far any corner was ever below the floor.
        hover: How far the lowest corner of a planted sole was ever above it; None if
            never planted.
    """

    planted_share: Mapping[str, float]
    slide: Spread | None
    corner_slide: Spread | None
    depth: float
    hover: float | None

    def to_json(self) -> dict[str, object]:
        """Return plain tables, units in the keys."""
        return {
            "planted_share": dict(self.planted_share),
            "slide_mm_s": _in_mm(self.slide),
            "corner_slide_mm_s": _in_mm(self.corner_slide),
            "sole_depth_max_mm": 1e3 * self.depth,
            "planted_hover_max_mm": None if self.hover is None else 1e3 * self.hover,
        }


def _in_mm(spread: Spread | None) -> dict[str, float] | None:
    if spread is None:
        return None
    return {name: 1e3 * value for name, value in spread.to_json().items()}


def sole_motions(
    body: RobotBody, motion: RobotMotion, links: LinkMotion
) -> dict[str, SoleMotion]:
    """Follow the soles of a robot; `links` must hold the links that carry them."""
    flags = {"left": motion.contact_left, "right": motion.contact_right}
    found = {}
    for side, sole in body.soles.items():
        R, p = links.rotation(sole.link), links.position(sole.link)
        link_p_corners = sole.link_p_sole + sole.corners() @ sole.link_R_sole.T
        found[side] = SoleMotion(
            centre=p + R @ sole.link_p_sole,
            corners=p[:, None] + link_p_corners @ np.swapaxes(R, -1, -2),
            planted=np.asarray(flags[side], dtype=bool),
        )
    return found


def measure_feet(time: Array, soles: Mapping[str, SoleMotion]) -> FeetReport | None:
    """Measure planted feet; None for a robot without soles.

    Slide counts between two consecutive frames in both of which the foot is planted.
    """
    if not soles:
        return None
    slides, corner_slides, hovers = [], [], []
    for sole in soles.values():
        both = sole.planted[1:] & sole.planted[:-1]
        dt = np.diff(time)[both]
        step = np.linalg.norm(np.diff(sole.centre[:, :2], axis=0)[both], axis=-1)
        corner = np.linalg.norm(np.diff(sole.corners[..., :2], axis=0)[both], axis=-1)
        slides.append(step / dt)
        corner_slides.append(corner.max(axis=-1) / dt)
        hovers.append(sole.corners[sole.planted][..., 2].min(axis=-1))
    hover = np.concatenate(hovers)
    lowest = min(float(sole.corners[..., 2].min()) for sole in soles.values())
    return FeetReport(
        planted_share={side: float(s.planted.mean()) for side, s in soles.items()},
        slide=Spread.of(np.concatenate(slides)),
        corner_slide=Spread.of(np.concatenate(corner_slides)),
        depth=max(0.0, -lowest),
        hover=max(0.0, float(hover.max())) if hover.size else None,
    )
