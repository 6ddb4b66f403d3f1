"""A calibration by itself, outside of a session: one device, one capture."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from telexist.calibration import Capture, CaptureStatus
from telexist.retarget.errors import BadInput
from telexist.retarget.signals import HumanFrame
from telexist.teleop import clock
from telexist.teleop.devices.base import Device
from telexist.teleop.terms import Provides

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
    _load_frame_check()
    news = threading.Event()
    device.open(news.set)
    try:
        while True:
            news.wait(_TURN)
            news.clear()
            sample = device.read()
            human = None if sample is None else sample.human
            status = capture.update(human, clock.now(), size=device.size_hint)
            show(status)
            if status.over:
                return status
    finally:
        device.close()


def _load_frame_check() -> None:
    """Check a frame: compiled code is loaded before frames come, not while they do."""
    HumanFrame(
        stamp=0.0,
        segments=("Pelvis",),
        rotations=np.eye(3)[None],
        angular_velocities=np.zeros((1, 3)),
        positions=np.zeros((1, 3)),
    ).require_finite()
