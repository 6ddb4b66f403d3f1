"""A joypad: walking, hands, requests, and a dead-man's switch.

Plugged in without a `dead_man` button, the joypad itself is the switch: held while it
is plugged in, released when it is gone. A joypad that went away is never a centred
stick: its samples say `dead_man = False` and a walk of zero until it is back.
"""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable, Iterable
from typing import Any

from telexist.retarget.errors import DeviceLost
from telexist.robots.base import HandCommand, RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, Mailbox, Worker
from telexist.teleop.devices.joypad.pad import Pad, import_pygame
from telexist.teleop.devices.joypad.settings import JoypadSettings
from telexist.teleop.devices.walk import WalkRamp, dead_zone
from telexist.teleop.terms import DeviceSample, Provides, Request, WalkCommand

__all__ = ["Joypad"]

logger = logging.getLogger(__name__)

_PERIOD = 0.01  # [s] between two looks at the joypad
_START_TIME = 5.0  # [s] for pygame to start


class Joypad(Device):
    """Reads a joypad through pygame from a thread of its own, 100 times a second."""

    def __init__(self, settings: JoypadSettings | None = None) -> None:
        self._settings = settings if settings is not None else JoypadSettings()
        self._mailbox = Mailbox()
        self._worker = Worker(self.name, self._work, self._mailbox.lose)
        self._ramp = WalkRamp(self._settings.walk)
        self._pad: Pad | None = None
        self._ready = threading.Event()
        self._sequence = 0
        self._held: bool | None = None

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"joypad {self._settings.number}"

    @property
    def manual(self) -> str:
        """Which button does what."""
        buttons = dict(self._settings.buttons)
        if self._settings.dead_man:
            buttons[self._settings.dead_man] = "dead-man's switch"
        return ", ".join(f"{button}: {does}" for button, does in buttons.items())

    @property
    def provides(self) -> frozenset[Provides]:
        """Walking, hands and requests."""
        return frozenset({Provides.WALK, Provides.HANDS, Provides.REQUESTS})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]: twenty looks at the joypad."""
        return 0.2

    def open(self, wake: Callable[[], None]) -> None:
        """Look for the joypad and begin to read it.

        Raises:
            DeviceLost: If none is plugged in.
            MissingDependency: If pygame is not installed.
        """
        if self._worker.running:
            return
        import_pygame()
        self._mailbox.open(wake)
        self._ready.clear()
        self._worker.start()
        self._ready.wait(_START_TIME)
        if self._pad is None:
            self.close()
            raise DeviceLost(
                f"{self.name}: none is plugged in: plug one in, or walk with "
                "--walk-input keyboard"
            )

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Let the joypad go."""
        self._worker.stop()
        self._mailbox.close()

    def _work(self, stop: threading.Event) -> None:
        pygame: Any = import_pygame()
        controllers = importlib.import_module("pygame._sdl2.controller")
        modules = (pygame.display, pygame.joystick, controllers)
        started = [module for module in modules if not module.get_init()]
        try:
            for module in started:
                module.init()
            self._poll(pygame, stop)
        finally:
            self._pad = None
            self._ready.set()
            for module in reversed(started):
                module.quit()

    def _poll(self, pygame: Any, stop: threading.Event) -> None:
        last = clock.now()
        while not stop.is_set():
            now = clock.now()
            events = pygame.event.get()
            self._plug(pygame, events)
            self._ready.set()
            if self._pad is None:
                self._send_gone(now)
            else:
                self._send(self._pad, events, now, now - last)
            last = now
            stop.wait(_PERIOD)

    def _plug(self, pygame: Any, events: Iterable[Any]) -> None:
        """Notice a joypad that went away or came."""
        removed = {e.instance_id for e in events if e.type == pygame.JOYDEVICEREMOVED}
        if self._pad is not None and self._pad.is_gone(removed):
            logger.warning("%s: %s was unplugged", self.name, self._pad.name)
            self._mailbox.drop(clock.now(), "unplugged")
            self._pad = None
        number = self._settings.number
        if self._pad is None and pygame.joystick.get_count() > number:
            self._pad = Pad(pygame, number)
            logger.info("%s: %s is plugged in", self.name, self._pad.name)

    def _send_gone(self, now: float) -> None:
        self._ramp.reset()
        gone = DeviceSample(
            stamp=now, sequence=self._sequence, walk=WalkCommand(), dead_man=False
        )
        self._put(gone)

    def _send(self, pad: Pad, events: Iterable[Any], now: float, dt: float) -> None:
        settings = self._settings
        held = pad.is_held(settings.dead_man) if settings.dead_man else True
        if not held:
            self._ramp.reset()
        sample = DeviceSample(
            stamp=now,
            sequence=self._sequence,
            walk=self._walk(pad, dt) if held else WalkCommand(),
            hands=HandCommand(
                left=pad.squeeze(settings.left_hand),
                right=pad.squeeze(settings.right_hand),
            ),
            requests=self._requests(pad, events),
            dead_man=held,
        )
        self._put(sample)

    def _walk(self, pad: Pad, dt: float) -> WalkCommand:
        settings = self._settings
        forward, side, turn = (
            dead_zone(pad.axis(axis), settings.dead_zone, settings.full_scale)
            for axis in (settings.forward, settings.side, settings.turn)
        )
        return self._ramp.step(forward, side, turn, dt)

    def _requests(self, pad: Pad, events: Iterable[Any]) -> tuple[Request, ...]:
        names = (name for event in events for name in pad.pressed(event))
        wanted = (self._settings.request(name) for name in names)
        return tuple(request for request in wanted if request is not None)

    def _put(self, sample: DeviceSample) -> None:
        """Leave a sample; wake the loop only for what cannot wait for its turn."""
        self._sequence += 1
        if sample.requests or sample.dead_man != self._held:
            self._mailbox.put(sample)
        else:
            self._mailbox.leave(sample)
        self._held = sample.dead_man
