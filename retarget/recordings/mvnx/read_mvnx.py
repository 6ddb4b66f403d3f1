"""MVNX recordings (Xsens): the 23 segments come by name, with their own frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording, UnknownSkeleton
from telexist.retarget.hands import hand_of_mvn
from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.mvnx.body import find_body
from telexist.retarget.recordings.mvnx.text import MvnxFrame, MvnxText, read_mvnx_text
from telexist.retarget.recordings.recognition import floor_height
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import (
    Array,
    angular_velocities,
    rotation_from_quat_wxyz,
    rotation_z,
    yaw_of,
)

__all__ = ["read_mvnx"]

_SOLES = ("LeftHeel", "RightHeel", "LeftToeTip", "RightToeTip")
_DEFAULT_RATE = 60.0  # [Hz] of MVN when the file states none


def read_mvnx(path: Path, options: ReadOptions) -> HumanClip:
    """Read an MVNX file.

    Angular velocities are the recorded ones where the file has them.

    Args:
        path: The file.
        options: What is known about it; MVNX itself fixes `up` and the names.

    Raises:
        BadRecording: If the file cannot be read or used.
        UnknownSkeleton: If segments of the body are missing.
    """
    path = Path(path)
    if options.up not in (None, "z") or options.joints:
        problem = "MVNX is z up and names its segments: leave out `up` and `joints`"
        raise BadRecording(path, problem)
    text = read_mvnx_text(path)
    order = _segment_order(path, text)
    time, frames = _chosen(path, text, options)
    file_R_mvn = _rotations(path, frames, order)
    positions = (options.unit or 1.0) * _required(path, frames, order, "position")
    body = find_body(path, text.points, file_R_mvn, positions, options.neutral_frame)
    rotations = file_R_mvn @ body.mvn_R_segment
    turn = _heading(rotations, options)
    rotations, pelvis = turn @ rotations, positions[:, 0] @ turn.T
    floor = _floor(_soles(body.size, rotations, pelvis), time, options)
    start = np.zeros(2) if options.heading == "keep" else pelvis[0, :2]
    positions = body.size.positions(rotations, pelvis - [*start, floor])
    speeds = _stacked(frames, order, "angularVelocity")
    return HumanClip(
        name=path.stem,
        source=str(path),
        time=time,
        rotations=rotations,
        angular_velocities=(
            angular_velocities(rotations, time) if speeds is None else speeds @ turn.T
        ),
        positions=positions,
        linear_velocities=np.gradient(positions, time, axis=0),
        size=body.size,
        notes=(
            f"MVNX version {text.version[:20]}, {len(time)} frames",
            "z up, metres; neutral pose from the bones in MVN's segment frames",
            f"turned by {np.degrees(yaw_of(turn)):.1f} deg, floor was at {floor:.3f} m",
            f"angular velocities {'differentiated' if speeds is None else 'recorded'}",
        ),
        hand_points=_hand_points(frames, options.unit or 1.0),
    )


def _hand_points(frames: list[MvnxFrame], unit: float) -> Array | None:
    """Return the points of both hands (t, 2, 25, 3) [m], where gloves were worn."""
    points = np.full((len(frames), 2, 25, 3), np.nan)
    for t, frame in enumerate(frames):
        for k, side in enumerate(("Left", "Right")):
            places = frame.values.get(f"positionFingers{side}")
            quats_wxyz = frame.values.get(f"orientationFingers{side}")
            if places is None or quats_wxyz is None:
                continue
            lengths = np.linalg.norm(quats_wxyz, axis=1, keepdims=True)
            if np.abs(lengths - 1.0).max() < 0.1:
                R = rotation_from_quat_wxyz(quats_wxyz / lengths)
                points[t, k] = hand_of_mvn(unit * places, R)
    return points if np.isfinite(points).any() else None


def _segment_order(path: Path, text: MvnxText) -> list[int]:
    """Return where each of our segments stands in the file."""
    labels = text.segments or list(SEGMENTS)
    missing = [name for name in SEGMENTS if name not in labels]
    if missing:
        problem = f"no segment {', '.join(missing)}: a whole body of 23 is needed"
        raise UnknownSkeleton(path, problem)
    return [labels.index(name) for name in SEGMENTS]


def _chosen(
    path: Path, text: MvnxText, options: ReadOptions
) -> tuple[Array, list[MvnxFrame]]:
    """Return the frames that the options keep, and their times from 0 (t,) [s]."""
    if not text.frames:
        raise BadRecording(path, "holds no frames of motion")
    time = _times(path, text, options)
    first = options.start if options.start is not None else -np.inf
    last = options.end if options.end is not None else np.inf
    keep = (time >= first) & (time <= last)
    keep[: options.skip_first_frames or 0] = False
    if keep.sum() < 2:
        problem = (
            f"{keep.sum()} of {len(time)} frames are left: nothing moves; "
            "check start, end and skip_first_frames"
        )
        raise BadRecording(path, problem)
    frames = [frame for frame, kept in zip(text.frames, keep, strict=True) if kept]
    return time[keep] - time[keep][0], frames


def _times(path: Path, text: MvnxText, options: ReadOptions) -> Array:
    """Count by the frames' indices: written milliseconds are rounded."""
    rate = options.rate or text.rate
    indices = [frame.index for frame in text.frames]
    stamps = [frame.milliseconds for frame in text.frames]
    counted = [i for i in indices if i is not None]
    known = [stamp for stamp in stamps if stamp is not None]
    if not rate and len(known) == len(stamps):
        time = (np.array(known) - known[0]) / 1000.0
    elif len(counted) == len(indices):
        time = (np.array(counted, dtype=np.float64) - counted[0]) / (
            rate or _DEFAULT_RATE
        )
    else:
        time = np.arange(len(indices)) / (rate or _DEFAULT_RATE)
    if not np.all(np.diff(time) > 0.0):
        place = f"frame {int(np.argmin(np.diff(time) > 0.0)) + 1}"
        raise BadRecording(path, "its time does not increase", place=place)
    return time


def _stacked(frames: list[MvnxFrame], order: list[int], name: str) -> Array | None:
    """Return a quantity of all frames (t, 23, k), or None if a frame lacks it."""
    if any(name not in frame.values for frame in frames):
        return None
    return np.stack([frame.values[name][order] for frame in frames])


def _required(
    path: Path, frames: list[MvnxFrame], order: list[int], name: str
) -> Array:
    values = _stacked(frames, order, name)
    if values is None:
        raise BadRecording(path, f"a frame lacks the {name} of its segments")
    return values


def _rotations(path: Path, frames: list[MvnxFrame], order: list[int]) -> Array:
    quats_wxyz = _required(path, frames, order, "orientation")
    lengths = np.linalg.norm(quats_wxyz, axis=-1)
    bad = np.abs(lengths - 1.0) > 0.1
    if bad.any():
        frame, segment = np.argwhere(bad)[0]
        place = f"frame {frame}, {SEGMENTS[segment]}"
        raise BadRecording(path, "its quaternion has not length 1", place=place)
    return rotation_from_quat_wxyz(quats_wxyz)


def _heading(rotations: Array, options: ReadOptions) -> Array:
    """Return the turn of the whole clip about the vertical (3, 3)."""
    if options.heading_deg is not None:
        return rotation_z(np.radians(options.heading_deg))
    if options.heading == "keep":
        return np.eye(3)
    ahead, left, _ = rotations[0, SEGMENT_INDEX["Pelvis"]].T
    if np.hypot(left[0], left[1]) > 0.5:  # bowing does not move the left axis
        return rotation_z(-np.arctan2(-left[0], left[1]))
    return rotation_z(-np.arctan2(ahead[1], ahead[0]))


def _soles(size: HumanSize, rotations: Array, pelvis: Array) -> Array:
    """Return heels and toe tips of both feet (t, 4, 3) [m]."""
    positions = size.positions(rotations, pelvis)
    points = []
    for tip in _SOLES:
        i = SEGMENT_INDEX[TIPS[tip]]
        offset = size.tips[tip] - size.joints[TIPS[tip]]
        points.append(positions[:, i] + rotations[:, i] @ offset)
    return np.stack(points, axis=1)


def _floor(soles: Array, time: Array, options: ReadOptions) -> float:
    """Return the height of the floor in the file [m]."""
    if options.floor is not None:
        return options.floor
    return floor_height(soles, time)
