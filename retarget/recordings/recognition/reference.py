"""Choose the posture from which the neutral orientations follow.

In this order: what the user states; the rest skeleton or a T-pose put before the
motion, whichever stands better; the frame of the clip whose limbs are straightest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.recognition.axes import axis_vector, nearest_axis
from telexist.retarget.recordings.recognition.postures import body_axes, measure
from telexist.retarget.recordings.recognition.recognise import Person
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.so3 import Array, angle_between

__all__ = ["Reference", "body_axes_of_all", "choose_reference"]

_SNAP_UP = np.deg2rad(15.0)  # an authored skeleton's trunk leans less than this
_SNAP_SIDE = np.deg2rad(10.0)
_TILT_WEIGHT = 1.0  # of the trunk against the vertical, beside `PostureAngles.cost`
_STANDING_TIME = 0.3  # [s] of standing, before it is believed
_MOST_FRAMES = 100  # averaged
_CLOSE = 0.1  # share of the frames that count as standing like the best


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A posture in body axes: x ahead, y left, z up.

    Attributes:
        points: (j, 3), file units.
        rotations: `body_R_point` (j, 3, 3).
        made: Whether somebody made it on purpose, as a rest skeleton or a T-pose.
        typical: Frames of the clip in which the person stands straight; may be empty.
        note: Where it came from.
    """

    points: Array
    rotations: Array
    made: bool
    typical: tuple[int, ...]
    note: str


def choose_reference(
    source: SourceSkeleton,
    person: Person,
    *,
    up: str,
    first_is_posture: bool,
    options: ReadOptions,
) -> Reference:
    """Choose the reference posture.

    Args:
        source: The skeleton, all frames of the file.
        person: Where the person is in it.
        up: The file's axis that points up.
        first_is_posture: Whether the first frame is a posture put before the motion.
        options: What the user states.

    Raises:
        BadRecording: If the stated rest skeleton or frame does not exist.
    """
    if options.neutral == "frame":
        return _stated_frame(source, person, options.neutral_frame or 0)
    made = _made_postures(source, person, first_is_posture=first_is_posture)
    if options.neutral == "rest":
        if source.rest_positions is None:
            raise BadRecording(source.path, "no rest skeleton; use neutral = 'auto'")
        return made[0]
    standing = [r for r in made if measure(r.points[None], person).stands[0]]
    if standing:
        costs = [float(measure(r.points[None], person).cost[0]) for r in standing]
        best = standing[int(np.argmin(costs))]
        rows = _standing_frames(source, person, up, first=int(first_is_posture))
        return replace(best, typical=rows)
    return _best_frame(source, person, up)


def _standing_frames(
    source: SourceSkeleton, person: Person, up: str, *, first: int
) -> tuple[int, ...]:
    """Return the frames with straight limbs and upright trunk, if there are enough."""
    points = source.positions[first:]
    trunk, _, _ = body_axes(points, person)
    upright = angle_between(trunk, axis_vector(up)) < _SNAP_UP
    rows = np.flatnonzero(measure(points, person).trunk_stands & upright) + first
    step = float(source.time[-1] - source.time[0]) / (len(source.time) - 1)
    if len(rows) * step < _STANDING_TIME:
        return ()
    return tuple(int(i) for i in rows[:: max(1, len(rows) // _MOST_FRAMES)])


def _made_postures(
    source: SourceSkeleton, person: Person, *, first_is_posture: bool
) -> list[Reference]:
    out = []
    if source.rest_positions is not None and source.rest_rotations is not None:
        rest = (source.rest_positions, source.rest_rotations)
        out.append(_in_body_axes(*rest, person, "neutral: the rest skeleton"))
    if first_is_posture:
        first = (source.positions[0], source.rotations[0])
        out.append(_in_body_axes(*first, person, "neutral: the posture in frame 0"))
    return out


def _in_body_axes(
    points: Array, rotations: Array, person: Person, note: str
) -> Reference:
    """Turn a made posture to face x, snapped to the file's axes as its author did."""
    trunk, lateral, across = (v[0] for v in body_axes(points[None], person))
    up = _snapped(trunk, _SNAP_UP)
    left = _snapped(_perpendicular(lateral + across, up), _SNAP_SIDE)
    body_R_file = _basis(up, left)
    return Reference(
        points=points @ body_R_file.T,
        rotations=body_R_file @ rotations,
        made=True,
        typical=(),
        note=note,
    )


def _snapped(vector: Array, tolerance: float) -> Array:
    if not np.any(vector):
        return np.array([0.0, 0.0, 1.0])
    axis = axis_vector(nearest_axis(vector))
    return axis if angle_between(vector, axis) < tolerance else vector


def _perpendicular(vector: Array, up: Array) -> Array:
    return np.asarray(vector - (vector @ up) / max(float(up @ up), 1e-300) * up)


def body_axes_of(points: Array, person: Person) -> Array:
    """Return `body_R_file` of one posture (j, 3): trunk up, hips and shoulders left."""
    trunk, lateral, across = (v[0] for v in body_axes(points[None], person))
    return _basis(trunk, lateral + across)


def body_axes_of_all(points: Array, person: Person) -> Array:
    """Return `body_R_file` (t, 3, 3) of postures (t, j, 3), as `body_axes_of` does."""
    trunk, lateral, across = body_axes(points, person)
    z = trunk / np.linalg.norm(trunk, axis=-1, keepdims=True)
    left = lateral + across
    y = left - np.sum(left * z, axis=-1, keepdims=True) * z
    length = np.linalg.norm(y, axis=-1, keepdims=True)
    clear = length >= 1e-9
    y = y / np.where(clear, length, 1.0)
    axes = np.stack([np.cross(y, z), y, z], axis=1)
    for k in np.flatnonzero(~clear[:, 0]):
        axes[k] = body_axes_of(points[k], person)
    return np.asarray(axes)


def _basis(up: Array, left: Array) -> Array:
    """Return `body_R_file` with z along up and y as close to left as possible."""
    z = up / np.linalg.norm(up)
    y = _perpendicular(left, z)
    length = float(np.linalg.norm(y))
    if length < 1e-9:
        y = _perpendicular(np.eye(3)[np.argmin(np.abs(z))], z)
        length = float(np.linalg.norm(y))
    y = y / length
    return np.stack([np.cross(y, z), y, z])


def _frame(
    source: SourceSkeleton, person: Person, index: int, typical: tuple[int, ...]
) -> Reference:
    points = source.positions[index]
    body_R_file = body_axes_of(points, person)
    return Reference(
        points=points @ body_R_file.T,
        rotations=body_R_file @ source.rotations[index],
        made=False,
        typical=typical,
        note=f"neutral: frame {index} at {source.time[index]:.3f} s",
    )


def _stated_frame(source: SourceSkeleton, person: Person, index: int) -> Reference:
    if index >= len(source.time):
        problem = f"neutral_frame = {index}, the file has {len(source.time)} frames"
        raise BadRecording(source.path, problem)
    return _frame(source, person, index, (index,))


def _best_frame(source: SourceSkeleton, person: Person, up: str) -> Reference:
    """Return the frame with the straightest limbs and the most upright trunk."""
    trunk, _, _ = body_axes(source.positions, person)
    tilt = angle_between(trunk, axis_vector(up))
    cost = measure(source.positions, person).cost + _TILT_WEIGHT * tilt**2
    order = np.argsort(cost, kind="stable")
    count = max(1, int(_CLOSE * len(order)))
    return _frame(source, person, int(order[0]), tuple(int(i) for i in order[:count]))
