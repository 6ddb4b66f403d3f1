"""VMC over OSC, as phones and avatars send it: messages in, frames out."""

from telexist.teleop.devices.vmc.make import make
from telexist.teleop.devices.vmc.osc import (
    OscMessage,
    build_bundle,
    build_osc,
    parse_osc,
)
from telexist.teleop.devices.vmc.skeleton import BONE_PARENT, SEGMENT_BONE
from telexist.teleop.devices.vmc.vmc_stream import VMC_PORT, VmcStream

__all__ = [
    "BONE_PARENT",
    "OscMessage",
    "SEGMENT_BONE",
    "VMC_PORT",
    "VmcStream",
    "build_bundle",
    "build_osc",
    "make",
    "parse_osc",
]
