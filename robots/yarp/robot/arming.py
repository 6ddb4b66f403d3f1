"""Taking the joints over from the boards, and giving them back.

Only the driven joints' modes are changed, one by one. A fault is never cleared: the one
command that could do it, force idle, is not known here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.so3 import Array
from telexist.robots.drives import ReferenceGate
from telexist.robots.yarp.robot.board_connection import BoardConnection
from telexist.robots.yarp.robot.state_watch import mode_reason

__all__ = ["bring_inside", "give_back", "take_over"]

CONFIRMED = 1.0  # [s] until a change of mode must be seen
LOOK = 0.01  # [s] between two looks
OUTSIDE = 0.01  # [deg] by which a joint may lie beyond its limits
SLOW = 10.0  # [deg/s] of a joint that is brought inside its limits
FARTHEST = 30.0  # [deg] that a joint is brought inside by itself
PATIENCE = 3.0  # [s] beyond the time that the way takes

Now = Callable[[], float]


def take_over(boards: Sequence[BoardConnection], now: Now) -> None:
    """Put all driven joints into position direct, and see that they are.

    Raises:
        RobotLost: If one is not, with its name; the others are given back.
    """
    try:
        for board in boards:
            _set_modes(board, "posd", now)
    except RobotLost:
        give_back(boards, now)
        raise


def give_back(boards: Sequence[BoardConnection], now: Now) -> list[str]:
    """Put the joints that are in position direct into mode `pos`, which holds them.

    Returns:
        What went wrong, for people; the other boards were given back nevertheless.
    """
    problems = []
    for board in boards:
        try:
            modes = _modes(board)
            for joint in board.joints:
                if modes[joint.axis] == "posd":
                    board.rpc.set_mode(joint.axis, "pos")
        except RobotLost as error:
            problems.append(f"{board.part} was not given back: {error}")
    return problems


def bring_inside(
    boards: Sequence[BoardConnection], gate: ReferenceGate, now: Now
) -> None:
    """Let the boards move joints that stand beyond their limits inside, slowly.

    Raises:
        RobotLost: If a joint is too far out, or does not come.
    """
    for board in boards:
        lower, upper = gate.lower[board.rows], gate.upper[board.rows]
        measured = board.measured
        inside = np.clip(measured, lower, upper)
        for joint, q, goal in zip(board.joints, measured, inside, strict=True):
            if abs(goal - q) > FARTHEST:
                raise RobotLost(
                    f"{joint.name} stands at {q:.1f} deg, far from its limit "
                    f"{goal:.1f}: move it there by hand or with yarpmotorgui"
                )
            if abs(goal - q) > OUTSIDE:
                _move_inside(board, joint.axis, float(goal), float(q), now)


def _move_inside(
    board: BoardConnection, axis: int, goal: float, q: float, now: Now
) -> None:
    name = board.axes[axis].name
    board.rpc.set_mode(axis, "pos")
    board.rpc.move(axis, goal, SLOW)
    end = now() + abs(goal - q) / SLOW + PATIENCE
    while abs(board.rpc.encoders()[axis] - goal) > OUTSIDE:
        if now() > end:
            raise RobotLost(
                f"{name} stands at {q:.2f} deg and does not come to its limit "
                f"{goal:.2f}: move it with yarpmotorgui"
            )
        threading.Event().wait(LOOK)


def _set_modes(board: BoardConnection, mode: str, now: Now) -> None:
    for joint in board.joints:
        board.rpc.set_mode(joint.axis, mode)
    asked = now()
    end = asked + CONFIRMED
    while True:
        fresh = board.rpc.modes() is not None or board.arrival > asked
        modes = _modes(board)
        wrong = [j for j in board.joints if modes[j.axis] != mode]
        if fresh and not wrong:
            return
        if now() > end:
            name, found = (wrong[0].name, modes[wrong[0].axis]) if wrong else ("", "")
            reason = (
                mode_reason(name, found) if wrong else f"{board.part} tells no modes"
            )
            raise RobotLost(f"not armed: {reason}")
        threading.Event().wait(LOOK)


def _modes(board: BoardConnection) -> tuple[str, ...]:
    """Return the modes: asked where that is possible, else as the state has them."""
    asked = board.rpc.modes()
    if asked is not None:
        return asked
    board.refresh()
    if board.state is None:
        raise RobotLost(f"{board.part} tells no state")
    return board.state.modes


def first_pose(boards: Sequence[BoardConnection], count: int) -> Array:
    """Return where all driven joints are, asked now (n,) [deg].

    Raises:
        RobotLost: If a board does not say.
    """
    pose = np.full(count, np.nan)
    for board in boards:
        values = board.rpc.encoders()
        if len(values) != len(board.axes):
            raise RobotLost(f"{board.part} tells {len(values)} encoders")
        pose[board.rows] = [values[joint.axis] for joint in board.joints]
    if not np.isfinite(pose).all():
        raise RobotLost("a board tells a position that is no number")
    return pose
