"""All connections with one board: questions, references out, state in."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from telexist.retarget.errors import BadMessage, RobotLost
from telexist.retarget.so3 import Array
from telexist.robots.yarp.boards import (
    BoardAxis,
    BoardJoint,
    BoardState,
    FoundBoard,
    ReferenceBytes,
    RobotClock,
    open_board_rpc,
    read_board_state,
)
from telexist.robots.yarp.network import NameClient, Port, PortLink, local_address
from telexist.robots.yarp.wire import Envelope, Item, Vocab

__all__ = ["BoardConnection"]

ANSWER = 1.0  # [s] in which a board answers questions


class BoardConnection:
    """One board.

    Attributes:
        part: Which.
        axes: As the board tells them.
        joints: Those that are driven; see `drive`.
        rows: Their places among all driven joints.
        state: The newest that was read, or None.
        stamp: When it was measured, on our clock [s].
        arrival: When it came [s].
        clock: The board's, against ours.
        heard: How many states came.
    """

    def __init__(
        self,
        found: FoundBoard,
        names: NameClient,
        own_name: str,
        now: Callable[[], float],
    ) -> None:
        """Connect to the questions' port and read the axes.

        Raises:
            RobotLost: If the board does not answer.
        """
        self.found, self.part, self._now = found, found.part, now
        self._own_name = own_name
        self.rpc = open_board_rpc(found, own_name, timeout=ANSWER)
        self.axes: tuple[BoardAxis, ...] = self.rpc.axes()
        self.joints: tuple[BoardJoint, ...] = ()
        self.rows = np.zeros(0, dtype=np.intp)
        self.state: BoardState | None = None
        self.stamp = self.arrival = float("-inf")
        self.clock, self.heard = RobotClock(), 0
        self.unreadable, self._jumped = 0, 0.0
        self.link: PortLink | None = None
        self._bytes: ReferenceBytes | None = None
        self._lock, self._reading = threading.Lock(), threading.Lock()
        self._raw: tuple[bytes, Envelope | None, float] | None = None
        self._port = Port(
            f"{own_name}/{self.part}/stateExt:i",
            names,
            dialect=found.dialect,
            host=local_address(names.host),
            on_message=self._hear,
        )

    def listen(self) -> None:
        """Have the state sent to us.

        Raises:
            RobotLost: If the board does not send it.
        """
        self._port.open()
        admin = PortLink(self.found.state, "telexist-admin", timeout=ANSWER)
        try:
            command: list[Item] = [Vocab("add"), f"tcp:/{self._port.name}"]
            reply = admin.ask(command, self.found.dialect, command="a")
        finally:
            admin.close()
        if not reply or reply[0] != 0:
            raise RobotLost(
                f"{self.found.state.name} cannot reach this machine at "
                f"{self._port.host}:{self._port.port}: {reply[1:]}; a firewall?"
            )

    def drive(self, joints: Sequence[BoardJoint], rows: Sequence[int]) -> None:
        """Choose which axes are driven, and their places among all driven joints."""
        self.joints, self.rows = tuple(joints), np.array(rows, dtype=np.intp)
        numbers = [joint.axis for joint in joints]
        self._bytes = ReferenceBytes(numbers, len(self.axes), self.found.dialect)

    def open_references(self) -> None:
        """Connect to the port for references.

        Raises:
            RobotLost: If it does not answer.
        """
        if self.link is None:
            name = f"{self._own_name}/{self.part}/command:o"
            self.link = PortLink(self.found.command, name, timeout=ANSWER)

    def drop_references(self) -> None:
        """End that connection: nothing can be sent any more."""
        link, self.link = self.link, None
        if link is not None:
            link.drop()

    def message(self, references: Array) -> bytes:
        """Return the message for references of all driven joints (n,) [deg]."""
        if self._bytes is None:
            raise RobotLost(f"{self.part} is not driven")
        return self._bytes.make(references[self.rows].tolist())

    def refresh(self) -> None:
        """Read the newest state, if there is a new one; any thread may call this."""
        with self._reading:
            with self._lock:
                raw, self._raw = self._raw, None
            if raw is not None:
                self._read(*raw)

    def _read(self, payload: bytes, envelope: Envelope | None, arrival: float) -> None:
        try:
            state = read_board_state(payload, len(self.axes), self.found.dialect)
        except BadMessage:
            self.unreadable += 1
            return
        stamp = arrival if envelope is None else self.clock.ours(envelope.time)
        self.state, self.arrival, self.unreadable = state, arrival, 0
        self.stamp = min(stamp, arrival)

    def jump(self) -> float:
        """Return by how much the board's clock jumped ahead [s]; 0 if it did not."""
        with self._lock:
            jumped, self._jumped = self._jumped, 0.0
        return jumped

    def _hear(self, payload: bytes, envelope: Envelope | None, source: str) -> None:
        arrival = self._now()
        with self._lock:
            if envelope is not None:
                self.clock.hear(envelope.time, arrival)
                self._jumped = self._jumped or self.clock.jump(envelope.time, arrival)
            self._raw = payload, envelope, arrival
            self.heard += 1

    @property
    def measured(self) -> Array:
        """Where the driven joints are [deg]; NaN where the board does not say."""
        state = self.state
        if state is None or not state.position:
            return np.full(len(self.joints), np.nan)
        return np.array([state.position[joint.axis] for joint in self.joints])

    def close(self) -> None:
        """End everything; may be called twice."""
        if self.link is not None:
            self.link.close()
            self.link = None
        self.rpc.close()
        self._port.close()
