"""HTTPS and WSS on one port, for one headset: who comes in, and what it may send.

The token is in the fragment of the page's address, which browsers keep to themselves,
and must be the socket's first message. `Origin` must be the page itself.
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
from collections.abc import Callable
from importlib import resources

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

__all__ = ["SOCKET_PATH", "PageServer"]


SOCKET_PATH = "/socket"
MAX_MESSAGE = 1 << 16  # [B]; a frame with two hands has 812
MAX_SILENT = 8  # strangers at once that have not said the token yet
PATIENCE = 3.0  # [s] until the token must have come
HANDSHAKE = 10.0  # [s] for TLS and the request: that holds no place
LOOK = 0.05  # [s] between two looks at whether to stop
PAGES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/headset.js": ("headset.js", "text/javascript; charset=utf-8"),
}
AUTHORITY = "/authority.crt"


class PageServer:
    """Serves one page and hears one headset."""

    def __init__(
        self,
        token: str,
        authority: bytes,
        hear: Callable[[bytes | str], None],
        gone: Callable[[str], None],
    ) -> None:
        """Take the token and who is told; both are called from the server's thread.

        Args:
            token: That the page must know.
            authority: The certificate to give away.
            hear: Told every message of the headset.
            gone: Told why a headset is no longer there.
        """
        self._token, self._authority = token, authority
        self._hear, self._gone = hear, gone
        self._connected = False
        self._silent = 0
        package = resources.files(__package__ or "")
        self._pages = {k: (package / f).read_bytes() for k, (f, _) in PAGES.items()}

    def run(
        self, listening: socket.socket, tls: ssl.SSLContext, stop: threading.Event
    ) -> None:
        """Serve until told to stop."""
        asyncio.run(self._serve(listening, tls, stop))

    async def _serve(
        self, listening: socket.socket, tls: ssl.SSLContext, stop: threading.Event
    ) -> None:
        server = serve(
            self._headset,
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

    async def _headset(self, connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            if self._silent >= MAX_SILENT or not await self._knows_token(connection):
                await connection.close(1008, "open the address that telexist printed")
                return
            if self._connected:
                await connection.close(1013, "another headset is connected")
                return
            self._connected = True
            try:
                await connection.send(json.dumps({"state": "connected"}))
                async for message in connection:
                    self._hear(message)
            finally:
                self._connected = False
                self._gone(connection.close_reason or "the page was closed")

    async def _knows_token(self, connection: ServerConnection) -> bool:
        self._silent += 1
        try:
            async with asyncio.timeout(PATIENCE):
                first = await connection.recv()
            said = json.loads(first)["token"]
            return hmac.compare_digest(str(said).encode(), self._token.encode())
        except (TimeoutError, ValueError, TypeError, KeyError, RecursionError):
            return False
        finally:
            self._silent -= 1


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
