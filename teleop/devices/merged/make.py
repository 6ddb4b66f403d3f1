"""Makes what `merged:FILE.toml` asks for."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadInput
from telexist.teleop.devices.base import (
    Device,
    DeviceOptions,
    device_kind,
    make_device,
)
from telexist.teleop.devices.merged.merged_device import MergedDevice
from telexist.teleop.devices.merged.worn_sensors import load_worn_sensors

__all__ = ["make"]


def make(text: str, options: DeviceOptions) -> Device:
    """Make `merged:FILE.toml`.

    Raises:
        BadConfig: If the file is wrong, naming the key.
        BadInput: If there is no file, or a device cannot give what is taken of it.
    """
    if not text:
        raise BadInput("which sensors? merged:FILE.toml; see the manual's page on them")
    path = Path(text)
    worn = load_worn_sensors(path)
    for sensor in worn.sensors:
        if device_kind(sensor.device) == "merged":
            raise BadInput(f"{path}: {sensor.name}: merged devices hold no others")
    devices = [(one, make_device(one.device, options)) for one in worn.sensors]
    return MergedDevice(f"sensors of {path.name}", devices)
