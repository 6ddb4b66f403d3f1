"""What to look at before a robot behind YARP moves."""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.robots.base import Check
from telexist.robots.drives import ReferenceGate
from telexist.robots.yarp.boards import AxisMap
from telexist.robots.yarp.robot.board_connection import BoardConnection
from telexist.robots.yarp.robot.state_watch import mode_reason
from telexist.robots.yarp.robot.writer_watch import WriterWatch
from telexist.robots.yarp.robot.yarp_settings import YarpSettings

__all__ = ["Check", "check_flight"]

CALM_MODES = ("pos", "posd", "idl")
FRESH = 0.1  # [s]
MOVING = 2.0  # [deg/s]


def check_flight(
    boards: tuple[BoardConnection, ...],
    axes: AxisMap,
    gate: ReferenceGate,
    writers: WriterWatch,
    settings: YarpSettings,
    *,
    senses: str,
    now: float,
) -> list[Check]:
    """Return one line for each thing, with whether it is well."""
    return [
        _boards(boards, axes),
        _limits(gate, settings),
        _modes(boards),
        _pose(boards, gate),
        _rest(boards),
        _clocks(boards),
        _age(boards, now),
        _others(writers, settings),
        Check(what="senses", well=True, detail=senses),
    ]


def _boards(boards: tuple[BoardConnection, ...], axes: AxisMap) -> Check:
    parts = ", ".join(f"{b.part} (YARP {b.found.dialect.version})" for b in boards)
    text = f"{len(axes.joints)} joints on {parts}"
    if axes.fingers or axes.eyes:
        text += f"; {len(axes.fingers)} axes of fingers and {len(axes.eyes)} of eyes"
    if axes.undriven:
        text += f"; not driven: {len(axes.undriven)} joints"
    if axes.left_alone:
        text += f"; left alone: {len(axes.left_alone)} axes of eyes and fingers"
    return Check(what="boards", well=True, detail=text)


def _limits(gate: ReferenceGate, settings: YarpSettings) -> Check:
    slow, fast = gate.speed.min(), gate.speed.max()
    text = (
        f"those of board and model together; at most {fast:.0f} deg/s"
        + (f" (slowest joint {slow:.0f})" if slow < fast else "")
        + f", first motion at {settings.first:.0%} of it"
    )
    return Check(what="limits", well=True, detail=text)


def _modes(boards: tuple[BoardConnection, ...]) -> Check:
    found: list[str] = []
    for board in boards:
        for joint in board.joints:
            mode = board.state.modes[joint.axis] if board.state else "?"
            if mode not in CALM_MODES:
                found.append(mode_reason(joint.name, mode))
    detail = "; ".join(found) or "no joint is in fault or driven by others"
    return Check(what="modes and faults", well=not found, detail=detail)


def _pose(boards: tuple[BoardConnection, ...], gate: ReferenceGate) -> Check:
    found = []
    for board in boards:
        for joint, q, low, high in zip(
            board.joints,
            board.measured,
            gate.lower[board.rows],
            gate.upper[board.rows],
            strict=True,
        ):
            if not low - 0.01 <= q <= high + 0.01:
                found.append(
                    f"{joint.name} {q:.1f} outside {low:.1f} to {high:.1f} deg"
                )
    detail = "every joint is inside its limits"
    if found:
        detail = "; ".join(found) + ": brought inside at 10 deg/s when armed"
    return Check(what="pose", well=True, detail=detail)


def _rest(boards: tuple[BoardConnection, ...]) -> Check:
    found = []
    for board in boards:
        speeds = board.state.velocity if board.state else ()
        for joint in board.joints:
            if speeds and abs(speeds[joint.axis]) > MOVING:
                found.append(f"{joint.name} moves at {speeds[joint.axis]:.0f} deg/s")
    detail = "; ".join(found) or "no joint moves"
    return Check(what="rest", well=not found, detail=detail)


def _clocks(boards: tuple[BoardConnection, ...]) -> Check:
    offsets = [board.clock.offset or 0.0 for board in boards]
    spread = float(np.ptp(offsets))
    text = f"boards agree within {spread * 1e3:.1f} ms"
    return Check(what="clocks", well=spread < FRESH, detail=text)


def _age(boards: tuple[BoardConnection, ...], now: float) -> Check:
    oldest = max(now - board.stamp for board in boards)
    text = f"the oldest state is {oldest * 1e3:.0f} ms old"
    return Check(what="state", well=oldest < FRESH, detail=text)


def _others(writers: WriterWatch, settings: YarpSettings) -> Check:
    try:
        found = [f"{name} to {board.part}" for board, name in writers.look()]
    except RobotLost as error:
        return Check(what="other writers", well=False, detail=str(error))
    detail = ", ".join(found) or "none"
    well = not found or settings.others == "yes"
    return Check(what="other writers", well=well, detail=detail)
