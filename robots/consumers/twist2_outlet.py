"""TWIST2's input: numbers as JSON text under keys of a Redis server.

Redis' protocol is a few lines long and is spoken here directly.
"""

from __future__ import annotations

import socket

import numpy as np
import orjson
from telexist.retarget.errors import RobotLost
from telexist.retarget.so3 import Array
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.consumers.consumer_robot import ConsumerRobot
from telexist.robots.consumers.g1_joints import g1_rows, host_and_port
from telexist.robots.description import RobotModel
from telexist.robots.unitree import MOTORS

__all__ = ["make_twist2"]

ROBOT = "unitree_g1_with_hands"
STATE = 34  # numbers: angular velocity, roll, pitch, joints
ANSWER = 0.5  # [s]


class _Redis:
    """One connection: SET and GET."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), ANSWER)
        self._socket.settimeout(ANSWER)
        self._lines = self._socket.makefile("rb")

    def ask(self, commands: list[tuple[bytes, ...]]) -> list[bytes | None]:
        """Send commands together and return their answers in order."""
        out = b""
        for words in commands:
            out += b"*%d\r\n" % len(words)
            out += b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        self._socket.sendall(out)
        return [self._answer() for _ in commands]

    def _answer(self) -> bytes | None:
        line = self._lines.readline(2**16)
        if not line.endswith(b"\r\n") or line[:1] == b"-":
            raise OSError(f"it answers {line[:60]!r}")
        if line[:1] != b"$":
            return line[1:-2]
        length = int(line[1:])
        if length < 0:
            return None
        if length > 2**20:
            raise OSError(f"it answers {length} bytes")
        return self._lines.read(length + 2)[:-2]

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


class _Twist2Outlet:
    def __init__(self, model: RobotModel, place: str) -> None:
        self._host, self._port = host_and_port("twist2", place, 6379)
        self._rows = g1_rows(model, MOTORS)
        self._height = float(model.body.neutral.world_p_base[2])
        self._joints = model.body.kinematics.n
        self._redis: _Redis | None = None

    def open(self) -> str:
        try:
            self._redis = _Redis(self._host, self._port)
        except OSError as error:
            raise RobotLost(
                f"no Redis server at {self._host}:{self._port} ({error}): start it, or "
                "say where it is: --backend twist2:HOST:PORT"
            ) from error
        return f"TWIST2 reads from Redis at {self._host}:{self._port}"

    def put(self, q: Array, dq: Array) -> Array | None:
        # Velocity ahead and to the left, height, roll, pitch, yaw rate: it stands.
        root = [0.0, 0.0, self._height, 0.0, 0.0, 0.0]
        body = [*root, *map(float, q[self._rows])]
        if self._redis is None:
            raise RobotLost("TWIST2 is not connected")
        values = {"body": body, "hand_left": [0.0] * 7, "hand_right": [0.0] * 7}
        commands: list[tuple[bytes, ...]] = [
            (b"SET", f"action_{part}_{ROBOT}".encode(), orjson.dumps(numbers))
            for part, numbers in (values | {"neck": [0.0, 0.0]}).items()
        ]
        try:
            told = self._redis.ask(
                [*commands, (b"GET", f"state_body_{ROBOT}".encode())]
            )
        except (OSError, ValueError) as error:
            raise RobotLost(f"Redis at {self._host}:{self._port}: {error}") from error
        return self._read(told[-1], q)

    def _read(self, text: bytes | None, q: Array) -> Array | None:
        """Return the joints in a state, or None if there is none that can be read."""
        try:
            numbers = np.array(orjson.loads(text or b""), dtype=np.float64)
        except (ValueError, TypeError):
            return None
        if numbers.shape != (STATE,) or not np.isfinite(numbers).all():
            return None
        measured = np.array(q)
        measured[self._rows] = numbers[5:]
        return measured

    def close(self) -> None:
        if self._redis is not None:
            self._redis.close()
            self._redis = None


def make_twist2(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `twist2:HOST:PORT`; default: a Redis server on this machine."""
    return ConsumerRobot(model, _Twist2Outlet(model, options.place), now=options.now)
