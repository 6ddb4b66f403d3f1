"""How strongly the world pulls at each hand, as IIT's wholeBodyDynamics estimates it.

It sends one vector (force, torque) for each hand. In which axes is a matter of the
robot's configuration, so only the force's magnitude is taken.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence

import numpy as np
from telexist.retarget.errors import BadMessage
from telexist.retarget.so3 import Array
from telexist.robots.yarp.network import InputPort, NameClient
from telexist.robots.yarp.wire import Envelope, decode_either

__all__ = ["HandForceStream"]

STALE = 0.3  # [s]
BELIEVED = 1e4  # [N]


class HandForceStream:
    """Listens to the wrenches at the left and the right hand."""

    def __init__(
        self,
        name: str,
        names: NameClient,
        ports: Sequence[str],
        *,
        now: Callable[[], float],
    ) -> None:
        """Describe it.

        Args:
            name: Beginning of the names of our ports.
            names: The name server.
            ports: Those of the left and the right hand.
            now: The host's clock [s].
        """
        self.sources, self._now = tuple(ports), now
        self._lock = threading.Lock()
        self._newest = [(math.nan, float("-inf"))] * len(ports)
        self._ports = [
            InputPort(
                f"{name}/hand{i}/wrench:i",
                names,
                self._taker(i),
                sources=lambda _, port=port: [port],  # type: ignore[misc]
            )
            for i, port in enumerate(ports)
        ]

    def open(self) -> None:
        """Begin to listen; may be called twice."""
        for port in self._ports:
            port.open()

    def close(self) -> None:
        """End; may be called twice."""
        for port in self._ports:
            port.close()

    def read(self) -> Array | None:
        """Return the magnitudes (2,) [N]; None where one is not known."""
        now = self._now()
        with self._lock:
            newest = list(self._newest)
        if any(now - time > STALE for _, time in newest):
            return None
        forces = np.array([force for force, _ in newest])
        return forces if np.isfinite(forces).all() else None

    def _taker(self, hand: int) -> Callable[[bytes, Envelope | None, str], None]:
        def take(payload: bytes, envelope: Envelope | None, source: str) -> None:
            force = read_force(payload)
            with self._lock:
                self._newest[hand] = force, self._now()

        return take


def read_force(payload: bytes) -> float:
    """Return the magnitude of a wrench's force [N]; NaN where it says none."""
    try:
        message, _ = decode_either(payload)
    except BadMessage:
        return math.nan
    numbers = [float(k) for k in message if isinstance(k, float | int)]
    if len(message) != 6 or len(numbers) != 6:
        return math.nan
    force = math.hypot(*numbers[:3])
    return force if force < BELIEVED else math.nan
