"""HTTPS and WSS on one port: who comes in, what it may send, what it is shown.

The token is in the fragment of the page's address, which browsers keep to themselves,
and must be the socket's first message. `Origin` must be the page itself. One browser is
the headset; others look on, and may stop and hold the robot.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import http
import json
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base import encode_jpeg
from telexist.teleop.devices.webxr.page_client import EncodedPicture, PageClient
from telexist.teleop.devices.webxr.picture_times import PictureTimes
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

__all__ = ["SOCKET_PATH", "PageServer"]


SOCKET_PATH = "/socket"
MAX_MESSAGE = 1 << 16  # [B]; a frame with two hands has 812
MAX_SILENT = 8  # strangers at once that have not said the token yet
MAX_VIEWERS = 4  # that look on
PATIENCE = 3.0  # [s] until the token must have come
HANDSHAKE = 10.0  # [s] for TLS and the request: that holds no place
LOOK = 0.05  # [s] between two looks at whether to stop
QUALITY = 70  # of a picture's JPEG: about 30 kB for 640 x 480
SCRIPT = "text/javascript; charset=utf-8"
PAGES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/headset.js": ("headset.js", SCRIPT),
    "/frame.js": ("frame.js", SCRIPT),
    "/eyes.js": ("eyes.js", SCRIPT),
}
AUTHORITY = "/authority.crt"


class PageServer:
    """Serves one page, hears one headset, and shows browsers what the robot sees."""

    def __init__(
        self,
        token: str,
        authority: bytes,
        hear: Callable[[bytes | str, bool], None],
        gone: Callable[[str], None],
    ) -> None:
        """Take the token and who is told; both are called from the server's thread.

        Args:
            token: That the page must know.
            authority: The certificate to give away.
            hear: Told every message, and whether it is the headset's.
            gone: Told why a headset is no longer there.
        """
        self._token, self._authority = token, authority
        self._hear, self._gone = hear, gone
        self.times = PictureTimes.new()
        self._clients: set[PageClient] = set()
        self._silent = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._encoding = False
        self._waiting: RobotFeedback | None = None
        self._task: asyncio.Task[None] | None = None
        self._newest: Mapping[str, Any] | None = None
        package = resources.files(__package__ or "")
        self._pages = {k: (package / f).read_bytes() for k, (f, _) in PAGES.items()}

    def run(
        self, listening: socket.socket, tls: ssl.SSLContext, stop: threading.Event
    ) -> None:
        """Serve until told to stop."""
        asyncio.run(self._serve(listening, tls, stop))

    def show(self, feedback: RobotFeedback) -> None:
        """Show a picture to all; any thread may call this, and it never waits."""
        self._soon(self._show, feedback)

    def say(self, message: Mapping[str, Any], *, keep: bool = False) -> None:
        """Say something to all; any thread may call this.

        Args:
            message: What becomes JSON.
            keep: Whether a browser that comes later should hear it, too.
        """
        self._soon(self._say, message, keep)

    def _soon(self, work: Callable[..., None], *args: object) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(work, *args)

    async def _serve(
        self, listening: socket.socket, tls: ssl.SSLContext, stop: threading.Event
    ) -> None:
        self._loop = asyncio.get_running_loop()
        server = serve(
            self._browser,
            sock=listening,
            ssl=tls,
            process_request=self._request,
            max_size=MAX_MESSAGE,
            max_queue=64,
            compression=None,
            open_timeout=HANDSHAKE,
            close_timeout=1.0,
            logger=_silenced(),
        )
        async with server:
            while not stop.is_set():
                await asyncio.sleep(LOOK)

    def _request(
        self, connection: ServerConnection, request: Request
    ) -> Response | None:
        path = request.path.partition("?")[0]
        if path == SOCKET_PATH:
            hosts = request.headers.get_all("Host")
            origins = request.headers.get_all("Origin")
            if len(hosts) == 1 and origins == [f"https://{hosts[0]}"]:
                return None
            return _answer(http.HTTPStatus.FORBIDDEN, b"not our page\n", "text/plain")
        if path == AUTHORITY:
            kind = "application/x-x509-ca-cert"
            return _answer(http.HTTPStatus.OK, self._authority, kind)
        if path in self._pages:
            return _answer(http.HTTPStatus.OK, self._pages[path], PAGES[path][1])
        return _answer(http.HTTPStatus.NOT_FOUND, b"no such page\n", "text/plain")

    async def _browser(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            wears = None
            if self._silent < MAX_SILENT:
                wears = await self._role_of_knower(connection)
            if wears is None:
                await connection.close(1008, "open the address that telexist printed")
                return
            if wears and any(client.wears for client in self._clients):
                await connection.close(1013, "another headset is connected")
                return
            if len(self._clients) > MAX_VIEWERS:
                await connection.close(1013, "too many browsers look on")
                return
            await self._attend(connection, wears)

    async def _attend(self, connection: ServerConnection, wears: bool) -> None:
        client = PageClient(connection, wears=wears, times=self.times)
        self._clients.add(client)
        client.say(self._newest or {"state": "connected"})
        sender = asyncio.create_task(client.work())
        try:
            async for message in connection:
                if not (isinstance(message, str) and client.hear(_object(message))):
                    self._hear(message, wears)
        finally:
            self._clients.discard(client)
            sender.cancel()
            if wears:
                self._gone(connection.close_reason or "the page was closed")

    async def _role_of_knower(self, connection: ServerConnection) -> bool | None:
        """Return whether who knows the token is the headset; None: it does not."""
        self._silent += 1
        try:
            async with asyncio.timeout(PATIENCE):
                first = await connection.recv()
            said = json.loads(first)
            token = str(said["token"]).encode()
            if not hmac.compare_digest(token, self._token.encode()):
                return None
            return bool(said.get("role", "headset") == "headset")
        except (TimeoutError, ValueError, TypeError, KeyError, RecursionError):
            return None
        except AttributeError:  # JSON, but no object
            return None
        finally:
            self._silent -= 1

    # what the robot sees ----------------------------------------------------------

    def _say(self, message: Mapping[str, Any], keep: bool) -> None:
        if keep:
            self._newest = message
        for client in self._clients:
            client.say(message)

    def _show(self, feedback: RobotFeedback) -> None:
        self._waiting = feedback
        if not self._encoding and self._loop is not None:
            self._encoding = True
            self._task = self._loop.create_task(self._encode())

    async def _encode(self) -> None:
        """Encode the newest picture until none waits."""
        try:
            while self._waiting is not None:
                feedback, self._waiting = self._waiting, None
                eager = [client for client in self._clients if client.wants_picture]
                if not eager:
                    continue
                jpeg = feedback.jpeg
                if jpeg is None and feedback.image is not None:
                    jpeg = await asyncio.to_thread(encode_jpeg, feedback.image, QUALITY)
                if jpeg is None:  # a picture that is none
                    continue
                picture = EncodedPicture(
                    stamp=feedback.stamp,
                    stereo=feedback.stereo,
                    fovy=feedback.fovy,
                    jpeg=jpeg,
                )
                for client in eager:
                    client.show(picture)
        finally:
            self._encoding = False


def _object(message: str) -> Mapping[str, Any]:
    """Return a message's object; an empty one if it is none."""
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _silenced() -> logging.Logger:
    """Return a logger for strangers' broken handshakes, which are no news."""
    quiet = logging.getLogger(f"{__name__}.strangers")
    quiet.setLevel(logging.CRITICAL)
    return quiet


def _answer(status: http.HTTPStatus, body: bytes, kind: str) -> Response:
    headers = Headers()
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    headers["Content-Security-Policy"] = (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cache-Control"] = "no-store"
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, body)
