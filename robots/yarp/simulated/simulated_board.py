"""One control board under YARP names: rpc, references in, state out, and faults."""

from __future__ import annotations

import threading
from collections.abc import Callable

from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.network import NameClient, Port
from telexist.robots.yarp.simulated.answers_3 import answer_yarp_3
from telexist.robots.yarp.simulated.answers_4 import answer_yarp_4
from telexist.robots.yarp.simulated.axis_motion import AxisMotion
from telexist.robots.yarp.simulated.board_table import BoardTable
from telexist.robots.yarp.wire import (
    OK,
    YARP_3,
    Bottle,
    Dialect,
    Envelope,
    Item,
    Vocab,
    decode_bottle,
)

__all__ = ["SimulatedBoard"]

TEMPERATURE = 35.0  # [deg C]
STATE_PERIOD = 0.01  # [s] between two states, where the real board is faster


class SimulatedBoard:
    """Axes behind four ports.

    Attributes:
        motion: The axes.
        received: Payload of every reference that came, with when, if `keep` is set.
        clock_error: What its clock shows beyond the true time [s].
        broken: Whether a reference that no board can read came: later ones are lost.
    """

    def __init__(
        self,
        prefix: str,
        table: BoardTable,
        names: NameClient,
        *,
        dialect: Dialect,
        now: Callable[[], float],
        host: str = "127.0.0.1",
        keep: bool = False,
    ) -> None:
        """Describe the board; `open` makes it known.

        Args:
            prefix: Beginning of its names: "/icub".
            table: Its part and axes.
            names: The name server.
            dialect: YARP 3 or 4.
            now: A clock [s].
            host: Address to listen on.
            keep: Whether to keep all references that come.
        """
        self.table, self.dialect = table, dialect
        self.motion = AxisMotion(table.axes, now)
        self.received: list[tuple[float, bytes]] = []
        self.clock_error, self.broken = 0.0, False
        self._now, self._keep = now, keep
        self._running, self._ending = threading.Event(), threading.Event()
        self._running.set()
        self._sequence = 0
        base = f"{prefix}/{table.part}"
        rpc = "rpc:i" if dialect.version == YARP_3.version else "nws/rpc:i"

        def port(name: str, **options: object) -> Port:
            place = f"{base}/{name}"
            return Port(place, names, dialect=dialect, host=host, **options)  # type: ignore[arg-type]

        self._rpc = port(rpc, on_question=self._answer)
        self._command = port("command:i", on_message=self._take)
        self._state, self._state_ext = port("state:o"), port("stateExt:o")
        self.ports = (self._rpc, self._command, self._state, self._state_ext)
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Make all ports known and begin to tell the state."""
        for port in self.ports:
            port.open()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take the board away in order; may be called twice."""
        self._ending.set()
        self._running.set()
        for port in self.ports:
            port.close()

    def freeze(self) -> None:
        """Do nothing any more, as a process that was stopped; connections stay."""
        self._running.clear()

    def wake(self) -> None:
        """Go on after `freeze`."""
        self._running.set()

    def kill(self) -> None:
        """End every connection and listen no more; the names stay registered."""
        self._ending.set()
        for port in self.ports:
            port.abandon()

    def _envelope(self) -> Envelope:
        self._sequence += 1
        return Envelope(self._sequence, self._now() + self.clock_error)

    def _answer(self, question: Bottle, source: str) -> Bottle:
        self._running.wait()
        answer = answer_yarp_3 if self.dialect.version == 3 else answer_yarp_4
        return answer(question, self.motion, self._envelope)

    def _take(self, payload: bytes, envelope: Envelope | None, source: str) -> None:
        self._running.wait()
        if self._keep:
            self.received.append((self._now(), payload))
        try:
            message = decode_bottle(payload, self.dialect)
        except BadMessage:
            return
        head, values = (*message, [], [])[:2]
        if isinstance(head, list) and isinstance(values, list):
            self._obey(head, values)

    def _obey(self, head: list[Item], values: list[Item]) -> None:
        words = [item.word if isinstance(item, Vocab) else item for item in head]
        if self.dialect.version == 4:
            if words[:1] != ["ipod"]:
                return  # acknowledged and ignored, as the real one does
            words = words[1:]
        if not all(type(value) is float for value in values):
            self.broken = True
        if self.broken:
            return
        count = len(self.motion.axes)
        if words == ["dpos"]:
            joints = list(range(count))
        elif words[:1] == ["dpog"] and isinstance(words[2], list):
            joints = [int(j) for j in words[2]]
        elif words[:1] in (["dpo"], ["vmo"]) and len(words) == 2:
            joints = [int(words[1])]  # type: ignore[arg-type]
        else:
            return
        act = self.motion.drive if words[0] == "vmo" else self.motion.stream
        for i, j in enumerate(joints):
            # A short vector moves the missing axes to whatever lies in memory.
            value = values[i] if i < len(values) else 0.0
            act(j, float(value))  # type: ignore[arg-type]

    def _tell(self) -> None:
        period = max(self.table.period, STATE_PERIOD)
        while not self._ending.wait(period):
            self._running.wait()
            now = self._envelope()
            q = self.motion.measure()
            self._state.write(list(q), now)
            self._state_ext.write(self._fields(q), now)

    def _fields(self, q: list[float]) -> list[Item]:
        """Return 22 fields, 24 in YARP 4: each quantity and whether it is valid."""
        n = len(q)
        zeros = [0.0] * n
        modes: list[Item] = [Vocab(mode).number for mode in self.motion.modes]
        fields: list[Item] = [list(q), zeros, zeros, list(q)]
        fields += [zeros, zeros, zeros, zeros, zeros, modes, [0] * n]
        if self.dialect.version == 4:
            fields.append([TEMPERATURE] * n)
        return [item for field in fields for item in (field, OK)]
