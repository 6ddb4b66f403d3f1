"""Forces under the feet from IIT's sensorised shoes."""

from __future__ import annotations

import numpy as np
from telexist.retarget.person_dynamics import GroundForces
from telexist.retarget.so3 import Array
from telexist.robots.yarp.iit import read_shoes, read_wearable_data
from telexist.robots.yarp.wire import Bottle, Envelope
from telexist.teleop.devices.yarp.yarp_device import HeardPort, YarpDevice
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["Shoes"]

DEVIATION = np.array([3.0, 3.0, 5.0, 0.5, 0.5, 0.3])  # [N], [N m]
KEPT = 0.1  # [s] that one shoe's word is good for when the other one speaks alone


class Shoes(YarpDevice):
    """Wrenches of left and right shoe, from one port or from one for each."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        sources: tuple[str, ...],
        own_name: str,
        ankle: float,
    ) -> None:
        """State what to hear.

        Args:
            host: Of the name server.
            port: Of the name server.
            sources: Names of the ports of the shoes.
            own_name: Of our port.
            ankle: Height of the point about which the shoes state moments [m].
        """
        super().__init__(host, port)
        self._sources, self._own_name, self._ankle = sources, own_name, ankle
        self.begin()

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"shoes at {self._own_name}"

    @property
    def provides(self) -> frozenset[Provides]:
        """Forces under the feet."""
        return frozenset({Provides.FORCES})

    def begin(self) -> None:
        """Forget both shoes."""
        self._wrench = np.full((2, 6), np.nan)
        self._stamps = np.full(2, -np.inf)
        self._count = 0

    def heard_ports(self) -> tuple[HeardPort, ...]:
        """Return the port for wearables."""
        return (HeardPort(name=self._own_name, sources=self._sources, hear=self._hear),)

    def _hear(
        self, items: Bottle, envelope: Envelope | None, source: str, stamp: float
    ) -> None:
        wrench = read_shoes(read_wearable_data(items)[1])
        if wrench is None:
            return  # a suit's, not a shoe's
        told = np.isfinite(wrench).all(axis=1)
        self._wrench[told], self._stamps[told] = wrench[told], stamp
        fresh = stamp - self._stamps <= KEPT
        shown = np.where(fresh[:, None], self._about_sole(self._wrench), np.nan)
        self._count += 1
        forces = GroundForces(
            stamp=stamp,
            source_time=stamp if envelope is None else envelope.time,
            wrench=shown,
            deviation=np.where(fresh[:, None], DEVIATION, np.inf),
        )
        self.mailbox.put(DeviceSample(stamp=stamp, sequence=self._count, forces=forces))

    def _about_sole(self, wrench: Array) -> Array:
        """Return wrenches about the point of the sole below the ankle."""
        moved = wrench.copy()
        moved[:, 3:] += np.cross([0.0, 0.0, self._ankle], wrench[:, :3])
        return moved
