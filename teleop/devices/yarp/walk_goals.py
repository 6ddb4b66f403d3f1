"""Where to walk as programs on YARP say it: goals, or the sticks of a joypad."""

from __future__ import annotations

from collections.abc import Mapping

from telexist.robots.yarp.iit import GoalScale, read_walk_goal
from telexist.robots.yarp.wire import Bottle, Envelope
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.walk import WalkLimits, WalkRamp, dead_zone
from telexist.teleop.devices.yarp.yarp_device import HeardPort, YarpDevice
from telexist.teleop.terms import DeviceSample, Provides, Request, WalkCommand

__all__ = ["GoalPort", "JoypadPorts"]

DEAD = 0.1  # of a stick
PRESSED = 0.5  # of a button
MOST_AXES = 64


class GoalPort(YarpDevice):
    """Hears the goals that IIT's joypads and treadmills send to a walking module."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        sources: tuple[str, ...],
        own_name: str,
        scale: GoalScale,
    ) -> None:
        """State what to hear.

        Args:
            host: Of the name server.
            port: Of the name server.
            sources: Names of the ports that say where to walk.
            own_name: Of our port: another's, to stand in for it.
            scale: Speeds that a goal of 1 stands for.
        """
        super().__init__(host, port)
        self._sources, self._own_name, self._scale = sources, own_name, scale
        self._count = 0

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"goals at {self._own_name}"

    @property
    def provides(self) -> frozenset[Provides]:
        """Walking."""
        return frozenset({Provides.WALK})

    @property
    def deadline(self) -> float:
        """A goal older than this is none [s]."""
        return 0.5

    def heard_ports(self) -> tuple[HeardPort, ...]:
        """Return the port for goals."""
        return (HeardPort(name=self._own_name, sources=self._sources, hear=self._hear),)

    def _hear(
        self, items: Bottle, envelope: Envelope | None, source: str, stamp: float
    ) -> None:
        vx, vy, wz = read_walk_goal(items, self._scale)
        self._count += 1
        walk = WalkCommand(vx=vx, vy=vy, wz=wz)
        self.mailbox.leave(DeviceSample(stamp=stamp, sequence=self._count, walk=walk))


class JoypadPorts(YarpDevice):
    """Reads a joypad that YARP's joypad server publishes: `axis:o` and `buttons:o`."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        prefix: str,
        own_name: str,
        limits: WalkLimits,
        buttons: Mapping[int, Request],
    ) -> None:
        """State what to hear.

        Args:
            host: Of the name server.
            port: Of the name server.
            prefix: Of the joypad's ports.
            own_name: Beginning of ours.
            limits: Speeds at full deflection.
            buttons: Number of a button to what pressing it asks for.
        """
        super().__init__(host, port)
        self._prefix, self._own_name = prefix, own_name
        self._limits, self._buttons = limits, dict(buttons)
        self.begin()

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"joypad at {self._prefix}"

    @property
    def provides(self) -> frozenset[Provides]:
        """Walking and requests."""
        return frozenset({Provides.WALK, Provides.REQUESTS})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.3

    @property
    def manual(self) -> str:
        """Which button does what."""
        keys = [f"button {n}: {r.value}" for n, r in sorted(self._buttons.items())]
        return f"{super().manual}; {', '.join(keys)}"

    def begin(self) -> None:
        """Forget sticks and buttons."""
        self._ramp, self._time = WalkRamp(self._limits), float("nan")
        self._pressed: frozenset[int] | None = None
        self._count = 0

    def heard_ports(self) -> tuple[HeardPort, ...]:
        """Return the ports for axes and buttons."""
        return tuple(
            HeardPort(
                name=f"{self._own_name}/{kind}:i",
                sources=(f"{self._prefix}/{kind}:o",),
                hear=hear,
            )
            for kind, hear in (("axis", self._move), ("buttons", self._press))
        )

    def _move(
        self, items: Bottle, envelope: Envelope | None, source: str, stamp: float
    ) -> None:
        axes = _numbers(items)
        if len(axes) < 2:
            raise RefusedMessage("malformed", f"{len(axes)} axes of a joypad")
        side, ahead, turn = (*axes, 0.0)[:3]
        dt = stamp - self._time if stamp - self._time < self.deadline else 0.0
        self._time = stamp
        forward, left, around = (-dead_zone(v, DEAD) for v in (ahead, side, turn))
        walk = self._ramp.step(forward, left, around, dt)
        self._count += 1
        self.mailbox.leave(DeviceSample(stamp=stamp, sequence=self._count, walk=walk))

    def _press(
        self, items: Bottle, envelope: Envelope | None, source: str, stamp: float
    ) -> None:
        pressed = frozenset(n for n, v in enumerate(_numbers(items)) if v > PRESSED)
        before, self._pressed = self._pressed, pressed
        if before is None:
            return  # whatever is held down when it begins was not pressed for us
        asked = [
            self._buttons[n] for n in sorted(pressed - before) if n in self._buttons
        ]
        if asked:
            self.mailbox.put(DeviceSample(stamp=stamp, requests=tuple(asked)))


def _numbers(items: Bottle) -> list[float]:
    """Return the numbers of a joypad's message.

    Raises:
        RefusedMessage: If it holds anything else, or what no stick says.
    """
    numbers = [float(i) for i in items if isinstance(i, int | float) and abs(i) <= 2.0]
    if len(numbers) != len(items) or len(numbers) > MOST_AXES:
        raise RefusedMessage("malformed", "a joypad says numbers from -1 to 1")
    return numbers
