"""SONIC's input: one ZMQ message a posture, header in JSON, arrays behind it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
import orjson
from telexist.retarget.errors import MissingDependency, RobotLost
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.consumers.consumer_robot import ConsumerRobot
from telexist.robots.consumers.g1_joints import g1_rows, host_and_port
from telexist.robots.description import RobotModel

__all__ = ["ISAAC_ORDER", "make_sonic", "sonic_message"]

TOPIC = b"pose"
HEADER = 1280  # [bytes] of the padded header
ISAAC_ORDER = tuple(
    f"{name}_joint"
    for name in (
        *("left_hip_pitch", "right_hip_pitch", "waist_yaw"),
        *("left_hip_roll", "right_hip_roll", "waist_roll"),
        *("left_hip_yaw", "right_hip_yaw", "waist_pitch"),
        *("left_knee", "right_knee", "left_shoulder_pitch", "right_shoulder_pitch"),
        *("left_ankle_pitch", "right_ankle_pitch"),
        *("left_shoulder_roll", "right_shoulder_roll"),
        *("left_ankle_roll", "right_ankle_roll"),
        *("left_shoulder_yaw", "right_shoulder_yaw", "left_elbow", "right_elbow"),
        *("left_wrist_roll", "right_wrist_roll"),
        *("left_wrist_pitch", "right_wrist_pitch"),
        *("left_wrist_yaw", "right_wrist_yaw"),
    )
)
"""Joints as the simulator that it was trained in orders them: level by level."""


def sonic_message(q: Array, dq: Array, quat_wxyz: Array, index: int) -> bytes:
    """Return a message of version 1.

    Args:
        q: Positions in `ISAAC_ORDER` (29,) [rad].
        dq: Velocities (29,) [rad/s].
        quat_wxyz: Attitude of the pelvis (4,).
        index: Of the frame; rises by one.
    """
    arrays: Sequence[tuple[str, str, np.ndarray]] = (
        ("joint_pos", "f32", np.asarray(q, dtype="<f4").reshape(1, -1)),
        ("joint_vel", "f32", np.asarray(dq, dtype="<f4").reshape(1, -1)),
        ("body_quat", "f32", np.asarray(quat_wxyz, dtype="<f4").reshape(1, 4)),
        ("frame_index", "i64", np.array([index], dtype="<i8")),
    )
    fields = [
        {"name": name, "dtype": kind, "shape": list(values.shape)}
        for name, kind, values in arrays
    ]
    header = orjson.dumps({"v": 1, "endian": "le", "count": 1, "fields": fields})
    body = b"".join(values.tobytes() for _, _, values in arrays)
    return TOPIC + header.ljust(HEADER, b"\0") + body


class _SonicOutlet:
    def __init__(self, model: RobotModel, place: str) -> None:
        self._host, self._port = host_and_port("sonic", place, 5556)
        self._rows = g1_rows(model, ISAAC_ORDER)
        self._quat = quat_wxyz_from_rotation(model.body.neutral.world_R_base)
        self._index = 0
        self._socket: Any = None
        self._context: Any = None

    def open(self) -> str:
        try:
            zmq: Any = import_module("zmq")
        except ImportError as error:
            command = 'pip install "telexist[unitree]"'
            raise MissingDependency("pyzmq", command) from error
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.PUB)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.SNDHWM, 2)
        try:
            self._socket.bind(f"tcp://{self._host}:{self._port}")
        except zmq.ZMQError as error:
            raise RobotLost(
                f"cannot publish at {self._host}:{self._port}: {error}"
            ) from error
        return f"SONIC listens at {self._host}:{self._port} (--input-type zmq)"

    def put(self, q: Array, dq: Array) -> Array | None:
        if self._socket is not None:
            rows = self._rows
            message = sonic_message(q[rows], dq[rows], self._quat, self._index)
            self._socket.send(message)
            self._index += 1
        return None

    def close(self) -> None:
        if self._socket is not None and self._context is not None:
            self._socket.close()
            self._context.term()
        self._socket = self._context = None


def make_sonic(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `sonic:HOST:PORT`; default: this machine, 5556."""
    return ConsumerRobot(model, _SonicOutlet(model, options.place), now=options.now)
