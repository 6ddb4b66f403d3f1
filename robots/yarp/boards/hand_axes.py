"""How the axes of IIT's hands close, and where the eyes look.

The models have no fingers, so a hand goes by one number, from open to closed. Axes that
bend a finger go from one limit of the board to near the other; those that spread
fingers or turn the thumb take a grasp's place and stay there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import HandCommand
from telexist.robots.yarp.boards.axis_map import BoardJoint

__all__ = ["HandAxes"]

CLOSED = 0.85  # share of a bending axis' range: a fist without pressing on its stop
SPREADS = re.compile(r"[lr]_(hand_finger|(thumb|index)_add|thumb_oppose)$")
GRASP = {"hand_finger": 1.0, "thumb_oppose": 0.6, "thumb_add": 0.6, "index_add": 0.0}
"""Share of the range of the axes that do not bend a finger."""

LEAD = 15.0  # [deg] of a bending axis ahead of where it is: what it holds stops it


class HandAxes:
    """Turns a command of the hands into degrees of their axes; eyes look ahead.

    Attributes:
        axes: Fingers, then eyes.
    """

    def __init__(
        self, fingers: Sequence[BoardJoint], eyes: Sequence[BoardJoint]
    ) -> None:
        """Take the axes that are driven."""
        self.axes = (*fingers, *eyes)
        limits = [(axis.limits.lower, axis.limits.upper) for axis in self.axes]
        self._lower, self._upper = np.reshape(limits, (-1, 2)).T
        way = self._upper - self._lower
        names = [axis.name for axis in fingers]
        k = len(names)
        self._right = np.array([name.startswith("r_") for name in names], dtype=bool)
        self._bends = np.array([not SPREADS.match(name) for name in names], dtype=bool)
        self._ahead = np.clip(0.0, self._lower[k:], self._upper[k:])
        grasp = [GRASP.get(name[2:], 0.0) for name in names]
        self._open = self._lower[:k] + np.where(self._bends, 0.0, grasp) * way[:k]
        closed = self._lower[:k] + CLOSED * way[:k]
        self._closed = np.where(self._bends, closed, self._open)
        self._closing = np.zeros(2)

    def goal(self, hands: HandCommand | None, measured: Array) -> Array:
        """Return where the axes are to be (k,) [deg].

        Args:
            hands: What is asked; None, or no number, leaves them as they were asked.
            measured: Where the axes are (k,) [deg].
        """
        if hands is not None:
            asked = np.clip([hands.left, hands.right], 0.0, 1.0)
            self._closing = np.where(np.isfinite(asked), asked, self._closing)
        share = self._closing[self._right.astype(np.intp)]
        fingers = self._open + share * (self._closed - self._open)
        k = len(fingers)
        near = np.clip(fingers, measured[:k] - LEAD, measured[:k] + LEAD)
        held = self._bends & np.isfinite(near)
        return np.concatenate([np.where(held, near, fingers), self._ahead])
