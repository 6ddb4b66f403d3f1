"""NatNet's messages as a server writes them; see `natnet.py` for the way back."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from telexist.retarget.so3 import Array
from telexist.teleop.devices.optitrack.natnet import (
    MODELS_CHANGED,
    RIGID_BODY,
    TRACKED,
    Bone,
    Message,
    MocapFrame,
    Models,
    ServerInfo,
    Version,
    build_message,
)

__all__ = ["build_frame", "build_models", "build_server"]

_INT = struct.Struct("<i")
_SUFFIX, _PRECISE = struct.Struct("<IId3Q"), struct.Struct("<II")


def build_server(info: ServerInfo) -> bytes:
    """Return SERVERINFO."""
    name = info.name.encode()[:255].ljust(256, b"\0")
    versions = bytes((3, 1, 0, 0, *info.version, 0, 0))
    connection = struct.pack("<QH?4B", 10_000_000, 1511, False, 239, 255, 42, 99)
    return build_message(Message.SERVERINFO, name + versions + connection)


def build_models(models: Models, version: Version) -> bytes:
    """Return MODELDEF."""
    parts = []
    for body in models.bodies:
        parts.append((1, _bone(body, version)))
    for person in models.skeletons:
        bones = b"".join(_bone(bone, version) for bone in person.bones)
        head = _text(person.name) + _INT.pack(person.number)
        parts.append((2, head + _INT.pack(len(person.bones)) + bones))
    payload = _INT.pack(len(parts))
    for kind, data in parts:
        size = _INT.pack(len(data)) if version >= (4, 1) else b""
        payload += _INT.pack(kind) + size + data
    return build_message(Message.MODELDEF, payload)


def build_frame(frame: MocapFrame, version: Version) -> bytes:
    """Return FRAMEOFDATA."""
    sized = version >= (4, 1)
    people = b"".join(
        _INT.pack(number) + _INT.pack(len(bones)) + _bodies(bones, frame.untracked)
        for number, bones in frame.skeletons.items()
    )
    sections = [
        (0, b""),  # marker sets
        (0, b""),  # markers without a name
        (len(frame.bodies), _bodies(frame.bodies, frame.untracked)),
        (len(frame.skeletons), people),
        *([(0, b"")] if sized else []),  # assets
        (0, b""),  # markers with a name
        (0, b""),  # force plates
        (0, b""),  # devices
    ]
    payload = _INT.pack(frame.number)
    for count, data in sections:
        size = _INT.pack(len(data)) if sized else b""
        payload += _INT.pack(count) + size + data
    ticks = round(1e7 * frame.time)
    payload += _SUFFIX.pack(0, 0, frame.time, ticks, ticks, ticks)
    if sized:
        payload += _PRECISE.pack(int(frame.time), 0)
    end = struct.pack("<hi", MODELS_CHANGED if frame.changed else 0, 0)
    return build_message(Message.FRAMEOFDATA, payload + end)


def _bodies(poses: Mapping[int, Array], untracked: frozenset[int]) -> bytes:
    return b"".join(
        struct.pack(
            "<" + RIGID_BODY,
            number,
            *pose,
            0.0,
            0 if number in untracked else TRACKED,
        )
        for number, pose in poses.items()
    )


def _bone(bone: Bone, version: Version) -> bytes:
    data = _text(bone.name) + struct.pack("<ii3f", bone.number, bone.parent, 0, 0, 0)
    if version >= (4, 2):
        data += struct.pack("<4f", 0.0, 0.0, 0.0, 1.0)
    return data + _INT.pack(0)  # no markers


def _text(name: str) -> bytes:
    return name.encode()[:255] + b"\0"
