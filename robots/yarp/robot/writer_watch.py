"""Looks who else sends references to the boards: the last writer wins, in silence."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from telexist.retarget.errors import RobotLost
from telexist.robots.yarp.network import PortLink
from telexist.robots.yarp.robot.board_connection import BoardConnection
from telexist.robots.yarp.robot.faults import FaultKeeper
from telexist.robots.yarp.wire import Vocab

__all__ = ["WriterWatch"]

PERIOD = 0.05  # [s] between two looks
ANSWER = 0.5  # [s]
PASSING = ("admin", "<ping>", "anon_rpc", "anon_write", "telexist-admin")


class WriterWatch:
    """Asks the boards' command ports who is connected, in a thread of its own."""

    def __init__(
        self, boards: Sequence[BoardConnection], own_name: str, faults: FaultKeeper
    ) -> None:
        """Prepare; `look` asks once, `begin` goes on asking."""
        self._boards, self._own, self._faults = tuple(boards), own_name, faults
        self._links: dict[str, PortLink] = {}
        self._seen: set[tuple[str, str]] = set()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def look(self) -> list[tuple[BoardConnection, str]]:
        """Return which boards others write to, and who.

        Raises:
            RobotLost: If a board does not answer.
        """
        found = []
        for board in self._boards:
            link = self._links.get(board.part)
            if link is None:
                link = PortLink(board.found.command, "telexist-admin", timeout=ANSWER)
                self._links[board.part] = link
            try:
                question = [Vocab("list"), Vocab("in")]
                names = link.ask(list(question), board.found.dialect, command="a")
            except RobotLost:
                self._links.pop(board.part).drop()
                raise
            others = [str(name) for name in names if not self._harmless(str(name))]
            found += [(board, name) for name in others]
        return found

    def begin(self) -> None:
        """Go on asking until `close`."""
        self._thread = threading.Thread(target=self._run, name="writers", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End; may be called twice."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        for link in self._links.values():
            link.close()
        self._links.clear()

    def _harmless(self, name: str) -> bool:
        return name in PASSING or name.startswith(f"{self._own}/")

    def _run(self) -> None:
        while not self._ending.wait(PERIOD):
            try:
                found = self.look()
            except RobotLost:  # its state will be missed, too
                continue
            for board, name in found:
                if (board.part, name) in self._seen:  # twice: it did not just pass by
                    self._faults.lost(writer_reason(board, name))
            self._seen = {(board.part, name) for board, name in found}


def writer_reason(board: BoardConnection, name: str) -> str:
    """Return a line about another writer."""
    joints = ", ".join(joint.name for joint in board.joints)
    return (
        f"{name} sends to {board.found.command.name}, too ({joints}): the last writer "
        f"wins; yarp disconnect {name} {board.found.command.name}, or allow it with "
        "--backend yarp?others=yes"
    )
