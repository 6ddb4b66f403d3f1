"""Goals of IIT's walking controllers: two or three numbers from -1 to 1.

Three numbers (their `direct` planner): ahead, turning left, to the left, each a share
of a speed that the walking module's `goal_port_scaling` states. Two numbers (a point to
walk to): ahead and to the left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, BadMessage
from telexist.robots.yarp.wire import Bottle

__all__ = ["GoalScale", "read_walk_goal", "walk_goal_items"]

LARGEST = 10.0  # of a goal that is believed


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalScale:
    """Speeds that a goal of 1 stands for; `goal_port_scaling` of the walking module.

    Attributes:
        ahead: [m/s].
        turn: [rad/s].
        side: [m/s].
    """

    ahead: float = 0.5
    turn: float = 1.0
    side: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what is no speed."""
        for name in ("ahead", "turn", "side"):
            value = getattr(self, name)
            if not (math.isfinite(value) and 0.0 < value <= LARGEST):
                raise BadInput(f"scale of a goal: {name} = {value:g}: choose 0 to 10")


def walk_goal_items(
    velocity: tuple[float, float, float], scale: GoalScale, count: int
) -> Bottle:
    """Return the goal that asks for a velocity.

    Args:
        velocity: Ahead, to the left [m/s], turning left [rad/s].
        scale: Of the walking module.
        count: 3 for its direct planner; 2 for a point, to the side of which it turns.

    Raises:
        BadInput: If a number is not finite.
    """
    if not all(map(math.isfinite, velocity)):
        raise BadInput("a walking goal that is not finite; not published")
    vx, vy, wz = velocity
    ahead, turn, side = vx / scale.ahead, wz / scale.turn, vy / scale.side
    goal = (ahead, turn, side) if count == 3 else (ahead, turn + side)
    return [min(max(value, -1.0), 1.0) for value in goal]


def read_walk_goal(items: Bottle, scale: GoalScale) -> tuple[float, float, float]:
    """Return the velocity that a goal asks for: ahead, to the left, turning left.

    Raises:
        BadMessage: If it is no goal.
    """
    good = [
        float(item)
        for item in items
        if isinstance(item, int | float) and abs(item) <= LARGEST  # NaN is not
    ]
    if len(good) != len(items) or len(good) not in (2, 3):
        raise BadMessage("a walking goal is 2 or 3 numbers")
    unit = [min(max(value, -1.0), 1.0) for value in good]
    side = unit[2] * scale.side if len(unit) == 3 else 0.0
    return unit[0] * scale.ahead, side, unit[1] * scale.turn
