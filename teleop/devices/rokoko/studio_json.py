"""Rokoko Studio's live streams as JSON, versions 2 to 4: text in, poses out, and back.

    version 3: {"version": "3,0", "fps", "scene": {"timestamp", "actors": [{"name",
        "meta": {"hasBody", "hasLeftGlove", ...}, "dimensions", "body": {BONE: POSE}}]}}
    version 2: {"version": 2, "timestamp", "actors": [{"name", "id", BONE: POSE}]}

with POSE = {"position": {x, y, z}, "rotation": {x, y, z, w}}, of every bone in the
world: metres, x right, y up, z ahead, left-handed. After Rokoko's own plug-ins for
Unity and Blender. Text may be packed as an LZ4 frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.rokoko.lz4_frame import is_lz4, lz4_unpack, lz4_wrap

__all__ = ["LONGEST_JSON", "Actor", "StudioFrame", "build_studio", "parse_studio"]

LONGEST_JSON = 1 << 18  # [bytes]; an actor with face and gloves has 16 000
_AXES, _QUAT = ("x", "y", "z"), ("x", "y", "z", "w")
_MOST_ACTORS, _MOST_BONES = 16, 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """A person: the poses of the bones, position and quaternion xyzw (7,), in Unity."""

    name: str
    bones: Mapping[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudioFrame:
    """One frame.

    Attributes:
        time: Of the scene [s].
        actors: The people who have a body.
    """

    time: float
    actors: tuple[Actor, ...]


def parse_studio(data: bytes) -> StudioFrame:
    """Read a datagram.

    Raises:
        RefusedMessage: If it makes no sense.
    """
    if is_lz4(data):
        data = lz4_unpack(data, LONGEST_JSON)
    try:
        said = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RefusedMessage("malformed", "neither JSON nor LZ4") from error
    said = _table(said, "the message")
    old = "scene" not in said  # Studio's "2.5" calls itself 3 and is 2
    scene = said if old else _table(said["scene"], "scene")
    actors = scene.get("actors")
    if not isinstance(actors, list) or len(actors) > _MOST_ACTORS:
        raise RefusedMessage("malformed", "no list of actors")
    return StudioFrame(
        time=_number(scene.get("timestamp"), "timestamp"),
        actors=tuple(_actors(actors, old=old)),
    )


def _actors(actors: list[object], *, old: bool) -> Iterator[Actor]:
    for entry in actors:
        actor = _table(entry, "an actor")
        name = actor.get("name")
        if not isinstance(name, str):
            raise RefusedMessage("malformed", "an actor without a name")
        meta = {} if old else _table(actor.get("meta", {}), "meta")
        if meta.get("hasBody") is False:
            continue
        bones = actor if old else _table(actor.get("body"), "body")
        yield Actor(name=name, bones=dict(_bones(bones)))


def _bones(bones: Mapping[str, Any]) -> Iterator[tuple[str, Array]]:
    if len(bones) > _MOST_BONES:
        raise RefusedMessage("malformed", f"{len(bones)} bones")
    for name, pose in bones.items():
        if isinstance(pose, dict) and "position" in pose and "rotation" in pose:
            position = _table(pose["position"], name)
            rotation = _table(pose["rotation"], name)
            yield (
                name,
                np.array(
                    [_number(position.get(key), name) for key in _AXES]
                    + [_number(rotation.get(key), name) for key in _QUAT]
                ),
            )


def build_studio(frame: StudioFrame, *, version: int = 3, packed: bool = True) -> bytes:
    """Return the datagram of a frame, of version 2 or 3; packed as an LZ4 frame."""
    if version == 2:
        actors: list[dict[str, Any]] = [
            {"name": actor.name, "id": actor.name, "isLive": True, **_written(actor)}
            for actor in frame.actors
        ]
        nothing: dict[str, Any] = {"props": [], "trackers": [], "faces": []}
        said = {
            "version": 2,
            "timestamp": frame.time,
            "playbackTimestamp": 0.0,
            **nothing,
            "actors": actors,
        }
    else:
        meta = {"hasBody": True, "hasGloves": True, "hasFace": False}
        meta |= {"hasLeftGlove": True, "hasRightGlove": True}
        actors = [
            {
                "name": actor.name,
                "color": [0, 128, 255],
                "meta": meta,
                "dimensions": {"totalHeight": 1.8, "hipHeight": 1.0},
                "body": _written(actor),
            }
            for actor in frame.actors
        ]
        scene = {"timestamp": frame.time, "actors": actors, "characters": []}
        said = {"version": "3,0", "fps": 60.0, "scene": {**scene, "props": []}}
    data = orjson.dumps(said)
    return lz4_wrap(data) if packed else data


def _written(actor: Actor) -> dict[str, Any]:
    return {
        bone: {
            "position": dict(zip(_AXES, pose[:3].tolist(), strict=True)),
            "rotation": dict(zip(_QUAT, pose[3:].tolist(), strict=True)),
        }
        for bone, pose in actor.bones.items()
    }


def _table(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RefusedMessage("malformed", f"{what} is no table")
    return value


def _number(value: object, what: str) -> float:
    """Return a number; JSON has no NaN, so what is none is null."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedMessage("malformed", f"{what}: not a number")
    return float(value)
