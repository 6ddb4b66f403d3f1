"""Faults of simulated boards at given times: `freeze=left_arm:10:2` and the like."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, UnknownName
from telexist.robots.yarp.simulated.simulated_board import SimulatedBoard
from telexist.robots.yarp.simulated.simulated_robot import SimulatedYarpRobot

__all__ = ["FAULTS", "BoardFault", "parse_board_faults", "play_board_faults"]

FAULTS = {
    "freeze": "freeze=PART:AT:FOR  the board does nothing for a while [s]",
    "kill": "kill=PART:AT  its process ends without a word",
    "fault": "fault=AXIS:AT  hardware fault (hwfa) of an axis",
    "take": "take=AXIS:AT  another program takes the axis (mode vel)",
    "clock": "clock=PART:AT:BY  its clock jumps [s]",
}


@dataclass(frozen=True, slots=True)
class BoardFault:
    """One fault.

    Attributes:
        kind: A key of `FAULTS`.
        where: Part or axis.
        at: When [s] after the start.
        value: How long, or by how much [s].
    """

    kind: str
    where: str
    at: float
    value: float = 0.0


def parse_board_faults(settings: Mapping[str, str]) -> list[BoardFault]:
    """Return the faults that are asked for.

    Raises:
        UnknownName: If there is no such fault.
        BadInput: If a number is none.
    """
    faults = []
    for kind, text in settings.items():
        if kind not in FAULTS:
            raise UnknownName("fault of a board", kind, FAULTS)
        where, *numbers = text.split(":")
        try:
            faults.append(BoardFault(kind, where, *map(float, numbers)))
        except (ValueError, TypeError) as error:
            raise BadInput(f"{kind}={text}: say {FAULTS[kind]}") from error
    return faults


def play_board_faults(
    robot: SimulatedYarpRobot,
    faults: list[BoardFault],
    ending: threading.Event,
    said: Callable[[str], None],
) -> None:
    """Let the faults happen, in order of time, until all did or it ends.

    Raises:
        UnknownName: If a part or an axis is not there.
    """
    for fault in faults:
        _find(robot, fault.where)
    passed = 0.0
    for fault in sorted(faults, key=lambda item: item.at):
        if ending.wait(max(fault.at - passed, 0.0)):
            return
        passed = max(passed, fault.at)
        board, axis = _find(robot, fault.where)
        said(f"{fault.kind} {fault.where}")
        if fault.kind == "freeze":
            board.freeze()
            ending.wait(fault.value)
            passed += fault.value
            board.wake()
        elif fault.kind == "kill":
            board.kill()
        elif fault.kind == "clock":
            board.clock_error += fault.value
        elif axis is not None:
            board.motion.set_mode(axis, "hwfa" if fault.kind == "fault" else "vel")


def _find(robot: SimulatedYarpRobot, name: str) -> tuple[SimulatedBoard, int | None]:
    """Return the board of a part, or the board and number of an axis."""
    if name in robot.boards:
        return robot.boards[name], None
    known = list(robot.boards)
    for board in robot.boards.values():
        names = [axis.name for axis in board.table.axes]
        if name in names:
            return board, names.index(name)
        known += names
    raise UnknownName("part or axis", name, known)
