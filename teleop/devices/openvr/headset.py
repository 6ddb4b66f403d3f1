"""SteamVR: headset, controllers and trackers; the robot's camera back in the headset.

Raw frames hold `Head`, `LeftHand`, `RightHand` and the segments of the trackers, with
positions and velocities; nothing is guessed in between. While a device that is switched
on is not tracked there is no frame at all: better a stale person than half of one.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from telexist.retarget.errors import BadFrame, DeviceLost
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import (
    Device,
    DeviceTraits,
    Mailbox,
    Worker,
    decode_jpeg,
)
from telexist.teleop.devices.openvr.buttons import ControllerButtons
from telexist.teleop.devices.openvr.library import import_openvr
from telexist.teleop.devices.openvr.overlay import CameraOverlay
from telexist.teleop.devices.openvr.roles import OpenVrRoles
from telexist.teleop.devices.openvr.tracking import Look, OpenVrTracking
from telexist.teleop.devices.walk import WalkLimits, WalkRamp, dead_zone
from telexist.teleop.terms import DeviceSample, Provides, Request, WalkCommand

__all__ = ["OpenVrHeadset"]

logger = logging.getLogger(__name__)

_DEAD = 0.15  # of the sticks' way: thumbs rest on them
_PERIOD = 1.0 / 90.0  # [s] between two looks; that of most headsets


class OpenVrHeadset(Device):
    """Reads SteamVR from a thread of its own."""

    def __init__(
        self,
        *,
        roles: Mapping[str, str] | None = None,
        buttons: Mapping[str, Request] | None = None,
        walk: WalkLimits | None = None,
        library: Any = None,
        name: str = "headset (SteamVR)",
    ) -> None:
        """Take who is who; nothing is started yet.

        Args:
            roles: Serial number of a tracker to its segment.
            buttons: What the controllers' buttons ask for; see `openvr_buttons.py`.
            walk: Speeds of walking with the left stick and turning with the right one;
                None walks with another device.
            library: In place of the module `openvr`.
            name: For messages.

        Raises:
            BadInput: If a segment or a button does not exist.
        """
        self._name = name
        self._roles = OpenVrRoles(roles)
        self._buttons = ControllerButtons(buttons)
        self._ramp = None if walk is None else WalkRamp(walk)
        self._openvr = library
        self._mailbox = Mailbox()
        self._worker = Worker("headset", self._work, self._mailbox.lose)
        self._tracking: OpenVrTracking | None = None
        self._overlay: CameraOverlay | None = None
        self._missing: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Short name for messages."""
        return self._name

    @property
    def traits(self) -> DeviceTraits:
        """Its parts are turned as they are worn."""
        return DeviceTraits(worn=True, shows=True)

    @property
    def provides(self) -> frozenset[Provides]:
        """A person, hands and requests; walking if it was asked for."""
        kinds = frozenset({Provides.HUMAN, Provides.HANDS, Provides.REQUESTS})
        return kinds if self._ramp is None else kinds | {Provides.WALK}

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.1

    def open(self, wake: Callable[[], None]) -> None:
        """Start SteamVR and begin to read.

        Raises:
            DeviceLost: If SteamVR or the headset is not there.
            MissingDependency: If the library `openvr` is not installed.
        """
        if self._worker.running:
            return
        self.close()
        self._openvr = import_openvr() if self._openvr is None else self._openvr
        _start(self._openvr)
        self._tracking = OpenVrTracking(self._openvr, self._roles, self._buttons)
        self._overlay = CameraOverlay(self._openvr)
        self._overlay.start()
        self._mailbox.open(wake)
        self._worker.start()

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show the camera's picture in the headset."""
        overlay = self._overlay
        if overlay is not None and feedback.image is not None:
            overlay.put(feedback.image)
        elif overlay is not None and feedback.jpeg is not None:
            with contextlib.suppress(BadFrame):  # the next one will do
                overlay.put(decode_jpeg(feedback.jpeg))

    def close(self) -> None:
        """Let SteamVR go."""
        self._worker.stop()
        self._mailbox.close()
        overlay, self._overlay = self._overlay, None
        if overlay is not None:
            overlay.stop()
        if self._tracking is not None:
            self._tracking = None
            self._openvr.shutdown()

    def _work(self, stop: threading.Event) -> None:
        tracking, sequence = self._tracking, 0
        if tracking is None:
            return
        due = clock.now()
        while not stop.wait(max(0.0, due - clock.now())):
            due = max(due + _PERIOD, clock.now())
            try:
                if tracking.quitting():
                    self._say_gone("SteamVR was closed")
                    return
                self._send(tracking.look(clock.now(), sequence), sequence)
            except self._openvr.OpenVRError as error:
                self._say_gone(str(error) or type(error).__name__)
                return
            sequence += 1

    def _send(self, look: Look, sequence: int) -> None:
        if look.missing != self._missing:
            self._missing = look.missing
            if look.missing:
                logger.warning("headset: not tracked: %s", ", ".join(look.missing))
        stamp = clock.now() if look.human is None else look.human.stamp
        sample = DeviceSample(
            stamp=stamp,
            sequence=sequence,
            human=look.human,
            walk=self._walk(look),
            hands=look.hands,
            requests=look.requests,
            dropped=((look.lost, 1),) if look.lost else (),
        )
        self._mailbox.put(sample)

    def _walk(self, look: Look) -> WalkCommand | None:
        """The left stick walks, the right one turns; a lost controller stands still."""
        if self._ramp is None:
            return None
        if len(look.sticks) < 2:
            self._ramp.reset()
            return WalkCommand()
        right, ahead = (dead_zone(value, _DEAD) for value in look.sticks["left"])
        turn = dead_zone(look.sticks["right"][0], _DEAD)
        return self._ramp.step(ahead, -right, -turn, _PERIOD)

    def _say_gone(self, reason: str) -> None:
        logger.warning("headset: lost: %s", reason)
        self._mailbox.put(
            DeviceSample(stamp=clock.now(), dead_man=False, dropped=(("unplugged", 1),))
        )
        self._mailbox.lose(f"{reason}: start SteamVR and the session again")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence what the C library writes to the terminal by itself."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _start(openvr: Any) -> None:
    """Ask before `init`, whose error would name neither SteamVR nor the headset."""
    with _quiet():
        installed = openvr.isRuntimeInstalled()
    if not installed:
        raise DeviceLost(
            "headset: SteamVR is not installed: install it from Steam and run it once"
        )
    if not openvr.isHmdPresent():
        raise DeviceLost(
            "headset: none found: plug it in, switch it on and start SteamVR"
        )
    try:
        openvr.init(openvr.VRApplication_Overlay)
    except openvr.OpenVRError as error:
        problem = str(error) or type(error).__name__
        raise DeviceLost(
            f"headset: {problem}: start SteamVR, then try again"
        ) from error
