"""OptiTrack's Motive by NatNet: asked, it sends its models and its frames."""

from telexist.teleop.devices.optitrack.make import make
from telexist.teleop.devices.optitrack.motive_person import MOTIVE_BONE
from telexist.teleop.devices.optitrack.natnet import (
    Bone,
    Message,
    MocapFrame,
    Models,
    ModelSkeleton,
    ServerInfo,
    build_message,
    message_of,
    parse_frame,
    parse_models,
    parse_server,
)
from telexist.teleop.devices.optitrack.natnet_build import (
    build_frame,
    build_models,
    build_server,
)
from telexist.teleop.devices.optitrack.optitrack_stream import (
    NATNET_GROUP,
    NATNET_PORTS,
    OptitrackStream,
)

__all__ = [
    "Bone",
    "MOTIVE_BONE",
    "Message",
    "MocapFrame",
    "ModelSkeleton",
    "Models",
    "NATNET_GROUP",
    "NATNET_PORTS",
    "OptitrackStream",
    "ServerInfo",
    "build_frame",
    "build_message",
    "build_models",
    "build_server",
    "make",
    "message_of",
    "parse_frame",
    "parse_models",
    "parse_server",
]
