"""Publishes a session on YARP, in a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections import deque
from dataclasses import dataclass

from telexist.retarget.errors import TelexistError
from telexist.retarget.person_dynamics import GroundForces, PersonDynamics
from telexist.retarget.signals import HumanFrame
from telexist.robots.yarp.iit import walk_goal_items
from telexist.robots.yarp.network import NameClient, Port, local_address
from telexist.robots.yarp.wire import Bottle, Envelope
from telexist.teleop import clock
from telexist.teleop.publish.frame_setter import FrameSetter, operator_frames
from telexist.teleop.publish.person_messages import (
    dynamics_message,
    state_message,
    wearables_message,
    wrench_message,
)
from telexist.teleop.publish.publish_settings import PublishSettings
from telexist.teleop.terms import State, Tick, WalkCommand

__all__ = ["YarpPublisher"]

FRESH = 0.2  # [s] a tick older than this says nothing any more: no goal, no frames
MEMORY = 64  # frames that are kept for what is told of them later
CONNECT = 1.0  # [s] between two looks for the port that goals go to

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _News:
    """What is new since the last look."""

    frame: HumanFrame | None
    forces: GroundForces | None
    dynamics: tuple[PersonDynamics, ...]


class YarpPublisher:
    """A sink of ticks; `put` only remembers what is newest.

    Attributes:
        sent: Kind of message to how many were written.
    """

    def __init__(self, settings: PublishSettings) -> None:
        """State what to publish; `open` makes the ports known."""
        self._settings = settings
        self._names = NameClient(settings.host, settings.port)
        self._ports: dict[str, Port] = {}
        self._setter: FrameSetter | None = None
        self._lock = threading.Lock()
        self._frame: HumanFrame | None = None
        self._forces: GroundForces | None = None
        self._dynamics: list[PersonDynamics] = []
        self._walk, self._stamp = WalkCommand(), float("-inf")
        self._kept: deque[HumanFrame] = deque(maxlen=MEMORY)
        self._look_at = float("-inf")
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self.sent = dict.fromkeys(settings.ports, 0)

    @property
    def manual(self) -> str:
        """What it publishes where, in one line."""
        server = f"{self._settings.host}:{self._settings.port}"
        parts = [f"{kind} at {name}" for kind, name in self._settings.ports.items()]
        return f"published on YARP (name server {server}): {', '.join(parts)}"

    def open(self) -> None:
        """Make the ports known and begin; may be called twice.

        Raises:
            RobotLost: If there is no name server.
            DeviceLost: If an address is taken.
        """
        if self._thread is not None:
            return
        host = local_address(self._names.host)
        try:
            for kind, name in self._settings.ports.items():
                if kind == "frames":
                    self._setter = FrameSetter(
                        self._names, name, self._settings.dialect
                    )
                    continue
                dialect = self._settings.dialect
                self._ports[kind] = Port(name, self._names, dialect=dialect, host=host)
                self._ports[kind].open()
        except BaseException:
            self.close()
            raise
        self._ending.clear()
        self._thread = threading.Thread(target=self._run, name="publish", daemon=True)
        self._thread.start()

    def put(self, tick: Tick) -> None:
        """Remember what is new in a tick; returns at once."""
        follows = tick.state is State.ACTIVE and tick.reference is not None
        with self._lock:
            if tick.human is not None:
                self._frame = tick.human
            for sample in tick.samples:
                self._forces = sample.forces or self._forces
            self._dynamics += tick.dynamics
            del self._dynamics[:-8]
            walk = tick.reference.walk if follows and tick.reference else None
            self._walk = walk or WalkCommand()
            self._stamp = tick.stamp

    def close(self) -> None:
        """Ask to stand still, and take the ports away; may be called twice."""
        self._ending.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        for port in self._ports.values():
            port.close()
        self._ports = {}
        if self._setter is not None:
            self._setter.close()
            self._setter = None

    def _run(self) -> None:
        said = ""
        while not self._ending.wait(self._settings.period):
            try:
                self._turn()
            except TelexistError as error:
                if str(error) != said:
                    said = str(error)
                    _log.warning("not published: %s", error)
        self._write("goal", self._goal(WalkCommand()))
        threading.Event().wait(2.0 * self._settings.period)  # it is on its way

    def _turn(self) -> None:
        now = clock.now()
        with self._lock:
            news = _News(
                frame=self._frame, forces=self._forces, dynamics=tuple(self._dynamics)
            )
            self._frame, self._dynamics = None, []
            fresh = now - self._stamp <= FRESH
            walk = self._walk if fresh else WalkCommand()
            if not fresh:
                self._forces = None
        if news.frame is not None:
            self._show(news.frame, news.forces, now)
        for dynamics in news.dynamics:
            self._tell(dynamics)
        if "goal" in self._ports:
            self._connect_goal(now)
            self._write("goal", self._goal(walk))

    def _show(self, frame: HumanFrame, forces: GroundForces | None, now: float) -> None:
        self._kept.append(frame)
        if "wearables" in self._ports:
            self._write("wearables", wearables_message(frame, forces))
        if "state" in self._ports:
            self._write("state", state_message(frame, self._settings.dialect))
        if self._setter is not None:
            frames = operator_frames(frame, root_turned=self._settings.root_turned)
            self._setter.put(frames, clock.wall_time(), now)
            self.sent["frames"] = self._setter.set

    def _tell(self, dynamics: PersonDynamics) -> None:
        if not self._kept:
            return
        frame = min(self._kept, key=lambda kept: abs(kept.stamp - dynamics.stamp))
        dialect = self._settings.dialect
        if "wrench" in self._ports:
            self._write("wrench", wrench_message(dynamics, frame, dialect))
        if "dynamics" in self._ports:
            self._write("dynamics", dynamics_message(dynamics, frame, dialect))

    def _goal(self, walk: WalkCommand) -> Bottle:
        settings = self._settings
        velocity = walk.vx, walk.vy, walk.wz
        return walk_goal_items(velocity, settings.goal_scale, settings.goal_numbers)

    def _connect_goal(self, now: float) -> None:
        """Send goals to the walking module as soon as it is there."""
        port, to = self._ports["goal"], self._settings.goal_to
        if not to or to in port.outputs or now - self._look_at < CONNECT:
            return
        self._look_at = now
        if self._names.query(to) is not None:
            try:
                port.connect(to, "tcp")
            except TelexistError as error:
                _log.warning("goals: %s", error)

    def _write(self, kind: str, items: Bottle | None) -> None:
        port = self._ports.get(kind)
        if port is None or items is None:
            return
        self.sent[kind] += 1
        port.write(items, Envelope(self.sent[kind], clock.wall_time()))
