"""What a board tells of itself: `stateExt:o`, 22 fields in YARP 3, 24 in YARP 4."""

from __future__ import annotations

import math
from dataclasses import dataclass

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire import OK, Dialect, Vocab, decode_bottle

__all__ = ["BoardState", "read_board_state"]

POSITION, VELOCITY, TORQUE, MODES, TEMPERATURE = 0, 2, 12, 18, 22
FIELDS = {3: 22, 4: 24}
NO_MODE = "?"


@dataclass(frozen=True, slots=True)
class BoardState:
    """One board at one time; degrees, deg/s, N m, deg C.

    Attributes:
        position: Of each axis, or empty where the board says it is not valid.
        velocity: Likewise.
        torque: Likewise.
        modes: Control mode of each axis: "pos", "posd", "hwfa", ...
        temperature: Of each motor, or empty.
    """

    position: tuple[float, ...]
    velocity: tuple[float, ...]
    torque: tuple[float, ...]
    modes: tuple[str, ...]
    temperature: tuple[float, ...] = ()


def read_board_state(payload: bytes, axes: int, dialect: Dialect) -> BoardState:
    """Return the state in a message.

    Args:
        payload: Bytes of the message.
        axes: How many axes the board has.
        dialect: Of YARP.

    Raises:
        BadMessage: If it is no state of such a board.
    """
    items = decode_bottle(payload, dialect)
    if len(items) != FIELDS[dialect.version]:
        raise BadMessage(
            f"a state of {len(items)} fields, not {FIELDS[dialect.version]}"
        )

    def field(at: int) -> tuple[float, ...]:
        values = items[at] if at < len(items) else None
        if not isinstance(values, list) or items[at + 1] != OK:
            return ()
        if len(values) != axes:
            raise BadMessage(f"a state of {len(values)} axes where {axes} are")
        return tuple(v if isinstance(v, float | int) else math.nan for v in values)

    modes = tuple(
        Vocab.of(int(mode)).word if abs(mode) < 2**31 else NO_MODE
        for mode in field(MODES)
    )
    return BoardState(
        position=field(POSITION),
        velocity=field(VELOCITY),
        torque=field(TORQUE),
        modes=modes or (NO_MODE,) * axes,
        temperature=field(TEMPERATURE),
    )
