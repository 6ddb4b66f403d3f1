"""Sockets that listen on this machine, and what to say when they cannot."""

from __future__ import annotations

import errno
import socket

from telexist.retarget.errors import DeviceLost

__all__ = ["LOOPBACK", "listening_socket", "listening_text"]

LOOPBACK = "127.0.0.1"


def listening_socket(kind: socket.SocketKind, host: str, port: int) -> socket.socket:
    """Bind a socket.

    Args:
        kind: `SOCK_DGRAM` or `SOCK_STREAM`; a stream also listens.
        host: Address of this machine; "0.0.0.0" means all of them.
        port: Port; 0 takes a free one.

    Raises:
        DeviceLost: If the address is not ours or the port is taken.
    """
    bound = socket.socket(socket.AF_INET, kind)
    try:
        if kind == socket.SOCK_STREAM:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        if kind == socket.SOCK_STREAM:
            bound.listen(4)
    except (OSError, OverflowError) as error:
        bound.close()
        raise DeviceLost(_advice(error, host, port)) from error
    return bound


def listening_text(host: str, port: int, protocol: str) -> str:
    """Say, in one line, where a device listens and who can reach it."""
    text = f"listens on {host}:{port} by {protocol.upper()}"
    if host == LOOPBACK:
        text += f", to this machine only (0.0.0.0:{port} lets others send)"
    return text


def _advice(error: Exception, host: str, port: int) -> str:
    code = error.errno if isinstance(error, OSError) else None
    where = f"cannot listen on {host}:{port}"
    if code == errno.EADDRINUSE:
        return f"{where}: another program has the port; end it or choose another port"
    if code in (errno.EACCES, errno.EPERM):
        return f"{where}: not allowed; choose a port above 1023"
    if code == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"{where}: not an address of this machine; try 127.0.0.1 or 0.0.0.0"
    return f"{where}: {error}; choose another host or port"
