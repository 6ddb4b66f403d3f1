"""The way by DDS, as the maker's own programs go: `rt/lowcmd`, `rt/lowstate`.

The version of Cyclone DDS must understand the robot's: 11.0 and the 0.10 of the maker's
Python package do not understand each other's types.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from telexist.retarget.errors import BadMessage, MissingDependency, RobotLost
from telexist.robots.unitree.dds_types import cdr_command, dds_types, read_cdr_state
from telexist.robots.unitree.low_command import LowCommand
from telexist.robots.unitree.low_state import LowState

__all__ = ["ARMS", "COMMANDS", "STATES", "DdsLink", "join_domain"]

COMMANDS, ARMS, STATES = "rt/lowcmd", "rt/arm_sdk", "rt/lowstate"
LOOPBACK = "lo"
WAIT = 50_000_000  # [ns] for a state
CONFIG = """
<CycloneDDS><Domain Id="any">
  <General><Interfaces><NetworkInterface name="{interface}"/></Interfaces></General>
  {discovery}
</Domain></CycloneDDS>"""
ALONE = """<Discovery><ParticipantIndex>auto</ParticipantIndex>
  <Peers><Peer Address="127.0.0.1"/></Peers></Discovery>"""


def join_domain(domain: int, interface: str) -> tuple[Any, Any]:
    """Return a participant and its domain, which must be kept as long.

    Args:
        domain: Number of the domain; the G1's is 0.
        interface: Name of the network interface, and of no other.

    Raises:
        MissingDependency: If Cyclone DDS is not installed.
        RobotLost: If there is no such interface.
    """
    try:
        domains = import_module("cyclonedds.domain")
        core = import_module("cyclonedds.core")
    except ImportError as error:
        raise MissingDependency("cyclonedds", 'pip install "telexist[dds]"') from error
    discovery = ALONE if interface == LOOPBACK else ""
    config = CONFIG.format(interface=interface, discovery=discovery)
    known = None
    with contextlib.suppress(core.DDSException):  # this process is in it already
        known = domains.Domain(domain, config)
    try:
        return domains.DomainParticipant(domain), known
    except core.DDSException as error:
        raise RobotLost(
            f"no DDS on the interface {interface} ({error}): name the one of the "
            "robot's cable: unitree:dds?interface=eth0"
        ) from error


class DdsLink:
    """Writes one of the two topics for commands, reads states."""

    when_we_die = "commands stop; what a G1 does then is not known: hang it up"

    def __init__(self, *, interface: str, domain: int, arms: bool) -> None:
        """State where, and whether the arms alone are commanded."""
        self._interface, self._domain = interface, domain
        self._topic = ARMS if arms else COMMANDS
        self._kept: list[Any] = []
        self._writer: Any = None
        self._core: Any = None
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self.unreadable = 0

    @property
    def where(self) -> str:
        """Where the states come from."""
        return f"{STATES} on {self._interface}, DDS domain {self._domain}"

    def open(self, hear: Callable[[LowState], None]) -> None:
        """Join the domain."""
        if self._thread is not None:
            return
        types = dds_types()
        participant, domain = join_domain(self._domain, self._interface)
        topics, pub, sub = (
            import_module(f"cyclonedds.{name}") for name in ("topic", "pub", "sub")
        )
        self._core = core = import_module("cyclonedds.core")
        commands = topics.Topic(participant, self._topic, types.command)
        states = topics.Topic(participant, STATES, types.state)
        self._writer = pub.DataWriter(participant, commands)
        reader = sub.DataReader(participant, states)
        waiting = core.WaitSet(participant)
        condition = core.ReadCondition(
            reader, core.ViewState.Any | core.InstanceState.Any | core.SampleState.Any
        )
        waiting.attach(condition)
        self._kept = [domain, participant, commands, states, reader, waiting, condition]
        self._ending.clear()
        self._thread = threading.Thread(
            target=self._listen, args=(reader, waiting, hear), name="g1 dds"
        )
        self._thread.daemon = True
        self._thread.start()

    def send(self, command: LowCommand) -> bool:
        """Write a command; DDS keeps the newest for who reads late."""
        data = cdr_command(command.packed())
        try:
            self._writer.write(dds_types().command.of_bytes(data))
        except self._core.DDSException:
            return False
        return True

    def close(self) -> None:
        """Leave the domain."""
        self._ending.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        self._writer = None
        self._kept.clear()

    def _listen(
        self, reader: Any, waiting: Any, hear: Callable[[LowState], None]
    ) -> None:
        while not self._ending.is_set():
            if not waiting.wait(WAIT):
                continue
            for sample in reader.take(16)[-1:]:  # the newest
                if not isinstance(sample, dds_types().state):
                    continue  # its writer has gone
                try:
                    hear(read_cdr_state(sample.data))
                except BadMessage:
                    self.unreadable += 1  # what cannot be read is soon missed
