"""Questions to a board, in either version of YARP: axes, modes, slow moves.

`[ok]` proves nothing: a board says it to commands that it skips. Whoever changes a mode
or moves an axis must look at the state afterwards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from telexist.retarget.errors import RobotLost
from telexist.robots.yarp.boards.board_finder import FoundBoard
from telexist.robots.yarp.network import PortLink
from telexist.robots.yarp.wire import OK, YARP_3, Bottle, Item, Vocab

__all__ = ["BoardAxis", "BoardRpc", "open_board_rpc"]

MOST_AXES = 64
PROTOCOL = [1, 9]  # of the rpc messages of YARP 3
ICMD, SET, GET = Vocab("icmd"), Vocab("set"), Vocab("get")


@dataclass(frozen=True, slots=True)
class BoardAxis:
    """One axis as its board tells it; degrees and deg/s."""

    name: str
    lower: float
    upper: float
    speed: float


class BoardRpc(ABC):
    """One board's rpc port."""

    def __init__(self, board: FoundBoard, own_name: str, timeout: float) -> None:
        """Connect.

        Raises:
            RobotLost: If it does not answer.
        """
        self.board = board
        self._link = PortLink(board.rpc, own_name, timeout=timeout)

    @abstractmethod
    def axes(self) -> tuple[BoardAxis, ...]:
        """Return the axes, in the board's order."""

    @abstractmethod
    def encoders(self) -> list[float]:
        """Return where the axes are [deg]."""

    @abstractmethod
    def modes(self) -> tuple[str, ...] | None:
        """Return the control modes; None where only the state tells them."""

    @abstractmethod
    def set_mode(self, axis: int, mode: str) -> None:
        """Ask for a control mode of one axis."""

    @abstractmethod
    def move(self, axis: int, position: float, speed: float) -> None:
        """Let the board move one axis to a position [deg] at a speed [deg/s].

        The axis must be in mode `pos`; the board makes the trajectory.
        """

    def close(self) -> None:
        """End the connection; may be called twice."""
        self._link.close()

    def _ask(self, *question: Item) -> Bottle:
        reply = self._link.ask(list(question), self.board.dialect)
        if not reply:
            raise RobotLost(f"{self._link.contact.name} does not know {question[:3]}")
        return reply

    def _refused(self, question: tuple[Item, ...], reply: Bottle) -> RobotLost:
        words = " ".join(str(getattr(item, "word", item)) for item in question[:4])
        return RobotLost(f"{self._link.contact.name} refuses '{words}': {reply[:3]}")

    def _floats(self, values: Item) -> list[float]:
        if isinstance(values, list) and all(type(v) is float for v in values):
            return values
        raise RobotLost(f"{self._link.contact.name} tells {values!r:.60} as positions")

    def _count(self, value: Item) -> int:
        if not isinstance(value, int) or not 0 < value <= MOST_AXES:
            raise RobotLost(f"{self._link.contact.name} says it has {value!r} axes")
        return value


class _BoardRpc3(BoardRpc):
    def axes(self) -> tuple[BoardAxis, ...]:
        version = self._ask(GET, Vocab("prot"))[1:3]
        if version != PROTOCOL:
            raise RobotLost(
                f"{self.board.rpc.name} speaks protocol {version}, not {PROTOCOL}: "
                "older or newer than YARP 3.x as known here"
            )
        count = self._count(self._get("axes")[0])
        return tuple(self._axis(j) for j in range(count))

    def encoders(self) -> list[float]:
        return self._floats(self._get("encs")[0])

    def modes(self) -> tuple[str, ...] | None:
        reply = self._ask(GET, ICMD, Vocab("cmds"))
        listed = reply[2] if len(reply) > 2 else None
        if not isinstance(listed, list):
            raise self._refused((GET, ICMD), reply)
        return tuple(m.word if isinstance(m, Vocab) else "?" for m in listed)

    def set_mode(self, axis: int, mode: str) -> None:
        question = (SET, ICMD, Vocab("cmod"), axis, Vocab(mode))
        reply = self._ask(*question)
        if reply[0] != OK:
            raise self._refused(question, reply)

    def move(self, axis: int, position: float, speed: float) -> None:
        for word, value in (("vel", speed), ("pos", position)):
            question = (SET, Vocab(word), axis, float(value))
            reply = self._ask(*question)
            if reply[0] != OK:
                raise self._refused(question, reply)

    def _axis(self, j: int) -> BoardAxis:
        lower, upper = _numbers(self._get("llim", j)[:2])
        _, speed = _numbers(self._get("vlim", j)[:2])
        return BoardAxis(str(self._get("name", j)[0]), lower, upper, speed)

    def _get(self, word: str, *more: Item) -> Bottle:
        question = (GET, Vocab(word), *more)
        reply = self._ask(*question)
        if reply[-1] != OK or len(reply) < 4:
            raise self._refused(question, reply)
        return reply[2:]


class _BoardRpc4(BoardRpc):
    def axes(self) -> tuple[BoardAxis, ...]:
        count = self._count(self._get("getAxesRPC")[0])
        return tuple(self._axis(j) for j in range(count))

    def encoders(self) -> list[float]:
        return self._floats(self._get("getEncoderAllRPC")[0])

    def modes(self) -> tuple[str, ...] | None:
        return None

    def set_mode(self, axis: int, mode: str) -> None:
        self._do("setControlModeOneRPC", axis, Vocab(mode).number)

    def move(self, axis: int, position: float, speed: float) -> None:
        self._do("setTrajSpeedOneRPC", axis, float(speed))
        self._do("positionMoveOneRPC", axis, float(position))

    def _axis(self, j: int) -> BoardAxis:
        lower, upper = _numbers(self._get("getPosLimitsRPC", j)[:2])
        _, speed = _numbers(self._get("getVelLimitsRPC", j)[:2])
        return BoardAxis(str(self._get("getAxisNameRPC", j)[0]), lower, upper, speed)

    def _get(self, *question: Item) -> Bottle:
        reply = self._ask(*question)
        if reply[0] != [OK] or len(reply) < 2:
            raise self._refused(question, reply)
        return reply[1:]

    def _do(self, *question: Item) -> None:
        reply = self._ask(*question)
        if reply[0] not in (OK, [OK]):
            raise self._refused(question, reply)


def _numbers(items: Bottle) -> tuple[float, float]:
    if len(items) != 2 or not all(isinstance(item, int | float) for item in items):
        raise RobotLost(f"a board tells {items} where two limits are asked")
    return float(items[0]), float(items[1])  # type: ignore[arg-type]


def open_board_rpc(board: FoundBoard, own_name: str, *, timeout: float) -> BoardRpc:
    """Connect to a board's rpc port, in its version of YARP.

    Raises:
        RobotLost: If it does not answer.
    """
    kind = _BoardRpc3 if board.dialect.version == YARP_3.version else _BoardRpc4
    return kind(board, own_name, timeout)
