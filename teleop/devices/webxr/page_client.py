"""One browser: what it is told and shown, never more than it takes.

Words wait in a short queue; of pictures only the newest waits, and at most `CREDIT` are
on their way until the page says that one was drawn.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telexist.teleop import clock
from telexist.teleop.devices.base import PeerClock
from telexist.teleop.devices.webxr.picture_times import PictureTimes
from telexist.teleop.devices.webxr.picture_wire import SentPicture, pack_picture
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

__all__ = ["EncodedPicture", "PageClient"]

CREDIT = 2  # pictures on their way
FORGIVEN = 1.0  # [s] after which a picture that was never drawn no longer counts
PING = 0.2  # [s] between two
MOST_WORDS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedPicture:
    """A picture that was encoded for all browsers.

    Attributes:
        stamp: When it was captured [s].
        stereo: Whether it is that of two eyes.
        fovy: Vertical field of view of an eye [rad].
        jpeg: The picture.
    """

    stamp: float
    stereo: bool
    fovy: float
    jpeg: bytes


class PageClient:
    """The server's end of one socket; used by its event loop only.

    Attributes:
        wears: Whether it is the headset; if not, it only looks on.
    """

    def __init__(
        self, connection: ServerConnection, *, wears: bool, times: PictureTimes
    ) -> None:
        """Take a socket whose token was right."""
        self.wears = wears
        self._connection, self._times = connection, times
        self._words: deque[Mapping[str, Any]] = deque(maxlen=MOST_WORDS)
        self._picture: EncodedPicture | None = None
        self._sent: dict[int, tuple[float, float]] = {}
        self._number = 0
        self._wake = asyncio.Event()
        self._clock = PeerClock()

    @property
    def wants_picture(self) -> bool:
        """Whether it would take a picture now."""
        now = clock.now()
        for number, (_, sent) in list(self._sent.items()):
            if now - sent > FORGIVEN:
                del self._sent[number]
        return len(self._sent) < CREDIT

    def say(self, message: Mapping[str, Any]) -> None:
        """Say something soon."""
        self._words.append(message)
        self._wake.set()

    def show(self, picture: EncodedPicture) -> None:
        """Show a picture soon, instead of the one that waits."""
        self._picture = picture
        self._wake.set()

    async def work(self) -> None:
        """Send until the socket is closed."""
        due = 0.0
        with contextlib.suppress(ConnectionClosed):
            while True:
                if clock.now() >= due:
                    due = clock.now() + PING
                    await self._send_word({"ping": clock.now()})
                while self._words:
                    await self._send_word(self._words.popleft())
                picture, self._picture = self._picture, None
                if picture is not None and self.wants_picture:
                    await self._send_picture(picture)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(due - clock.now(), 0.0)):
                        await self._wake.wait()
                self._wake.clear()

    def hear(self, message: Mapping[str, Any]) -> bool:
        """Take an answer of the page; return False if it is none."""
        if "pong" in message:
            return self._hear_pong(message)
        if "shown" in message:
            return self._hear_shown(message)
        return False

    async def _send_word(self, message: Mapping[str, Any]) -> None:
        await self._connection.send(json.dumps(message))

    async def _send_picture(self, picture: EncodedPicture) -> None:
        self._number += 1
        known = self._clock.known
        sent = SentPicture(
            number=self._number,
            captured=self._clock.theirs(picture.stamp) if known else 0.0,
            stereo=picture.stereo,
            fovy=picture.fovy,
            jpeg=picture.jpeg,
        )
        self._sent[self._number] = (picture.stamp, clock.now())
        await self._connection.send(pack_picture(sent))

    def _hear_pong(self, message: Mapping[str, Any]) -> bool:
        sent, theirs = message["pong"], message.get("now", math.nan)
        if not (_is_time(sent) and _is_time(theirs)):
            return False
        self._clock.add(sent, theirs, clock.now())
        return True

    def _hear_shown(self, message: Mapping[str, Any]) -> bool:
        number = message["shown"]
        theirs = [message.get(word) for word in ("got", "decoded", "drawn")]
        if not isinstance(number, int) or not all(_is_time(t) for t in theirs):
            return False
        found = self._sent.pop(number, None)
        if found is not None and self._clock.known and self.wears:
            ours = [self._clock.ours(time) for time in theirs if time is not None]
            self._times.add((*found, *ours))
        return True


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
