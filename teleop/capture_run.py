"""A calibration by itself, outside of a session: one device, one capture."""

from __future__ import annotations

import threading
from collections.abc import Callable

from calibration.capture import Capture, CaptureStatus
from retarget.errors import BadInput
from retarget.human_size import HumanSize
from teleop import clock
from teleop.devices.interface import Device, Provides
from teleop.devices.only_kinds import whole_device

__all__ = ["run_capture"]

_TURN = 0.05  # [s] between two looks at a silent device


def run_capture(
    device: Device, capture: Capture, show: Callable[[CaptureStatus], None]
) -> CaptureStatus:
    """Feed a capture from a device until it is over; the device is closed then.

    Args:
        device: It must provide a person.
        capture: The calibration.
        show: Called with every status.

    Returns:
        The last status: done or refused.

    Raises:
        BadInput: If the device shows no person.
        DeviceLost: If it cannot be opened.
    """
    if Provides.HUMAN not in device.provides:
        raise BadInput(f"{device.name} shows no person: choose another source")
    news = threading.Event()
    device.open(news.set)
    try:
        while True:
            news.wait(_TURN)
            news.clear()
            sample = device.read()
            human = None if sample is None else sample.human
            status = capture.update(human, clock.now(), size=_size(device))
            show(status)
            if status.over:
                return status
    finally:
        device.close()


def _size(device: Device) -> HumanSize | None:
    """Return the operator's size if the device has been told it."""
    hint = getattr(whole_device(device), "size_hint", None)
    return hint if isinstance(hint, HumanSize) else None
