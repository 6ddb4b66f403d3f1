"""A headset's browser: our page over HTTPS, its poses over WSS on the same port.

Frames of head, controllers or hands and messages of the page come in; samples go out.
"""

from telexist.teleop.devices.webxr.headset import WebXrHeadset
from telexist.teleop.devices.webxr.make import make
from telexist.teleop.devices.webxr.simulated_headset import SimulatedHeadset
from telexist.teleop.devices.webxr.wire import Held, XrFrame, pack_frame, unpack_frame

__all__ = [
    "Held",
    "SimulatedHeadset",
    "WebXrHeadset",
    "XrFrame",
    "make",
    "pack_frame",
    "unpack_frame",
]
