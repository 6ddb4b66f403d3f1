"""Who may use the page: viser itself lets everybody in.

Every request is checked before viser sees it, on the socket that viser listens at:

- The token must be known: once in the address (`/?token=...`), a cookie carries it from
  then on. All else gets 403. The token travels in clear: on a network that you do not
  trust, use an SSH tunnel instead.
- A web socket's `Origin` must be the page itself, so that no foreign web page in the
  operator's browser can press our buttons; on loopback `Host` must be this machine.
- An address longer than any of ours gets 414, one that cannot be understood 400.

Messages of browsers are bounded in size, and browsers in number.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http
import logging
from collections.abc import Iterator
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import websockets.asyncio.server
from telexist.retarget.errors import BadInput
from telexist.teleop.viewers.web.browser_beats import BrowserBeats
from telexist.teleop.viewers.web.page_address import is_loopback
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

__all__ = ["PageGuard", "guarded"]

MAX_MESSAGE = 1 << 20  # [B] of one message of a browser; a click has a few hundred
MAX_CLIENTS = 8
MAX_PATH = 200  # characters of an address; that of a page with its token has 40
COOKIE = "telexist"


class PageGuard:
    """Decides on one request at a time.

    Attributes:
        installed: Whether a server asks this guard.
        clients: How many browsers are connected.
    """

    def __init__(
        self, token: str, host: str = "127.0.0.1", beats: BrowserBeats | None = None
    ) -> None:
        """Demand a token, at an address that may mean this machine alone.

        Args:
            token: That is demanded.
            host: Address that is served.
            beats: Takes the heartbeats of browsers that know the token.

        Raises:
            BadInput: If there is no token.
        """
        if not token:
            raise BadInput("a page without a token is served to nobody")
        self._token, self._loopback = token, is_loopback(host)
        self._beats = beats
        # Browsers send cookies to all ports: two pages must not share one.
        self._cookie = COOKIE + hashlib.sha256(token.encode()).hexdigest()[:8]
        self.installed = False
        self.clients = 0

    def check(self, request: Request) -> Response | None:
        """Return None to let a request pass, or what to answer instead."""
        try:
            return self._judge(request)
        except ValueError:  # an address or a header that is no text, or no address
            return _response(http.HTTPStatus.BAD_REQUEST, "400\n", Headers())

    def _judge(self, request: Request) -> Response | None:
        """Return the same.

        Raises:
            ValueError: If the address or a header cannot be understood.
        """
        if len(request.path) > MAX_PATH or "%00" in request.path:
            return _response(http.HTTPStatus.REQUEST_URI_TOO_LONG, "414\n", Headers())
        host = _single(request, "Host")
        if self._loopback and not is_loopback(_hostname(host)):
            return _refusal("open the page at http://localhost")
        asked = parse_qs(urlsplit(request.path).query).get("token", [""])[-1]
        if self._same(asked):
            return self._welcome()
        if not self._same(_cookie(request, self._cookie)):
            return _refusal("open the whole address that telexist printed")
        origin = _single(request, "Origin")
        if _is_upgrade(request) and origin and urlsplit(origin).netloc != host:
            return _refusal("another web page asked for this one")
        answer = self._beats.answer(request.path) if self._beats else None
        return None if answer is None else _page(answer)

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _welcome(self) -> Response:
        headers = Headers()
        headers["Location"] = "/"
        headers["Set-Cookie"] = (
            f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Lax"
        )
        return _response(http.HTTPStatus.SEE_OTHER, "", headers)


@contextlib.contextmanager
def guarded(guard: PageGuard) -> Iterator[None]:
    """Let a guard decide over every server that is started inside the context.

    Raises:
        BadInput: If none was: an unguarded page must not stay.
    """
    start = websockets.asyncio.server.serve

    def serve(handler: Any, *address: Any, **options: Any) -> Any:
        answer = options.pop("process_request", None)

        def process_request(connection: Any, request: Request) -> Any:
            refused = guard.check(request)
            if refused is not None:
                return refused
            return answer(connection, request) if answer else None

        async def limited(connection: Any) -> None:
            if guard.clients >= MAX_CLIENTS:
                await connection.close(1013, "too many browsers")
                return
            guard.clients += 1
            try:
                await handler(connection)
            finally:
                guard.clients -= 1

        guard.installed = True
        options |= {
            "process_request": process_request,
            "max_size": MAX_MESSAGE,
            "logger": _silenced(),
        }
        return start(limited, *address, **options)

    websockets.asyncio.server.serve = serve  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        websockets.asyncio.server.serve = start  # type: ignore[misc]
    if not guard.installed:
        raise BadInput("this viser cannot be guarded; install viser 1.1")


def _silenced() -> logging.Logger:
    """Return a logger for what broken browsers send, which is no news."""
    quiet = logging.getLogger(f"{__name__}.strangers")
    quiet.setLevel(logging.CRITICAL + 1)
    return quiet


def _single(request: Request, name: str) -> str:
    """Return a header, or "" where it is absent or there are several."""
    values = request.headers.get_all(name)
    return values[0] if len(values) == 1 else ""


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_upgrade(request: Request) -> bool:
    return "websocket" in ",".join(request.headers.get_all("Upgrade")).lower()


def _cookie(request: Request, name: str) -> str:
    try:
        cookie = SimpleCookie("; ".join(request.headers.get_all("Cookie")))
    except CookieError:
        return ""
    return cookie[name].value if name in cookie else ""


def _page(text: str) -> Response:
    response = _response(http.HTTPStatus.OK, text, Headers())
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Cache-Control"] = "no-store"
    return response


def _refusal(advice: str) -> Response:
    return _response(http.HTTPStatus.FORBIDDEN, f"403: {advice}\n", Headers())


def _response(status: http.HTTPStatus, text: str, headers: Headers) -> Response:
    body = text.encode()
    headers["Content-Type"] = "text/plain; charset=utf-8"
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, body)
