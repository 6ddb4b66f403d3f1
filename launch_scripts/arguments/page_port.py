"""The port of a page."""

from __future__ import annotations

import contextlib

from telexist.retarget.errors import BadInput
from telexist.teleop.viewers.web import require_free_port

__all__ = ["chosen_port"]

USUAL_PORT = 8080


def chosen_port(host: str, asked: int | None) -> int:
    """Return the port that was asked for, else the usual one or any free one."""
    if asked is not None:
        return asked
    with contextlib.suppress(BadInput):
        require_free_port(host, USUAL_PORT)
        return USUAL_PORT
    return 0
