"""The way by ZMQ: the bridge that runs on the robot, JSON at PORT and PORT + 1."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

import orjson
from telexist.retarget.errors import BadMessage, MissingDependency
from telexist.robots.unitree.low_command import LowCommand
from telexist.robots.unitree.low_state import LowState, read_low_state

__all__ = ["BridgeLink"]


class BridgeLink:
    """Pushes commands, subscribes to states."""

    when_we_die = "the bridge goes on with the last command: hang the robot up"

    def __init__(self, host: str, port: int) -> None:
        """State where the bridge is."""
        self._host, self._port = host, port
        self._zmq: Any = None
        self._context: Any = None
        self._out: Any = None
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def where(self) -> str:
        """Where the states come from."""
        return f"{self._host}:{self._port + 1}"

    def open(self, hear: Callable[[LowState], None]) -> None:
        """Connect; ZMQ waits for the bridge by itself."""
        if self._thread is not None:
            return
        try:
            zmq = self._zmq = import_module("zmq")
        except ImportError as error:
            command = 'pip install "telexist[unitree]"'
            raise MissingDependency("pyzmq", command) from error
        self._context = zmq.Context()
        self._out = self._context.socket(zmq.PUSH)
        self._out.setsockopt(zmq.SNDHWM, 2)
        self._out.setsockopt(zmq.LINGER, 200)
        self._out.setsockopt(zmq.IMMEDIATE, 1)
        self._out.connect(f"tcp://{self._host}:{self._port}")
        states = self._context.socket(zmq.SUB)
        states.setsockopt(zmq.CONFLATE, 1)
        states.setsockopt(zmq.SUBSCRIBE, b"")
        states.setsockopt(zmq.LINGER, 0)
        states.connect(f"tcp://{self._host}:{self._port + 1}")
        self._ending.clear()
        self._thread = threading.Thread(
            target=self._listen, args=(states, hear), name="g1 bridge", daemon=True
        )
        self._thread.start()

    def send(self, command: LowCommand) -> bool:
        """Push a command, unless the bridge takes none any more."""
        try:
            self._out.send(orjson.dumps(command.message()), self._zmq.NOBLOCK)
        except self._zmq.Again:
            return False
        return True

    def close(self) -> None:
        """Let what is on its way go, and end."""
        self._ending.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        if self._context is not None:
            self._out.close()
            self._context.term()
            self._context = None

    def _listen(self, states: Any, hear: Callable[[LowState], None]) -> None:
        while not self._ending.is_set():
            if not states.poll(50):
                continue
            try:
                state = read_low_state(states.recv())
            except BadMessage:
                continue  # what cannot be read is soon missed
            if state is not None:
                hear(state)
        states.close()
