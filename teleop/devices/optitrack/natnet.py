"""NatNet, the protocol of OptiTrack's Motive, versions 3.0 to 4.x: messages both ways.

A message is u16 kind, u16 size of what follows, and that, all little-endian. A server
answers CONNECT with SERVERINFO, which says the version, and REQUEST_MODELDEF with
MODELDEF, which says what the bodies are called; FRAMEOFDATA carries one frame.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.optitrack.natnet_reader import NatNetReader

__all__ = [
    "Bone",
    "Message",
    "MocapFrame",
    "ModelSkeleton",
    "Models",
    "ServerInfo",
    "Version",
    "build_message",
    "message_of",
    "parse_frame",
    "parse_models",
    "parse_server",
]

Version = tuple[int, int]

HEADER = struct.Struct("<HH")
RIGID_BODY = "i3f4ffh"  # id, position, quaternion xyzw, mean error, parameters
RIGID_BODY_SIZE = struct.calcsize("<" + RIGID_BODY)
TRACKED, MODELS_CHANGED = 0x01, 0x02  # bits of parameters
_NAME, _VERSIONS = 256, "4B4B"
_MARKER_SIZE, _LABELED_SIZE = 12, 26  # [bytes]
_PRECISE = 8  # [bytes], which not every server of 4.1 has
OLDEST, NEWEST = (3, 0), (4, 99)


class Message(enum.IntEnum):
    """Kinds of message."""

    CONNECT = 0
    SERVERINFO = 1
    REQUEST_MODELDEF = 4
    MODELDEF = 5
    FRAMEOFDATA = 7
    KEEPALIVE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """What the server says of itself."""

    name: str
    version: Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Bone:
    """A bone of a skeleton, or a body of its own: name, id, id of its parent."""

    name: str
    number: int
    parent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSkeleton:
    """A person: name, id and bones."""

    name: str
    number: int
    bones: tuple[Bone, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """All that the frames can hold, of what we use."""

    skeletons: tuple[ModelSkeleton, ...] = ()
    bodies: tuple[Bone, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MocapFrame:
    """One frame.

    Attributes:
        number: As the server counts.
        time: Of the frame, on the server's clock [s].
        changed: Whether the models are others now.
        bodies: Id of a rigid body to its pose: position and quaternion xyzw (7,).
        skeletons: Id of a skeleton to the poses of its bones, by id.
        untracked: Ids of the bodies that are not seen.
    """

    number: int
    time: float
    changed: bool = False
    bodies: Mapping[int, Array] = field(default_factory=dict)
    skeletons: Mapping[int, Mapping[int, Array]] = field(default_factory=dict)
    untracked: frozenset[int] = frozenset()


def message_of(data: bytes) -> tuple[int, bytes]:
    """Return the kind of a message and what follows its header.

    Raises:
        RefusedMessage: If its size is not what it says.
    """
    if len(data) < HEADER.size:
        raise RefusedMessage("malformed", f"only {len(data)} bytes")
    kind, size = HEADER.unpack_from(data)
    if size != len(data) - HEADER.size:
        raise RefusedMessage("malformed", f"{size} bytes announced, {len(data)} came")
    return kind, data[HEADER.size :]


def build_message(kind: Message, payload: bytes = b"") -> bytes:
    """Return a message."""
    return HEADER.pack(kind, len(payload)) + payload


def parse_server(payload: bytes) -> ServerInfo:
    """Read SERVERINFO.

    Raises:
        RefusedMessage: If it is none, or of a version that is not known.
    """
    reader = NatNetReader(payload)
    reader.skip(_NAME)
    versions = reader.fields(_VERSIONS)
    version = (int(versions[4]), int(versions[5]))
    if not OLDEST <= version <= NEWEST:
        raise RefusedMessage("malformed", f"NatNet {version[0]}.{version[1]}")
    name = payload[:_NAME].partition(b"\0")[0].decode("utf-8", "replace")
    return ServerInfo(name=name, version=version)


def parse_frame(payload: bytes, version: Version) -> MocapFrame:
    """Read FRAMEOFDATA.

    Raises:
        RefusedMessage: If it does not hold what it announces.
    """
    reader, sized = NatNetReader(payload), version >= (4, 1)
    number = reader.whole()
    _pass_marker_sets(reader, sized=sized)
    _pass_list(reader, _MARKER_SIZE, sized=sized)
    untracked: set[int] = set()
    bodies = dict(_bodies(reader, untracked, sized=sized))
    skeletons: dict[int, Mapping[int, Array]] = {}
    for _ in range(_section(reader, 8, sized=sized)):
        person = reader.whole()
        skeletons[person] = dict(_bodies(reader, untracked, sized=False))
    if sized:
        _pass_section(reader)  # assets
    _pass_list(reader, _LABELED_SIZE, sized=sized)
    for _ in ("force plates", "devices"):
        _pass_channels(reader, sized=sized)
    time, parameters = _suffix(reader, sized=sized)
    return MocapFrame(
        number=number,
        time=time,
        changed=bool(parameters & MODELS_CHANGED),
        bodies=bodies,
        skeletons=skeletons,
        untracked=frozenset(untracked),
    )


def _section(reader: NatNetReader, least: int, *, sized: bool) -> int:
    """Read how many entries a section has; since 4.1 its size stands there, too."""
    if not sized:
        return reader.count(least)
    count, size = reader.whole(), reader.whole()
    if not (0 <= size <= reader.left and 0 <= count * least <= reader.left):
        raise RefusedMessage("malformed", f"{count} entries announced")
    return count


def _pass_section(reader: NatNetReader) -> None:
    reader.whole()
    reader.skip(reader.whole())


def _pass_marker_sets(reader: NatNetReader, *, sized: bool) -> None:
    if sized:
        _pass_section(reader)
        return
    for _ in range(reader.count(5)):
        reader.name()
        reader.skip(_MARKER_SIZE * reader.count(_MARKER_SIZE))


def _pass_list(reader: NatNetReader, size: int, *, sized: bool) -> None:
    if sized:
        _pass_section(reader)
    else:
        reader.skip(size * reader.count(size))


def _pass_channels(reader: NatNetReader, *, sized: bool) -> None:
    if sized:
        _pass_section(reader)
        return
    for _ in range(reader.count(8)):
        reader.whole()
        for _ in range(reader.count(4)):
            reader.skip(4 * reader.count(4))


def _bodies(
    reader: NatNetReader, untracked: set[int], *, sized: bool
) -> list[tuple[int, Array]]:
    found = []
    for _ in range(_section(reader, RIGID_BODY_SIZE, sized=sized)):
        number = reader.whole()
        pose = reader.floats(7)
        _, parameters = reader.fields("fh")
        if not int(parameters) & TRACKED:
            untracked.add(number)
        found.append((number, pose))
    return found


def _suffix(reader: NatNetReader, *, sized: bool) -> tuple[float, int]:
    """Return the frame's time [s] and its parameters."""
    _, _, time, *_ = reader.fields("IId3Q")
    if sized and reader.left >= _PRECISE + 2:
        reader.skip(_PRECISE)  # the time once more, in seconds and fractions
    return float(time), int(reader.fields("h")[0])


def parse_models(payload: bytes, version: Version) -> Models:
    """Read MODELDEF; what stands behind something unknown is left.

    Raises:
        RefusedMessage: If it does not hold what it announces.
    """
    reader = NatNetReader(payload)
    skeletons, bodies = [], []
    for _ in range(reader.count(4)):
        kind = reader.whole()
        end = None
        if version >= (4, 1):
            size = reader.whole()
            end = reader.at + size
            if not 0 <= size <= reader.left:
                raise RefusedMessage("malformed", f"a description of {size} bytes")
        if kind == 0:
            reader.name()
            for _ in range(reader.count(1)):
                reader.name()
        elif kind == 1:
            bodies.append(_bone(reader, version))
        elif kind == 2:
            name, number = reader.name(), reader.whole()
            bones = tuple(_bone(reader, version) for _ in range(reader.count(20)))
            skeletons.append(ModelSkeleton(name=name, number=number, bones=bones))
        elif end is None:  # its length is nowhere: the rest cannot be read
            break
        if end is not None:
            reader.skip(end - reader.at)
    return Models(skeletons=tuple(skeletons), bodies=tuple(bodies))


def _bone(reader: NatNetReader, version: Version) -> Bone:
    name, number, parent = reader.name(), reader.whole(), reader.whole()
    reader.skip(12)  # offset from its parent
    if version >= (4, 2):
        reader.skip(16)
    markers = reader.count(16)
    reader.skip(16 * markers)  # position and active label
    if version >= (4, 0):
        for _ in range(markers):
            reader.name()
    return Bone(name=name, number=number, parent=parent)
