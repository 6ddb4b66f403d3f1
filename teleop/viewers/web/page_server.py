"""The one way in which we serve a page: guarded, and to this machine or network only.

Every page goes through here, the live one and those of clips and recordings: each has a
token, also on loopback, since other people's programs on this machine must not press
its buttons either. The viewer library can publish a page through a tunnel to a server
of its makers when any browser asks for it: that part is taken out.
"""

from __future__ import annotations

import contextlib
import io
import secrets
from typing import Any

from telexist.retarget.errors import BadInput
from telexist.teleop.viewers.web.browser_beats import BrowserBeats
from telexist.teleop.viewers.web.page_guard import PageGuard, guarded

__all__ = ["new_token", "page_query", "serve_guarded"]

TUNNEL = ("ShareUrlRequest", "ShareUrlDisconnect")


def new_token() -> str:
    """Return what a browser must know to see a page."""
    return secrets.token_urlsafe(24)


def page_query(token: str) -> str:
    """Return what the address of a page ends with."""
    return f"/?token={token}"


def serve_guarded(
    host: str, port: int, token: str, beats: BrowserBeats | None = None
) -> Any:
    """Serve an empty page and return viser's server.

    Args:
        host: Address to serve at.
        port: Port to serve at; 0 takes any.
        token: That browsers must know.
        beats: Takes the heartbeats of browsers.

    Raises:
        BadInput: If the port was taken meanwhile, or this viser cannot be guarded.
    """
    import viser  # half a second: only where a page is served

    guard = PageGuard(token, host, beats)
    with guarded(guard), contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=host, port=port, verbose=False)
    served = int(server.get_port())
    if port not in (0, served):
        with contextlib.redirect_stdout(io.StringIO()):
            server.stop()
        raise BadInput(
            f"cannot serve at {host} port {port}: it was just taken; "
            "choose another --port"
        )
    _close_tunnel(server)
    return server


def _close_tunnel(server: Any) -> None:
    """Let nobody publish the page: neither a browser nor a program."""
    import viser._messages as messages

    sockets = server._websock_server
    for name in TUNNEL:
        kind = getattr(messages, name, None)
        if kind in sockets._incoming_handlers:
            sockets.unregister_handler(kind)
    server.request_share_url = _refuse


def _refuse(*_: object, **__: object) -> None:
    raise BadInput("pages are not published: use an SSH tunnel instead")
