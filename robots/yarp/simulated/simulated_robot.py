"""A whole robot of simulated boards, with its name server if need be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from telexist.robots.yarp.network import NameClient
from telexist.robots.yarp.simulated.board_table import RobotTable
from telexist.robots.yarp.simulated.name_server import SimulatedNameServer
from telexist.robots.yarp.simulated.simulated_board import SimulatedBoard
from telexist.robots.yarp.simulated.simulated_senses import SimulatedSenses
from telexist.robots.yarp.wire import YARP_3, Dialect

__all__ = ["SimulatedYarpRobot"]


class SimulatedYarpRobot:
    """Six boards or so, found under the names of a real robot.

    Attributes:
        boards: By part.
        senses: Cameras and the like while it is open, if it has some.
    """

    def __init__(
        self,
        table: RobotTable,
        *,
        now: Callable[[], float],
        server: tuple[str, int] | None = None,
        listen: tuple[str, int] = ("127.0.0.1", 0),
        dialect: Dialect = YARP_3,
        prefix: str = "",
        parts: Iterable[str] = (),
        keep: bool = False,
        senses: bool = False,
    ) -> None:
        """Describe the robot.

        Args:
            table: Its boards.
            now: A clock [s].
            server: A name server that runs already; None begins one.
            listen: Where the own one listens; port 0 takes any.
            dialect: YARP 3 or 4.
            prefix: Beginning of the names instead of the table's.
            parts: Only these boards; none means all.
            keep: Whether the boards keep all references that come.
            senses: Whether it has cameras, forces at its hands and an IMU, too.
        """
        self.server = None if server else SimulatedNameServer(*listen)
        self._place, self._keep = server or listen, keep
        self._now, self._dialect = now, dialect
        wanted = tuple(parts) or tuple(board.part for board in table.boards)
        self.table = replace(
            table,
            prefix=prefix or table.prefix,
            boards=tuple(b for b in table.boards if b.part in wanted),
        )
        self.boards: dict[str, SimulatedBoard] = {}
        self.senses: SimulatedSenses | None = None
        self._with_senses = senses

    @property
    def place(self) -> tuple[str, int]:
        """Where the name server is."""
        return self._place

    def open(self) -> None:
        """Begin; may be called twice.

        Raises:
            DeviceLost: If an address is taken.
            RobotLost: If the name server is not there.
        """
        if self.boards:
            return
        if self.server is not None:
            self.server.open()
            self._place = self.server.host, self.server.port
        names = NameClient(*self._place)
        try:
            for table in self.table.boards:
                board = SimulatedBoard(
                    self.table.prefix,
                    table,
                    names,
                    dialect=self._dialect,
                    now=self._now,
                    host=self._place[0],
                    keep=self._keep,
                )
                self.boards[table.part] = board
                board.open()
            if self._with_senses:
                self.senses = SimulatedSenses(
                    self.table.prefix,
                    names,
                    dialect=self._dialect,
                    now=self._now,
                    host=self._place[0],
                    frame=self.table.base,
                )
                self.senses.open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End; may be called twice."""
        for board in self.boards.values():
            board.close()
        self.boards = {}
        if self.senses is not None:
            self.senses.close()
            self.senses = None
        if self.server is not None:
            self.server.close()
