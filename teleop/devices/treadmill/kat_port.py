"""The KAT Walk C2+ on Linux: its receiver and its base as hidraw files."""

from __future__ import annotations

import contextlib
import errno
import os
import select
from pathlib import Path

from telexist.retarget.errors import DeviceLost
from telexist.teleop import clock
from telexist.teleop.devices.treadmill.kat import FRAME_SIZE, KatDecoder
from telexist.teleop.devices.treadmill.port import TreadmillOnPort

__all__ = ["HidrawPort", "KatTreadmill", "find_hidraw"]

_CLASS = Path("/sys/class/hidraw")
_MAKER = "0000C4F4"
_AWAKE_PERIOD = 0.28  # [s] between two empty frames to the base
_MAX_READ = 4096  # bytes
_MAX_OLD = 64  # reads that empty the kernel's buffer
_TRANSIENT = (errno.EPROTO, errno.EAGAIN)  # of a busy USB hub; the next write works


class KatTreadmill(TreadmillOnPort):
    """A KAT Walk C2+."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        counts_per_speed: float = 1260.0,
        classes: Path = _CLASS,
    ) -> None:
        """Take the receiver's file; by default the one that the kernel names so.

        Args:
            path: "/dev/hidraw3", or a simulator's file.
            counts_per_speed: Slip of a shoe at 1 m/s.
            classes: Where the kernel lists its hidraw files.
        """
        self._path = None if path is None else Path(path)
        self._classes = classes
        super().__init__(
            f"kat {path or 'walk'}",
            self._connect_receiver,
            KatDecoder(counts_per_speed=counts_per_speed),
        )

    def _connect_receiver(self) -> HidrawPort:
        if self._path is not None:
            return HidrawPort(self._path)
        receiver = find_hidraw("receiver", self._classes)
        if receiver is None:
            raise DeviceLost(
                "kat: no KAT Walk receiver found: plug in its USB cable and switch "
                "the base on, or name its file: kat:/dev/hidraw3"
            )
        return HidrawPort(receiver, find_hidraw("position", self._classes))


def find_hidraw(role: str, classes: Path = _CLASS) -> Path | None:
    """Return the file of the part of a KAT Walk whose name holds a word."""
    for folder in sorted(classes.glob("hidraw*")):
        try:
            text = (folder / "device" / "uevent").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if _MAKER in text.upper() and role in text.lower():
            return Path("/dev") / folder.name
    return None


class HidrawPort:
    """The receiver's file, and the base's, which is kept awake."""

    def __init__(self, receiver: Path, base: Path | None = None) -> None:
        """Open them.

        Raises:
            DeviceLost: If a file cannot be opened.
        """
        self._receiver = _open(receiver)
        try:
            self._base = None if base is None else _open(base)
        except DeviceLost:
            os.close(self._receiver)
            raise
        self._awake = float("-inf")
        self._open = True
        with contextlib.suppress(OSError):  # what came before we listened is old
            for _ in range(_MAX_OLD):
                if not os.read(self._receiver, _MAX_READ):
                    break

    def read(self, timeout: float) -> bytes:
        """Return what has come; the base is kept awake meanwhile."""
        if self._base is not None and clock.now() - self._awake > _AWAKE_PERIOD:
            self._awake = clock.now()
            _write(self._base, bytes(FRAME_SIZE))
        ready, _, _ = select.select([self._receiver], [], [], timeout)
        if not ready:
            return b""
        data = os.read(self._receiver, _MAX_READ)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data

    def write(self, data: bytes) -> None:
        """Send one frame to the receiver."""
        _write(self._receiver, data)

    def close(self) -> None:
        """Close the files."""
        if self._open:
            self._open = False
            os.close(self._receiver)
            if self._base is not None:
                os.close(self._base)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_NONBLOCK | getattr(os, "O_NOCTTY", 0))
    except PermissionError as error:
        raise DeviceLost(
            f"kat: {path}: not allowed: add a udev rule for vendor c4f4 with "
            'TAG+="uaccess", then plug it in again'
        ) from error
    except OSError as error:
        raise DeviceLost(
            f"kat: {path}: {error.strerror}: check the cable and the file's name"
        ) from error


def _write(number: int, frame: bytes) -> None:
    try:
        os.write(number, b"\0" + frame)  # hidraw: the report's number comes first
    except OSError as error:
        if error.errno not in _TRANSIENT:
            raise
