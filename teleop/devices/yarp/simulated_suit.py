"""A suit of IIT's wearables without a suit: a person's WearableData on YARP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import quat_wxyz_from_rotation
from telexist.robots.yarp.iit import (
    IFEEL_NODES,
    NODE_R_SEGMENT,
    SensorStatus,
    WearableSensor,
    suit_sensors,
    wearable_data_items,
)
from telexist.robots.yarp.network import NameClient, Port
from telexist.robots.yarp.simulated import SimulatedNameServer
from telexist.robots.yarp.wire import Dialect, Envelope
from telexist.teleop import clock
from telexist.teleop.devices.base import Worker
from telexist.teleop.devices.person import OperatorPose, SimulatedOperator

__all__ = ["SUITS", "SimulatedSuit", "ifeel_sensors"]

SUITS = {"xsens": "XsensSuit", "ifeel": "iFeelSuit"}
"""Kind of suit to its producer's name."""


class SimulatedSuit:
    """Plays a person; opens a name server of its own if there is none."""

    def __init__(
        self,
        person: SimulatedOperator,
        *,
        kind: str = "xsens",
        rate: float = 60.0,
        dialect: Dialect,
        server: tuple[str, int] | None = None,
        listen: tuple[str, int] = ("127.0.0.1", 0),
    ) -> None:
        """Describe it.

        Args:
            person: Who wears it.
            kind: A key of `SUITS`.
            rate: Samples per second [Hz].
            dialect: YARP 3 or 4.
            server: A name server that runs already; None begins one.
            listen: Where the own one listens; port 0 takes any.

        Raises:
            BadInput: If there is no such suit.
        """
        if kind not in SUITS:
            raise BadInput(f"suit={kind}: choose {' or '.join(SUITS)}")
        self._person, self._kind, self._rate = person, kind, rate
        self._server = None if server else SimulatedNameServer(*listen)
        self.place = server or listen
        self._dialect = dialect
        self._port: Port | None = None
        self._worker = Worker("suit", self._play)
        self.sent = 0

    @property
    def port_name(self) -> str:
        """Where it is published."""
        return f"/{SUITS[self._kind]}/WearableData/data:o"

    def open(self) -> None:
        """Begin; may be called twice.

        Raises:
            DeviceLost: If an address is taken.
            RobotLost: If the name server is not there.
        """
        if self._port is not None:
            return
        if self._server is not None:
            self._server.open()
            self.place = self._server.host, self._server.port
        self._port = Port(
            self.port_name,
            NameClient(*self.place),
            dialect=self._dialect,
            host=self.place[0],
        )
        try:
            self._port.open()
        except BaseException:
            self.close()
            raise
        self._worker.start()

    def close(self) -> None:
        """End; may be called twice."""
        self._worker.stop()
        if self._port is not None:
            self._port.close()
            self._port = None
        if self._server is not None:
            self._server.close()

    def _play(self, stop: threading.Event) -> None:
        make: Callable[[OperatorPose], list[WearableSensor]] = ifeel_sensors
        if self._kind == "xsens":
            make = _xsens_sensors
        begin = clock.now()
        for pose in self._poses():
            if stop.wait(max(begin + pose.time - clock.now(), 0.0)):
                return
            if self._port is not None:
                self.sent += 1
                items = wearable_data_items(SUITS[self._kind], make(pose))
                self._port.write(items, Envelope(self.sent, clock.wall_time()))

    def _poses(self) -> Iterator[OperatorPose]:
        return self._person.poses(self._rate)


def _xsens_sensors(pose: OperatorPose) -> list[WearableSensor]:
    return suit_sensors(
        SEGMENTS,
        pose.rotations,
        pose.positions,
        pose.linear_velocities,
        pose.angular_velocities,
    )


def ifeel_sensors(
    pose: OperatorPose, nodes: Mapping[str, str] = IFEEL_NODES
) -> list[WearableSensor]:
    """Return the nodes of an iFeel for a pose whose frames are those of T-pose."""
    sensors = []
    for node, segment in nodes.items():
        k = SEGMENT_INDEX[segment]
        segment_R_node = NODE_R_SEGMENT.get(segment, np.eye(3)).T
        quat = quat_wxyz_from_rotation(pose.rotations[k] @ segment_R_node)
        row = np.concatenate(
            [quat, np.zeros(6), pose.angular_velocities[k], np.zeros(6)]
        )
        name = f"iFeelSuit::vLink::{node}"
        sensors.append(
            WearableSensor("vLink", name, SensorStatus.OK, tuple(row.tolist()))
        )
    return sensors
