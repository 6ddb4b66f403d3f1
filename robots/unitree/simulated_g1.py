"""A G1 without a robot: the bridge's sockets, and motors that go where they are sent.

It has no weight. Stiff motors follow at once, slack ones stay where they are.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any

import orjson
from telexist.retarget.errors import DeviceLost, MissingDependency
from telexist.robots.unitree.low_command import MOTORS, SLOTS

__all__ = ["SimulatedG1"]

PERIOD = 0.004  # [s] between two states
COOL = 40.0  # [deg C]


class SimulatedG1:
    """Answers at HOST:PORT for commands and PORT + 1 for states.

    Attributes:
        q: Where the motors are (29) [rad].
        temperature: Of the motors [deg C].
        fault: Of each motor.
        mode_machine: What it says it is.
        commands: All that came, if `keep` is set.
        silent: Whether it tells no states.
    """

    def __init__(
        self, host: str = "127.0.0.1", port: int = 6000, *, keep: bool = False
    ) -> None:
        """Describe it; nothing listens before `open`. Port 0 takes any two."""
        self.host, self.port, self._keep = host, port, keep
        self.q = [0.0] * len(MOTORS)
        self.temperature = [COOL] * len(MOTORS)
        self.fault = [0] * len(MOTORS)
        self.mode_machine, self.silent = 5, False
        self.commands: list[dict[str, Any]] = []
        self.last: dict[str, Any] | None = None
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._context: Any = None

    @property
    def place(self) -> str:
        """What follows `unitree:` to drive it."""
        return f"{self.host}:{self.port}"

    def open(self) -> None:
        """Listen.

        Raises:
            DeviceLost: If the ports are taken.
            MissingDependency: If pyzmq is not installed.
        """
        try:
            zmq = import_module("zmq")
        except ImportError as error:
            command = 'pip install "telexist[unitree]"'
            raise MissingDependency("pyzmq", command) from error
        self._context = zmq.Context()
        pull, out = self._context.socket(zmq.PULL), self._context.socket(zmq.PUB)
        for link in (pull, out):
            link.setsockopt(zmq.LINGER, 0)
        try:
            self._bind(pull, out)
        except zmq.ZMQError as error:
            pull.close()
            out.close()
            raise DeviceLost(
                f"cannot listen on {self.host}:{self.port} and the next port: {error}"
            ) from error
        self._threads = [
            threading.Thread(target=self._take, args=(pull,), daemon=True),
            threading.Thread(target=self._tell, args=(out,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def obey(self, message: dict[str, Any]) -> None:
        """Do what a command asks."""
        if self._keep:
            self.commands.append(message)
        self.last = message
        for i, motor in enumerate(message["data"]["motor_cmd"][: len(MOTORS)]):
            if motor["mode"] and motor["kp"] > 0.0:
                self.q[i] = motor["q"]

    def close(self) -> None:
        """Stop; may be called twice."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        self._threads = []
        if self._context is not None:
            self._context.term()
            self._context = None

    def _bind(self, pull: Any, out: Any) -> None:
        if self.port:
            pull.bind(f"tcp://{self.host}:{self.port}")
            out.bind(f"tcp://{self.host}:{self.port + 1}")
            return
        for port in range(20000, 60000, 37):
            try:
                pull.bind(f"tcp://{self.host}:{port}")
            except OSError:
                continue
            try:
                out.bind(f"tcp://{self.host}:{port + 1}")
            except OSError:
                pull.unbind(f"tcp://{self.host}:{port}")
                continue
            self.port = port
            return

    def _take(self, pull: Any) -> None:
        while not self._ending.is_set():
            if not pull.poll(50):
                continue
            self.obey(orjson.loads(pull.recv()))
        pull.close()

    def _tell(self, out: Any) -> None:
        while not self._ending.wait(PERIOD):
            if not self.silent:
                out.send(orjson.dumps({"topic": "rt/lowstate", "data": self._state()}))
        out.close()

    def _state(self) -> dict[str, Any]:
        motors = [
            {
                "q": self.q[i] if i < len(MOTORS) else 0.0,
                "dq": 0.0,
                "tau_est": 0.0,
                "temperature": [
                    self.temperature[i] if i < len(MOTORS) else COOL,
                    COOL - 5,
                ],
                "motorstate": self.fault[i] if i < len(MOTORS) else 0,
            }
            for i in range(SLOTS)
        ]
        imu = {
            "quaternion": [1.0, 0.0, 0.0, 0.0],
            "gyroscope": [0.0, 0.0, 0.0],
            "accelerometer": [0.0, 0.0, 9.81],
            "rpy": [0.0, 0.0, 0.0],
            "temperature": COOL,
        }
        return {
            "motor_state": motors,
            "imu_state": imu,
            "wireless_remote": "",
            "mode_machine": self.mode_machine,
        }
