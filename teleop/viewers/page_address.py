"""Where a page is served: whether only this machine reaches it, and whether it can."""

from __future__ import annotations

import ipaddress
import socket

from retarget.errors import BadInput

__all__ = ["is_loopback", "require_free_port"]


def is_loopback(host: str) -> bool:
    """Whether an address or name means this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_free_port(host: str, port: int) -> None:
    """Find out whether a page can be served at an address.

    Raises:
        BadInput: If it cannot, with the reason.
    """
    try:
        address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(*address[:3]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(
            f"cannot serve at {host} port {port}: {reason}; choose another --port"
        ) from error
