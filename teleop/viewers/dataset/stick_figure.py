"""A robot's motion as lines between points, small enough for a page to play."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.metrics import link_motion
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import PARENT
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["stick_figure"]

RATE = 30.0  # [Hz] at which it is shown
MOST_FRAMES = 5000


def stick_figure(body: RobotBody, motion: RobotMotion) -> dict[str, Any]:
    """Return points [mm] over time and the lines between them, as plain tables.

    Points are the origins of the links that play segments of a person, and the corners
    of the soles.
    """
    segments = list(body.links)
    soles = [sole.link for sole in body.soles.values()]
    every = max(1, round(_rate(motion) / RATE), -(-len(motion.time) // MOST_FRAMES))
    frames = list(range(0, len(motion.time), every))
    links = link_motion(body, motion, (*body.links.values(), *soles), frames)
    points = [links.position(body.links[name]) for name in segments]
    lines = [
        (segments.index(above), k)
        for k, name in enumerate(segments)
        if (above := _next_inwards(body, name))
    ]
    for side, sole in body.soles.items():
        R, p = links.rotation(sole.link), links.position(sole.link)
        corners = sole.link_p_sole + sole.corners() @ sole.link_R_sole.T
        first = len(points)
        points += list(np.swapaxes(p[:, None] + corners @ np.swapaxes(R, -1, -2), 0, 1))
        lines += [
            (first + k, first + (k + 1) % len(corners)) for k in range(len(corners))
        ]
        foot = f"{side.capitalize()}Foot"
        if foot in segments:
            lines += [(segments.index(foot), first), (segments.index(foot), first + 2)]
    stacked = np.stack(points, axis=1)
    return {
        "rate": _rate(motion) / every,
        "frames": len(frames),
        "points": stacked.shape[1],
        "lines": lines,
        "left": [k for k, name in enumerate(segments) if name.startswith("Left")],
        "mm": _millimetres(stacked),
        "contacts": [
            int(motion.contact_left[k]) + 2 * int(motion.contact_right[k])
            for k in frames
        ],
    }


def _rate(motion: RobotMotion) -> float:
    if len(motion.time) < 2:
        return RATE
    return float((len(motion.time) - 1) / (motion.time[-1] - motion.time[0]))


def _millimetres(points: Array) -> list[int]:
    return [int(v) for v in np.rint(1e3 * np.clip(points, -1e3, 1e3)).ravel()]


def _next_inwards(body: RobotBody, segment: str) -> str | None:
    """Return the first mapped segment towards the pelvis."""
    above = PARENT[segment]
    while above is not None and above not in body.links:
        above = PARENT[above]
    return above
