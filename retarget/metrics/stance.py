"""Feet that should stand, whatever the engine believes of them.

When a foot of the person is planted is judged here from the recording alone: its ankle
is slow and not far above the clip's lowest at three frames in a row. So a sole that
slides or hovers because the engine missed a contact shows in the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.metrics.feet import SoleMotion
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["StanceReport", "measure_stance"]

LEG = 0.9  # [m] from floor to hip, for which the next two are stated
SLOW = 0.16  # [m/s] of a planted ankle
RAISED = 0.085  # [m] above the clip's lowest ankles
LOWEST = 0.02  # share of the frames whose ankles are the lowest
AIR = 0.01  # [m] of the lowest sole, in the air
SMOOTHED = 0.12  # [s] over which the base's height is averaged, twice
BALLISTIC = 0.5  # share of g by which it may fall otherwise
GRAVITY = 9.81  # [m/s^2]


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceReport:
    """How soles stand while the person's feet do; None if those never do.

    Attributes:
        share: Share of time for which a foot of the person is planted.
        held: Share of that for which the robot's sole bears load.
        slide: 95th percentile of the soles' speed along the floor then [m/s].
        hover: 95th percentile of the height of their lowest corners then [m].
        floating: Share of frames in which both soles are in the air and the base does
            not fall as what is in the air does; None for a clip too short to say.
    """

    share: float
    held: float | None
    slide: float | None
    hover: float | None
    floating: float | None

    def to_json(self) -> dict[str, float | None]:
        """Return a plain table, units in the keys."""
        return {
            "person_planted_share": self.share,
            "held_share": self.held,
            "slide_p95_mm_s": None if self.slide is None else 1e3 * self.slide,
            "hover_p95_mm": None if self.hover is None else 1e3 * self.hover,
            "floating_share": self.floating,
        }


def measure_stance(
    clip: HumanClip, motion: RobotMotion, soles: Mapping[str, SoleMotion]
) -> StanceReport | None:
    """Measure the soles while the person's feet are planted.

    None without soles, and for a single frame.
    """
    if not soles or len(clip) < 2:
        return None
    time = np.asarray(motion.time)
    slides, hovers, held, share = [], [], [], []
    for side, sole in soles.items():
        rows = _planted(clip, side)
        speed = np.linalg.norm(np.gradient(sole.centre[:, :2], time, axis=0), axis=-1)
        slides.append(speed[rows])
        hovers.append(sole.corners[rows][..., 2].min(axis=-1))
        held.append(sole.planted[rows])
        share.append(rows.mean())
    every = np.concatenate(held)
    return StanceReport(
        share=float(np.mean(share)),
        held=float(every.mean()) if every.size else None,
        slide=_p95(np.concatenate(slides)),
        hover=_p95(np.concatenate(hovers)),
        floating=_floating(motion, soles),
    )


def _p95(values: Array) -> float | None:
    return float(np.quantile(values, 0.95)) if values.size else None


def _planted(clip: HumanClip, side: str) -> NDArray[np.bool_]:
    unit = clip.size.leg_length / LEG
    feet = [SEGMENT_INDEX[f"{s}Foot"] for s in ("Left", "Right")]
    floor = np.quantile(clip.positions[:, feet, 2].min(axis=1), LOWEST)
    ankle = clip.positions[:, SEGMENT_INDEX[f"{side.capitalize()}Foot"]]
    speed = np.linalg.norm(np.gradient(ankle, clip.time, axis=0), axis=-1)
    now = (speed < SLOW * unit) & (ankle[:, 2] < floor + RAISED * unit)
    rows = now.copy()
    rows[1:] &= now[:-1]
    rows[:-1] &= now[1:]
    return np.asarray(rows)


def _floating(motion: RobotMotion, soles: Mapping[str, SoleMotion]) -> float | None:
    time = np.asarray(motion.time)
    dt = float(np.median(np.diff(time)))
    width = max(1, round(SMOOTHED / dt))
    if len(time) < 4 * width + 3:
        return None
    box = np.ones(width) / width
    smooth = np.convolve(motion.base_position[:, 2], np.convolve(box, box), "valid")
    falls = np.diff(smooth, n=2) / dt**2
    lowest = np.min([s.corners[..., 2].min(axis=1) for s in soles.values()], axis=0)
    begin = (len(time) - len(falls)) // 2
    air = lowest[begin : begin + len(falls)] > AIR
    wrong = np.abs(falls + GRAVITY) > BALLISTIC * GRAVITY
    return float(np.mean(air & wrong))
