"""The hands that were found: which chain is which finger, straight and closed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from telexist.retarget.hands import RobotFinger, RobotHand
from telexist.retarget.pictures.palette import FADED, INK, SIDE_COLOURS
from telexist.retarget.so3 import Array

__all__ = ["hands_figure"]

DPI = 100
VIEWS = (("from the back of the hand", 1), ("from the thumb's side", 2))
"""What is drawn to the right of the fingers' direction: column of `RobotHand.palm`."""


def hands_figure(name: str, hands: Sequence[RobotHand]) -> Figure:
    """Draw hands from two sides, straight in colour and closed in grey.

    Args:
        name: Of the robot.
        hands: At least one.
    """
    columns = len(VIEWS) * len(hands)
    figure = Figure(figsize=(3.0 * columns, 4.2), dpi=DPI, facecolor="white")
    for k, hand in enumerate(hands):
        for v, (view, across) in enumerate(VIEWS):
            axes = figure.add_subplot(1, columns, k * len(VIEWS) + v + 1)
            axes.set_aspect("equal")
            axes.axis("off")
            axes.set_title(f"{hand.side}, {view}", fontsize=9, color=FADED)
            mirror = -1.0 if across == 1 and hand.side == "right" else 1.0
            for finger in hand.fingers:
                _draw(axes, hand, finger, mirror * np.eye(3)[across])
    figure.suptitle(f"{name}: hands", fontsize=13, fontweight="bold", color=INK)
    figure.subplots_adjust(0.03, 0.03, 0.97, 0.85)
    return figure


def _draw(axes: Axes, hand: RobotHand, finger: RobotFinger, across: Array) -> None:
    for q, colour, width in (
        (finger.curled, FADED, 1.5),
        (finger.straight, SIDE_COLOURS[hand.side], 4.0),
    ):
        origins, tip = hand.linkage.place(finger.path, q, finger.tip)
        points = np.vstack([np.zeros(3), origins, tip]) @ hand.palm
        right, up = points @ across, points[:, 0]
        axes.plot(right[:2], up[:2], color=FADED, linewidth=0.8, linestyle=":")
        axes.plot(right[1:], up[1:], color=colour, linewidth=width)
        axes.plot(right[1:-1], up[1:-1], "o", color="white", markersize=width / 1.6)
    axes.annotate(
        finger.name,
        (right[-1], up[-1]),
        (0, 4),
        textcoords="offset points",
        fontsize=8,
        color=INK,
        ha="center",
    )
