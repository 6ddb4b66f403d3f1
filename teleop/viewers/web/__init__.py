"""Where pages are served, and who may see them."""

from telexist.teleop.viewers.web.page_address import (
    is_loopback,
    local_url,
    remote_url,
    require_free_port,
)
from telexist.teleop.viewers.web.page_guard import PageGuard, guarded

__all__ = [
    "PageGuard",
    "guarded",
    "is_loopback",
    "local_url",
    "remote_url",
    "require_free_port",
]
