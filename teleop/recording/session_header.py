"""What a session's file says about itself before the first sample."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import orjson
from telexist.retarget.robot_body import RobotBody
from telexist.teleop import clock

__all__ = ["FORMAT", "SessionHeader", "header_from_metadata", "start_header"]

FORMAT = "telexist session"
FORMAT_VERSION = "1"
CHECKSUM = "crc32"  # of the other texts; older files have none
_VERSIONS = ("telexist", "mcap", "numpy", "pin", "mujoco")
_STILL_BEFORE, _WORN_BEFORE = ("builtin", "player", "session"), ("openvr",)
_MAX_JOINTS = 1000
_MAX_TEXT = 1000  # characters of a name


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHeader:
    """Who drove what, when, and with which programs.

    Attributes:
        robot: Name of the robot; "" if there was none.
        joints: Its n joints, in the order of all arrays.
        units: Unit of each joint's position, "rad" or "m".
        fingers: Its finger joints, which are none of the n, in the order of commands.
        finger_units: Unit of each of these.
        fixed_base: Whether the robot's base is bolted to the world.
        operator: Name of the operator, or "".
        source: What showed the operator, in the user's words, or "".
        deadline: A sample of it that is older than this is stale [s].
        still: Whether what it showed could stand still for long: a recording.
        worn: Whether its raw frames are turned as its parts were worn.
        started: Date and time of the start, seconds since 1970 UTC.
        stamp: The host's monotonic clock at that time [s].
        versions: Library to its version.
    """

    robot: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    fingers: tuple[str, ...] = ()
    finger_units: tuple[str, ...] = ()
    fixed_base: bool = True
    operator: str = ""
    source: str = ""
    deadline: float = 0.0
    still: bool = False
    worn: bool = False
    started: float = 0.0
    stamp: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)

    def metadata(self) -> dict[str, str]:
        """Return the header as the texts that go into the file."""
        texts = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "robot": self.robot,
            "joints": orjson.dumps(self.joints).decode(),
            "units": orjson.dumps(self.units).decode(),
            "fingers": orjson.dumps(self.fingers).decode(),
            "finger_units": orjson.dumps(self.finger_units).decode(),
            "fixed_base": "true" if self.fixed_base else "false",
            "operator": self.operator,
            "source": self.source,
            "deadline": repr(self.deadline),
            "still": "true" if self.still else "false",
            "worn": "true" if self.worn else "false",
            "started": repr(self.started),
            "stamp": repr(self.stamp),
            "versions": orjson.dumps(dict(self.versions)).decode(),
        }
        return texts | {CHECKSUM: _checksum(texts)}


def _checksum(texts: Mapping[str, str]) -> str:
    """Return the CRC-32 of all texts but itself."""
    others = sorted((k, v) for k, v in texts.items() if k != CHECKSUM)
    return f"{zlib.crc32(orjson.dumps(others)):08x}"


def start_header(
    body: RobotBody | None,
    operator: str = "",
    *,
    source: str = "",
    deadline: float = 0.0,
    still: bool = False,
    worn: bool = False,
    fingers: Mapping[str, str] | None = None,
) -> SessionHeader:
    """Return the header of a session that begins now.

    Args:
        body: The robot, or None.
        operator: Name of the operator, or "".
        source: What shows the operator, in the user's words.
        deadline: A sample of it that is older than this is stale [s].
        still: Whether it may stand still for long.
        worn: Whether its raw frames are turned as its parts are worn.
        fingers: Finger joints that are commanded too, with their units.
    """
    joints: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    if body is not None:
        joints = tuple(body.kinematics.joints)
        slides = body.kinematics.tree().slides
        units = tuple("m" if sliding else "rad" for sliding in slides)
    return SessionHeader(
        robot=body.name if body is not None else "",
        joints=joints,
        units=units,
        fixed_base=body is None or body.fixed_base,
        fingers=tuple(fingers or ()),
        finger_units=tuple((fingers or {}).values()),
        operator=operator,
        source=source,
        deadline=deadline,
        still=still,
        worn=worn,
        started=clock.wall_time(),
        stamp=clock.now(),
        versions=_versions(),
    )


def header_from_metadata(texts: Mapping[str, str]) -> SessionHeader:
    """Read a header back, strictly.

    Raises:
        ValueError: Saying what is wrong, for the reader to add the file's name.
    """
    if texts.get("format") != FORMAT:
        raise ValueError("not a session of ours")
    if texts.get("format_version") != FORMAT_VERSION:
        found = texts.get("format_version", "missing")[:20]
        raise ValueError(f"format {found}, this program reads {FORMAT_VERSION}")
    for key in ("robot", "joints", "units", "operator", "started", "stamp"):
        if key not in texts:
            raise ValueError(f"its header lacks {key}")
    joints, units = _joints(texts["joints"], texts["units"])
    fingers, finger_units = _joints(
        texts.get("fingers", "[]"), texts.get("finger_units", "[]")
    )
    versions = orjson.loads(texts.get("versions", "{}"))
    if not isinstance(versions, dict):
        raise ValueError("versions in its header are not a table")
    header = SessionHeader(
        robot=texts["robot"][:_MAX_TEXT],
        joints=joints,
        units=units,
        fingers=fingers,
        finger_units=finger_units,
        fixed_base=texts.get("fixed_base") == "true",
        operator=texts["operator"][:_MAX_TEXT],
        source=texts.get("source", "")[:_MAX_TEXT],
        deadline=float(texts.get("deadline", "0.0")),
        still=_flag(texts, "still", *_STILL_BEFORE),
        worn=_flag(texts, "worn", *_WORN_BEFORE),
        started=float(texts["started"]),
        stamp=float(texts["stamp"]),
        versions={str(k): str(v) for k, v in versions.items()},
    )
    if texts.get(CHECKSUM, _checksum(texts)) != _checksum(texts):
        raise ValueError("damaged: its checksum is wrong")
    return header


def _flag(texts: Mapping[str, str], key: str, *before: str) -> bool:
    """Return a flag; of a session that knew none, by the word of its source."""
    if key in texts:
        return texts[key] == "true"
    return texts.get("source", "").partition(":")[0].partition("?")[0] in before


def _joints(names: str, kinds: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names and units of joints."""
    joints, units = _words(names), _words(kinds)
    if len(joints) != len(units) or len(set(joints)) != len(joints):
        raise ValueError("joints and units in its header do not fit each other")
    if not set(units) <= {"rad", "m"}:
        raise ValueError("units in its header: expected rad or m")
    return joints, units


def _words(text: str) -> tuple[str, ...]:
    words = orjson.loads(text)
    if not isinstance(words, list) or len(words) > _MAX_JOINTS:
        raise ValueError("a list of names in its header is not one")
    if not all(isinstance(w, str) and len(w) <= _MAX_TEXT for w in words):
        raise ValueError("a name in its header is not one")
    return tuple(words)


def _versions() -> dict[str, str]:
    found = {}
    for name in _VERSIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
