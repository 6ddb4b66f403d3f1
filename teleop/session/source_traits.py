"""What a calibration must know of a source's raw frames."""

from __future__ import annotations

from telexist.calibration import ALIGNED, WORN, SourceTraits
from telexist.teleop.devices.base import Device

__all__ = ["source_traits"]


def source_traits(device: Device) -> SourceTraits:
    """Return what is known of a device's raw frames."""
    return WORN if device.traits.worn else ALIGNED
