"""Which boards are driven, what bounds their axes, and the first word from each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.robot_body import RobotBody
from telexist.robots.drives import ReferenceGate
from telexist.robots.yarp.boards import AxisMap
from telexist.robots.yarp.robot.board_connection import BoardConnection

__all__ = ["await_states", "choose_boards", "make_gate"]

FIRST_STATE = 3.0  # [s] until every board must have told its state
LOOK = 0.01  # [s] between two looks


def choose_boards(
    boards: Sequence[BoardConnection], axes: AxisMap
) -> tuple[BoardConnection, ...]:
    """Tell each board its axes; boards without any are closed and left alone."""
    used, driven = [], axes.driven
    for board in boards:
        rows = [i for i, axis in enumerate(driven) if axis.part == board.part]
        if not rows:
            board.close()
            continue
        board.drive([driven[i] for i in rows], rows)
        used.append(board)
    return tuple(used)


def make_gate(axes: AxisMap, body: RobotBody, top_speed: float) -> ReferenceGate:
    """Return the bounds of all driven axes: of board, model and user together.

    Args:
        axes: What is driven.
        body: The model's limits.
        top_speed: That no axis exceeds [deg/s].
    """
    driven, n = axes.driven, len(axes.joints)
    joints = np.array([axis.joint for axis in axes.joints], dtype=np.intp)
    lower, upper = np.full(len(driven), -np.inf), np.full(len(driven), np.inf)
    speed = np.full(len(driven), top_speed)
    lower[:n], upper[:n] = (
        np.degrees(body.lower[joints]),
        np.degrees(body.upper[joints]),
    )
    speed[:n] = np.minimum(speed[:n], np.degrees(body.velocity[joints]))
    told = [a.limits.speed if a.limits.speed > 0.0 else np.inf for a in driven]
    return ReferenceGate(
        tuple(axis.name for axis in driven),
        np.maximum(lower, [axis.limits.lower for axis in driven]),
        np.minimum(upper, [axis.limits.upper for axis in driven]),
        np.minimum(speed, told),
    )


def await_states(boards: Sequence[BoardConnection], now: Callable[[], float]) -> None:
    """Wait until every board's state is there and its clock is known.

    Raises:
        RobotLost: If one tells nothing.
    """
    end = now() + FIRST_STATE
    while waiting := [board for board in boards if board.clock.offset is None]:
        if now() > end:
            raise RobotLost(
                f"{waiting[0].found.state.name} tells nothing, or without stamps "
                f"({waiting[0].heard} messages in {FIRST_STATE:g} s)"
            )
        threading.Event().wait(LOOK)
    for board in boards:
        board.refresh()
