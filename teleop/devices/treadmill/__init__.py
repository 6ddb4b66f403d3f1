"""Treadmills of Cyberith, KAT and Virtuix: bytes in, walking commands out."""

from telexist.teleop.devices.treadmill.crc16 import CRC16S
from telexist.teleop.devices.treadmill.cyberith import (
    PORT,
    CyberithTreadmill,
    parse_virtualizer,
)
from telexist.teleop.devices.treadmill.kat import (
    BODY,
    FRAME_SIZE,
    HEADER,
    LEFT,
    RIGHT,
    SENSORS,
)
from telexist.teleop.devices.treadmill.kat_port import KatTreadmill
from telexist.teleop.devices.treadmill.make import (
    make,
    make_cyberith,
    make_kat,
    make_omni,
)
from telexist.teleop.devices.treadmill.omni import END, OVERHEAD, START
from telexist.teleop.devices.treadmill.omni_port import OmniTreadmill
from telexist.teleop.devices.treadmill.treadmill_walk import TreadmillWalkSettings
from telexist.teleop.devices.treadmill.walking_treadmill import WalkingTreadmill

__all__ = [
    "BODY",
    "CRC16S",
    "CyberithTreadmill",
    "END",
    "FRAME_SIZE",
    "HEADER",
    "KatTreadmill",
    "LEFT",
    "OVERHEAD",
    "OmniTreadmill",
    "PORT",
    "RIGHT",
    "SENSORS",
    "START",
    "TreadmillWalkSettings",
    "WalkingTreadmill",
    "make",
    "make_cyberith",
    "make_kat",
    "make_omni",
    "parse_virtualizer",
]
