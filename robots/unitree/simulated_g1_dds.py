"""A G1 without a robot on DDS: the maker's topics, the same motors as on the bridge."""

from __future__ import annotations

import struct
import threading
from importlib import import_module
from typing import Any

import numpy as np
from telexist.retarget.errors import BadMessage
from telexist.robots.unitree.dds_link import ARMS, COMMANDS, STATES, join_domain
from telexist.robots.unitree.dds_types import (
    STATE,
    dds_types,
    packed_command,
    write_cdr_state,
)
from telexist.robots.unitree.low_command import SLOTS, checksum
from telexist.robots.unitree.simulated_g1 import PERIOD, SimulatedG1

__all__ = ["SimulatedG1Dds"]

DEPTH = 64  # commands that wait to be read
_MOTOR = struct.Struct("<B3x5fI")
_FIELDS = ("mode", "q", "dq", "tau", "kp", "kd")


class SimulatedG1Dds(SimulatedG1):
    """Reads `rt/lowcmd` and `rt/arm_sdk`, writes `rt/lowstate`.

    Attributes:
        received: How many commands came.
        wrong: How many of them had a wrong checksum; the real robot ignores those.
    """

    def __init__(
        self, *, interface: str = "lo", domain: int = 0, keep: bool = False
    ) -> None:
        """Describe it; nothing is joined before `open`."""
        super().__init__("dds", 1, keep=keep)
        self._interface, self._domain = interface, domain
        self._kept: list[Any] = []
        self.received = self.wrong = 0

    @property
    def place(self) -> str:
        """What follows `unitree:` to drive it."""
        return f"dds?interface={self._interface}&domain={self._domain}"

    def open(self) -> None:
        """Join the domain.

        Raises:
            MissingDependency: If Cyclone DDS is not installed.
            RobotLost: If there is no such interface.
        """
        types = dds_types()
        participant, domain = join_domain(self._domain, self._interface)
        topics, pub, sub, qos = (
            import_module(f"cyclonedds.{name}")
            for name in ("topic", "pub", "sub", "qos")
        )
        deep = qos.Qos(
            qos.Policy.Reliability.Reliable(max_blocking_time=10_000_000),
            qos.Policy.History.KeepLast(DEPTH),
        )
        kept: list[Any] = [domain, participant]
        readers = []
        for name in (COMMANDS, ARMS):
            topic = topics.Topic(participant, name, types.command)
            readers.append((name, sub.DataReader(participant, topic, qos=deep)))
            kept += [topic, readers[-1][1]]
        states = topics.Topic(participant, STATES, types.state)
        writer = pub.DataWriter(participant, states)
        self._kept = [*kept, states, writer]
        self._ending.clear()
        self._threads = [
            threading.Thread(target=self._read, args=(readers,), daemon=True),
            threading.Thread(target=self._write, args=(writer,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Leave; may be called twice."""
        super().close()
        self._kept.clear()

    def _read(self, readers: list[tuple[str, Any]]) -> None:
        while not self._ending.wait(0.25 * PERIOD):
            for name, reader in readers:
                for sample in reader.take(DEPTH):
                    if isinstance(sample, dds_types().command):
                        self._hear(name, sample.data)

    def _hear(self, topic: str, data: bytes) -> None:
        self.received += 1
        try:
            packed = packed_command(data)
        except BadMessage:
            self.wrong += 1
            return
        if struct.unpack("<I", packed[-4:])[0] != checksum(packed[:-4]):
            self.wrong += 1
            return
        motors = [
            dict(zip(_FIELDS, _MOTOR.unpack_from(packed, 4 + 28 * i), strict=False))
            for i in range(SLOTS)
        ]
        values = {"mode_pr": packed[0], "mode_machine": packed[1], "motor_cmd": motors}
        self.obey({"topic": topic, "data": values})

    def _write(self, writer: Any) -> None:
        kind, tick = dds_types().state, 0
        while not self._ending.wait(PERIOD):
            tick += 1
            if not self.silent:
                writer.write(kind.of_bytes(write_cdr_state(self._record(tick))))

    def _record(self, tick: int) -> np.ndarray:
        told = self._state()
        record = np.zeros((), STATE)
        record["mode_machine"], record["tick"] = told["mode_machine"], tick
        for name in ("quaternion", "gyroscope", "accelerometer", "rpy"):
            record[name] = told["imu_state"][name]
        motors = told["motor_state"]
        for name in ("q", "dq", "tau_est", "temperature", "motorstate"):
            record["first"][name] = motors[0][name]
            record["motors"][name] = [motor[name] for motor in motors[1:]]
        return record
