"""Where a page is served: who reaches it, by which address, and whether it can be."""

from __future__ import annotations

import errno
import ipaddress
import socket

from telexist.retarget.errors import BadInput

__all__ = ["is_loopback", "local_url", "remote_url", "require_free_port"]

ANY_ADDRESS = ("", "0.0.0.0", "::")
HOSTS = "--host is an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them"
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that belong to nobody (RFC 5737, RFC 3849)."""


def is_loopback(host: str) -> bool:
    """Whether an address or name means this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def local_url(host: str, port: int, query: str = "") -> str:
    """Return the address for a browser on this machine."""
    here = host in ANY_ADDRESS or is_loopback(host)
    return _url("localhost" if here else host, port, query)


def remote_url(host: str, port: int, query: str = "") -> str:
    """Return the address for a browser on another machine; "" if none reaches us."""
    if is_loopback(host):
        return ""
    return _url(_own_address(host) if host in ANY_ADDRESS else host, port, query)


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
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise BadInput(f"cannot serve at {host}: {reason}; {HOSTS}") from error
        raise BadInput(
            f"cannot serve at {host} port {port}: {reason}; choose another --port"
        ) from error
    except UnicodeError as error:  # a name that no machine can have
        raise BadInput(f"cannot serve at {host}: no name; {HOSTS}") from error


def _own_address(host: str) -> str:
    """Return the address with which this machine reaches others, else its name."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((ELSEWHERE[family], 9))  # chooses a route, sends nothing
            return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()


def _url(host: str, port: int, query: str) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{query}"
