"""JSON of landmarks: frames of points, under the keys that programs use.

A frame is a list of points, or a table with one under a key such as `worldLandmarks`
(MediaPipe) or `keypoints_3d` (COCO); MMPose puts frames under `instance_info`, people
under `instances`. A point is three numbers, or a table of x, y, z and maybe visibility.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.landmarks.landmark_motion import (
    LandmarkMotion,
    checked_motion,
)
from telexist.retarget.recordings.landmarks.landmark_sets import (
    COUNTS,
    place_of_name,
    places_of_count,
)
from telexist.retarget.so3 import Array

__all__ = ["json_landmarks"]

MAX_BYTES = 500_000_000
_FRAMES = ("frames", "instance_info", "results", "data", "landmarks", "annotations")
_POINTS = (
    *("poseWorldLandmarks", "pose_world_landmarks", "worldLandmarks"),
    *("world_landmarks", "keypoints_3d", "keypoints3d", "pose_landmarks"),
    *("poseLandmarks", "landmarks", "keypoints", "pose", "landmark"),
)
_PEOPLE = ("instances", "people", "predictions")
_TIMES = (("time", 1.0), ("timestamp_s", 1.0), ("timestamp_ms", 1e-3), ("t", 1.0))
_RATES = ("fps", "frame_rate", "framerate", "rate")
_SEEN = 0.2  # visibility below which a point is not believed


def json_landmarks(path: Path) -> LandmarkMotion:
    """Read the landmarks in a JSON file.

    Raises:
        BadRecording: If it is damaged, or its landmarks make no person in space.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES} bytes")
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        problem = "is empty" if not path.stat().st_size else "its JSON cannot be read"
        raise BadRecording(path, problem) from error
    try:
        return _motion(path, content)
    except (TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
        raise BadRecording(path, "its landmarks cannot be understood") from error


def _motion(path: Path, content: Any) -> LandmarkMotion:
    frames = content
    while isinstance(frames, dict):
        key = next((k for k in _FRAMES if isinstance(frames.get(k), list)), None)
        if key is None:
            raise BadRecording(path, f"holds no frames: no {', '.join(_FRAMES[:3])}")
        frames = frames[key]
    if not isinstance(frames, list) or not frames:
        raise BadRecording(path, "holds no frames")
    rows = [_points(frame) for frame in frames]
    first = next((row for row in rows if row), None)
    if first is None:
        raise BadRecording(path, "holds no landmarks")
    names = _names(path, first)
    table = np.full((len(rows), len(names), 3), np.nan)
    for k, row in enumerate(rows):
        for j, point in enumerate(row[: len(names)]):
            table[k, j] = _point(path, point, k)
    points = {n: table[:, j] for j, n in enumerate(names) if n}
    note = f"landmarks: {len(names)} of JSON"
    return checked_motion(path, _time(content, frames), points, note)


def _points(frame: Any) -> list[Any]:
    """Return the points of one frame, of the first person; empty if nobody is seen."""
    for _ in range(6):
        if isinstance(frame, dict):
            key = next((k for k in (*_PEOPLE, *_POINTS) if k in frame), None)
            frame = frame[key] if key is not None else None
        elif isinstance(frame, list) and len(frame) < min(COUNTS) and frame:
            frame = frame[0]  # of several people
        else:
            break
    return frame if isinstance(frame, list) else []


def _names(path: Path, points: list[Any]) -> tuple[str, ...]:
    if isinstance(points[0], int | float):
        problem = (
            "is COCO's list of x, y and visibility (2D): landmarks in space are needed"
        )
        raise BadRecording(path, problem)
    if isinstance(points[0], dict) and isinstance(points[0].get("name"), str):
        return tuple(place_of_name(str(p.get("name"))) or "" for p in points)
    if len(points) not in COUNTS:
        known = ", ".join(str(count) for count in COUNTS)
        raise BadRecording(path, f"has {len(points)} landmarks, known sets: {known}")
    return places_of_count(len(points))


def _point(path: Path, point: Any, frame: int) -> list[float]:
    if isinstance(point, dict):
        if "z" not in point:
            problem = "is flat (2D): landmarks in space are needed, with z"
            raise BadRecording(path, problem, place=f"frame {frame}")
        if float(point.get("visibility", 1.0)) < _SEEN:
            return [np.nan] * 3
        return [float(point[a]) for a in "xyz"]
    if point is None:
        return [np.nan] * 3
    if len(point) == 2:
        problem = "is flat (2D): landmarks in space are needed, with z"
        raise BadRecording(path, problem, place=f"frame {frame}")
    if len(point) == 4 and float(point[3]) < _SEEN:
        return [np.nan] * 3
    return [float(x) for x in point[:3]]


def _time(content: Any, frames: list[Any]) -> Array | None:
    if all(isinstance(frame, dict) for frame in frames):
        for key, unit in _TIMES:
            if all(key in frame for frame in frames):
                return unit * np.array([float(frame[key]) for frame in frames])
    if isinstance(content, dict):
        for key in _RATES:
            if isinstance(content.get(key), int | float) and content[key] > 0:
                return np.arange(len(frames)) / float(content[key])
    return None
