"""Where pages are served, and who may see them."""

from telexist.teleop.viewers.web.browser_beats import BrowserBeats, beat_frame
from telexist.teleop.viewers.web.page_address import (
    is_loopback,
    local_url,
    remote_url,
    require_free_port,
)
from telexist.teleop.viewers.web.page_guard import PageGuard
from telexist.teleop.viewers.web.page_server import (
    new_token,
    page_query,
    serve_guarded,
)

__all__ = [
    "BrowserBeats",
    "PageGuard",
    "beat_frame",
    "is_loopback",
    "local_url",
    "new_token",
    "page_query",
    "remote_url",
    "require_free_port",
    "serve_guarded",
]
