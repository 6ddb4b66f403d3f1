"""A cable of which we hold one end: a pseudo-terminal in place of a serial or USB port.

The device is opened with the name of the other end: `kat:/dev/pts/7`. POSIX only.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading

from telexist.retarget.errors import DeviceLost

__all__ = ["CableLink"]

_REMEMBERED = 4096  # bytes that came back


class CableLink:
    """Sends bytes; those that do not fit are lost, as on a real cable.

    Attributes:
        path: Name of the other end, with which the device is opened.
        received: The last bytes that the device sent.
    """

    def __init__(self) -> None:
        """Lay the cable.

        Raises:
            DeviceLost: On a system without pseudo-terminals.
        """
        if sys.platform == "win32":
            raise DeviceLost("no simulated cables on Windows: simulate on Linux")
        import pty
        import tty

        self._hand, self._other = pty.openpty()
        tty.setraw(self._other)
        os.set_blocking(self._hand, False)
        self.path = os.ttyname(self._other)
        self.received = b""
        self._lock = threading.Lock()

    def send(self, packet: bytes) -> None:
        """Send bytes, and take what has come back."""
        with self._lock:
            if self._hand < 0:
                return
            with contextlib.suppress(BlockingIOError):
                self.received = (self.received + os.read(self._hand, _REMEMBERED))[
                    -_REMEMBERED:
                ]
            with contextlib.suppress(BlockingIOError):
                os.write(self._hand, packet)

    def close(self) -> None:
        """Pull the cable out, while another thread may be sending."""
        with self._lock:
            hand, self._hand = self._hand, -1
            if hand >= 0:
                os.close(hand)
                os.close(self._other)
