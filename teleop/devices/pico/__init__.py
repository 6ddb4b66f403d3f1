"""PICO headsets with the app XRoboToolkit: messages in, frames and buttons out."""

from telexist.teleop.devices.pico.make import make
from telexist.teleop.devices.pico.packets import (
    Command,
    Packet,
    build_packet,
    packet_length,
    parse_packet,
)
from telexist.teleop.devices.pico.pico_stream import PICO_PORT, PicoStream
from telexist.teleop.devices.pico.tracking_text import (
    PicoPad,
    PicoTracking,
    build_tracking,
    parse_tracking,
)

__all__ = [
    "Command",
    "PICO_PORT",
    "Packet",
    "PicoPad",
    "PicoStream",
    "PicoTracking",
    "build_packet",
    "build_tracking",
    "make",
    "packet_length",
    "parse_packet",
    "parse_tracking",
]
