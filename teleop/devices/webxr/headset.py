"""A headset with a browser as a device: Quest, Pico, Vision Pro, no app, no store.

Raw frames hold `Head`, `LeftHand` and `RightHand`. While one of them is not tracked, or
something lies above the page, there is no frame: better a stale person than half of
one. Whatever ends or shifts the session in the headset asks for a hold at once.
"""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence

from telexist.calibration import operators_folder
from telexist.retarget.errors import BadFrame, DeviceLost
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceTraits, Mailbox, Worker
from telexist.teleop.devices.walk import WalkLimits, WalkRamp, dead_zone
from telexist.teleop.devices.webxr.certificates import Authority
from telexist.teleop.devices.webxr.contact_pulses import ContactPulses
from telexist.teleop.devices.webxr.page_server import PageServer
from telexist.teleop.devices.webxr.tracking import STICK_X, STICK_Y, XrTracking
from telexist.teleop.devices.webxr.wire import XrFrame, unpack_frame
from telexist.teleop.terms import (
    DeviceSample,
    Provides,
    Request,
    SessionNews,
    WalkCommand,
)

__all__ = ["WebXrHeadset"]

logger = logging.getLogger(__name__)

EVENTS = {
    "blurred": "something lies above the page",
    "hidden": "the headset was taken off",
    "recentred": "the headset's space was re-centred: calibrate again",
    "ended": "the session in the headset has ended",
}
"""What the page tells, all of which hold the robot."""
ASKED = {"stop": Request.STOP, "hold": Request.HOLD}
"""What the page's own buttons ask for, whoever looks at it."""
DEAD = 0.15  # of the sticks' way: thumbs rest on them
STEP = 1.0 / 72.0  # [s] between two frames of most headsets
ANYWHERE = ("", "0.0.0.0", "::")
OUTSIDE = ("192.0.2.1", 9)  # an address that is nobody's (RFC 5737)


class WebXrHeadset(Device):
    """Serves the page and reads what it sends, from a thread of its own.

    Attributes:
        authority: The certificate that a client may trust, once the device is open.
        token: What the page must know.
    """

    def __init__(
        self, *, host: str, port: int, walk: WalkLimits | None = None, name: str = ""
    ) -> None:
        """Take where to serve; nothing is started yet.

        Args:
            host: Address of this machine; 127.0.0.1 lets nobody else in.
            port: 0 takes any.
            walk: Speeds of walking by stick; None walks with another device.
            name: For messages.
        """
        self._host, self._port = host, port
        self._name = name or f"headset's browser on {host}:{port}"
        self._ramp = None if walk is None else WalkRamp(walk)
        self.token = secrets.token_urlsafe(12)
        self.authority = b""
        self._mailbox = Mailbox()
        self._worker: Worker | None = None
        self._tracking = XrTracking()
        self._last: int | None = None
        self._missing: tuple[str, ...] = ()
        self._pulses = ContactPulses()
        self._server: PageServer | None = None

    @property
    def name(self) -> str:
        """Short name for messages."""
        return self._name

    @property
    def provides(self) -> frozenset[Provides]:
        """A person, hands and requests; walking if it was asked for."""
        kinds = frozenset({Provides.HUMAN, Provides.HANDS, Provides.REQUESTS})
        return kinds if self._ramp is None else kinds | {Provides.WALK}

    @property
    def traits(self) -> DeviceTraits:
        """It is worn: nobody knows how the hands lie in their frames."""
        return DeviceTraits(worn=True, shows=True)

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.1

    @property
    def port(self) -> int:
        """The port; the real one once the device is open."""
        return self._port

    @property
    def url(self) -> str:
        """The page's address, with its token."""
        host = _own_address() if self._host in ANYWHERE else self._host
        host = f"[{host}]" if ":" in host else host
        return f"https://{host}:{self._port}/#{self.token}"

    @property
    def manual(self) -> str:
        """What to open in the headset."""
        return f"in the headset's browser open {self.url}"

    def open(self, wake: Callable[[], None]) -> None:
        """Serve the page.

        Raises:
            DeviceLost: If the port cannot be had.
            BadInput: If certificates cannot be kept.
        """
        if self._worker is not None and self._worker.running:
            return
        self.close()
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            place = (self._host, self._port)
            listening = socket.create_server(place, family=family)
        except (OSError, UnicodeError) as error:
            raise DeviceLost(
                f"{self.name}: {error}: choose another place: webxr:HOST:PORT"
            ) from error
        self._port = listening.getsockname()[1]
        try:
            authority = Authority(operators_folder().parent / "webxr")
            tls = authority.server_context(self._names())
        except BaseException:
            listening.close()
            raise
        self.authority = authority.certificate
        server = PageServer(self.token, self.authority, self._hear, self._gone)
        self._server = server
        self._mailbox.open(wake)
        self._forget()
        self._worker = Worker(
            "webxr", lambda stop: _run(server, listening, tls, stop), self._mailbox.lose
        )
        self._worker.start()

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show the robot's picture, and let the hands feel what its hands touch."""
        server = self._server
        if server is None:
            return
        if feedback.hand_forces is not None:
            for pulse in self._pulses.of_forces(feedback.hand_forces, clock.now()):
                server.say(pulse.message())
        if feedback.image is not None or feedback.jpeg is not None:
            server.show(feedback)

    def tell(self, news: SessionNews) -> None:
        """Show the session's state; a fault is felt, too."""
        server = self._server
        if server is None:
            return
        server.say(news.message(), keep=True)
        for pulse in self._pulses.of_fault() if news.fault else ():
            server.say(pulse.message())

    def picture_times(self) -> Mapping[str, float]:
        """Return how long pictures took from capture to drawn [s], by stage."""
        return {} if self._server is None else self._server.times.summary()

    def close(self) -> None:
        """Close the page."""
        worker, self._worker = self._worker, None
        self._server = None
        if worker is not None:
            worker.stop()
        self._mailbox.close()

    def _names(self) -> Sequence[str]:
        names = ["localhost", "127.0.0.1", "::1"]
        if self._host in ANYWHERE:
            names += [_own_address(), socket.gethostname()]
        else:
            names.append(self._host)
        return [name for name in dict.fromkeys(names) if name.isascii()]

    def _forget(self) -> None:
        self._tracking, self._last, self._missing = XrTracking(), None, ()
        if self._ramp is not None:
            self._ramp.reset()

    def _hear(self, message: bytes | str, wears: bool) -> None:
        stamp = clock.now()
        if isinstance(message, str):
            self._event(message, stamp, wears)
            return
        if not wears:
            self._mailbox.drop(stamp, "malformed", detail="a frame of who looks on")
            return
        try:
            frame = unpack_frame(message)
            if self._last is not None and frame.sequence <= self._last:
                self._mailbox.drop(stamp, "old")
                return
            look = self._tracking.look(frame, stamp)
        except BadFrame as error:
            self._mailbox.drop(stamp, "malformed", detail=str(error))
            return
        self._last = frame.sequence
        if look.missing != self._missing:
            self._missing = look.missing
            if look.missing:
                logger.warning("headset: not tracked: %s", ", ".join(look.missing))
        sample = DeviceSample(
            stamp=stamp,
            sequence=frame.sequence,
            human=look.human,
            hands=look.hands,
            walk=self._walk(frame, lost=bool(look.missing)),
            requests=look.requests,
            dropped=(("untracked", 1),) if look.missing else (),
        )
        self._mailbox.put(sample)

    def _event(self, message: str, stamp: float, wears: bool) -> None:
        try:
            event = json.loads(message)["event"]
            if event in ASKED:
                asked = DeviceSample(stamp=stamp, requests=(ASKED[event],))
                self._mailbox.put(asked)
                return
            reason = EVENTS[event if wears else "nobody"]
        except (ValueError, TypeError, KeyError, RecursionError):
            self._mailbox.drop(stamp, "malformed", detail="an unknown message")
            return
        self._hold(reason, event)

    def _gone(self, reason: str) -> None:
        self._forget()
        self._hold(f"connection lost: {reason}", "unplugged")

    def _hold(self, reason: str, word: str) -> None:
        logger.warning("headset: %s", reason)
        stamp = clock.now()
        self._mailbox.put(
            DeviceSample(stamp=stamp, requests=(Request.HOLD,), dropped=((word, 1),))
        )

    def _walk(self, frame: XrFrame, *, lost: bool) -> WalkCommand | None:
        """The left stick walks, the right one turns; whoever is not seen stands."""
        if self._ramp is None:
            return None
        if lost:
            self._ramp.reset()
            return WalkCommand()
        left, right = frame.held["left"].axes, frame.held["right"].axes
        aside, back = dead_zone(left[STICK_X], DEAD), dead_zone(left[STICK_Y], DEAD)
        turn = dead_zone(right[STICK_X], DEAD)
        return self._ramp.step(-back, -aside, -turn, STEP)


def _run(
    server: PageServer,
    listening: socket.socket,
    tls: ssl.SSLContext,
    stop: threading.Event,
) -> None:
    with listening:
        server.run(listening, tls, stop)


def _own_address() -> str:
    """Return the address with which this machine reaches others."""
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        probe.connect(OUTSIDE)  # chooses a route, sends nothing
        return str(probe.getsockname()[0])
    return "127.0.0.1"
