"""Landmarks over time, whatever file they were in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.landmarks.landmark_sets import NEEDED
from telexist.retarget.so3 import Array

__all__ = ["LandmarkMotion", "checked_motion"]

_LARGEST = 1e6
_GIVEN = 0.5  # of the frames in which a point must be, to be used
_MOST_FRAMES = 2_000_000
_CENTRED = 0.02  # between the hips is the origin, in leg lengths
_ASPECT = (-0.5, 1.5)  # of image coordinates, in parts of the image
USUAL_RATE = 30.0  # [Hz]


@dataclass(frozen=True, slots=True, kw_only=True)
class LandmarkMotion:
    """Points of a person.

    Attributes:
        time: (t,) [s].
        points: Place to path (t, 3), in units and axes of the file.
        centred: Whether the origin is between the hips at all times.
        note: What was found.
    """

    time: Array
    points: Mapping[str, Array]
    centred: bool
    note: str


def checked_motion(
    path: Path, time: Array | None, points: Mapping[str, Array], note: str
) -> LandmarkMotion:
    """Fill gaps and refuse what makes no person.

    Args:
        path: The file, for messages.
        time: (t,) [s], or None if the file does not tell.
        points: Place to path (t, 3), NaN where it was not seen.
        note: What was found.

    Raises:
        BadRecording: If points are missing, flat, or in parts of an image.
    """
    t = len(next(iter(points.values()), ()))
    if not 2 <= t <= _MOST_FRAMES:
        raise BadRecording(path, f"holds {t} frames: nothing moves")
    lacking = [name for name in NEEDED if name not in points]
    seen = {k: np.asarray(np.isfinite(p).all(axis=1)) for k, p in points.items()}
    lacking += [k for k in NEEDED if k in seen and seen[k].mean() < _GIVEN]
    if lacking:
        problem = f"a person needs {', '.join(lacking)}: missing, or hardly ever seen"
        raise BadRecording(path, problem)
    filled = {
        k: _filled(p, seen[k]) for k, p in points.items() if seen[k].mean() >= _GIVEN
    }
    every = np.stack(list(filled.values()), axis=1)
    if not np.all(np.abs(every) < _LARGEST):
        raise BadRecording(path, "holds a value that is huge")
    if (np.ptp(every, axis=1) < 1e-9).any(axis=1).mean() > 0.5:
        problem = "is flat (2D): landmarks in space are needed, with x, y and z"
        raise BadRecording(path, problem)
    hips = (filled["left_hip"] + filled["right_hip"]) / 2.0
    leg = np.linalg.norm(filled["left_hip"] - filled["left_ankle"], axis=1).mean()
    centred = bool(np.linalg.norm(hips, axis=1).max() < _CENTRED * leg + 1e-9)
    low, high = every[..., :2].min(), every[..., :2].max()
    if not centred and _ASPECT[0] < low and high < _ASPECT[1] and low > -0.05:
        problem = (
            "is in parts of the image, which have no common scale: save the world "
            "landmarks (pose_world_landmarks), in metres"
        )
        raise BadRecording(path, problem)
    if time is None:
        time, note = np.arange(t) / USUAL_RATE, f"{note}, {USUAL_RATE:g} Hz assumed"
    if not np.isfinite(time).all() or not np.all(np.diff(time) > 0.0):
        raise BadRecording(path, "its time does not increase")
    return LandmarkMotion(
        time=time - time[0],
        points=filled,
        centred=centred,
        note=f"{note}, {t} frames",
    )


def _filled(points: Array, seen: np.ndarray) -> Array:
    if seen.all():
        return points
    rows, known = np.arange(len(points)), np.flatnonzero(seen)
    columns = [np.interp(rows, known, points[known, a]) for a in range(3)]
    return np.stack(columns, axis=1)
