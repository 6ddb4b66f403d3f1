"""SteamVR: headset, controllers and trackers, and a simulated one."""

from telexist.teleop.devices.openvr.headset import OpenVrHeadset
from telexist.teleop.devices.openvr.make import make
from telexist.teleop.devices.openvr.steamvr_operator import PlayedSteamVr

__all__ = [
    "OpenVrHeadset",
    "PlayedSteamVr",
    "make",
]
