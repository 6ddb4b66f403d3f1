"""The Virtuix Omni on its serial port, through pyserial."""

from __future__ import annotations

import importlib
from typing import Any

from telexist.retarget.errors import DeviceLost, MissingDependency
from telexist.teleop.devices.treadmill.omni import OmniDecoder
from telexist.teleop.devices.treadmill.port import TreadmillOnPort

__all__ = ["OmniTreadmill", "SerialPort", "find_omni"]

BAUD = 115200
_MAX_READ = 4096  # bytes


class OmniTreadmill(TreadmillOnPort):
    """A Virtuix Omni."""

    def __init__(
        self,
        path: str | None = None,
        *,
        full_speed: float = 1.5,
        start: bytes = b"",
    ) -> None:
        """Take the serial port; by default the one that calls itself Omni.

        Args:
            path: "COM3", "/dev/ttyUSB0", or a simulator's terminal.
            full_speed: Of walking when the Omni's gamepad is at its end [m/s].
            start: A frame to send once, where the stream must be asked for.
        """
        self._path = path
        super().__init__(
            f"omni {path or 'treadmill'}",
            self._connect_serial,
            OmniDecoder(full_speed=full_speed, start=start),
        )

    def _connect_serial(self) -> SerialPort:
        return SerialPort(find_omni() if self._path is None else self._path)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingDependency("pyserial", "pip install pyserial") from error


def find_omni() -> str:
    """Return the serial port whose name says Omni.

    Raises:
        DeviceLost: If there is none; names the ports that there are.
        MissingDependency: If pyserial is not installed.
    """
    ports = list(_import("serial.tools.list_ports").comports())
    for port in ports:
        if "omni" in f"{port.description} {port.product} {port.manufacturer}".lower():
            return str(port.device)
    known = ", ".join(port.device for port in ports) or "no serial port at all"
    raise DeviceLost(f"omni: not found: name its port, like omni:COM3; seen: {known}")


class SerialPort:
    """An open serial port."""

    def __init__(self, path: str) -> None:
        """Open it.

        Raises:
            DeviceLost: If it is not there or in use.
            MissingDependency: If pyserial is not installed.
        """
        serial = _import("serial")
        try:
            self._serial = serial.Serial(path, BAUD, timeout=0.0, write_timeout=1.0)
            self._serial.reset_input_buffer()  # what came before we listened is old
        except (OSError, ValueError) as error:  # SerialException is an OSError
            raise DeviceLost(
                f"omni: {path}: {error}: check the cable and end other programs "
                "that use the port"
            ) from error

    def read(self, timeout: float) -> bytes:
        """Return what has come; OSError if the port is gone."""
        self._serial.timeout = timeout
        first = self._serial.read(1)
        if not first:
            return b""
        return first + self._serial.read(min(self._serial.in_waiting, _MAX_READ))

    def write(self, data: bytes) -> None:
        """Send; OSError if the port is gone."""
        self._serial.write(data)

    def close(self) -> None:
        """Close the port."""
        self._serial.close()
