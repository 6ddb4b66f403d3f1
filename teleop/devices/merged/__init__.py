"""Several devices worn by one person, as one: suit, shoes, insoles, single trackers.

A TOML names the devices and what is taken of each; frames and forces of all of them
come out as one stream, with how each of them does.
"""

from telexist.teleop.devices.merged.make import make
from telexist.teleop.devices.merged.merged_device import MergedDevice
from telexist.teleop.devices.merged.worn_sensors import (
    WornSensor,
    WornSensors,
    load_worn_sensors,
)

__all__ = ["MergedDevice", "WornSensor", "WornSensors", "load_worn_sensors", "make"]
