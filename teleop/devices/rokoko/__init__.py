"""Rokoko Studio's live stream: JSON, packed or not, in; frames with fingers out."""

from telexist.teleop.devices.rokoko.lz4_frame import is_lz4, lz4_unpack, lz4_wrap
from telexist.teleop.devices.rokoko.make import make
from telexist.teleop.devices.rokoko.rokoko_stream import ROKOKO_PORT, RokokoStream
from telexist.teleop.devices.rokoko.studio_json import (
    LONGEST_JSON,
    Actor,
    StudioFrame,
    build_studio,
    parse_studio,
)
from telexist.teleop.devices.rokoko.studio_person import (
    FINGER_BONES,
    STUDIO_BONE,
    T_POSE_QUATS,
)

__all__ = [
    "Actor",
    "FINGER_BONES",
    "LONGEST_JSON",
    "ROKOKO_PORT",
    "RokokoStream",
    "STUDIO_BONE",
    "StudioFrame",
    "T_POSE_QUATS",
    "build_studio",
    "is_lz4",
    "lz4_unpack",
    "lz4_wrap",
    "make",
    "parse_studio",
]
