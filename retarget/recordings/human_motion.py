"""From a moving skeleton to the 23 segments of a person."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retarget.errors import BadRecording
from retarget.human_size import TIPS, HumanSize
from retarget.recordings.axes import FileAxes, find_axes
from retarget.recordings.first_frame import first_frame_is_apart
from retarget.recordings.floor import find_floor
from retarget.recordings.neutral import neutral_rotations
from retarget.recordings.options import ReadOptions
from retarget.recordings.person_size import default_toe, person_size, stature_of
from retarget.recordings.planted import FlatFoot, FootMotion, flat_foot
from retarget.recordings.recognise import Person, recognise
from retarget.recordings.reference import choose_reference
from retarget.recordings.segment_motion import (
    SegmentMotion,
    complete_segments,
    turned_onto_limbs,
)
from retarget.recordings.skeleton import SourceSkeleton
from retarget.segments import SEGMENT_INDEX
from retarget.signals import HumanClip
from retarget.so3 import Array, angular_velocities, rotation_z, shortest_rotation

__all__ = ["clip_from_skeleton"]


def clip_from_skeleton(source: SourceSkeleton, options: ReadOptions) -> HumanClip:
    """Recognise the person in a skeleton and return the motion of all 23 segments.

    Args:
        source: Moving points in the file's own axes and units.
        options: What the user states about the recording.

    Raises:
        UnknownSkeleton: If no whole person is recognised.
        BadRecording: If the motion cannot be used.
    """
    person = recognise(source, options.joints)
    axes = find_axes(
        source, person, unit=options.unit or source.unit, up=options.up or source.up
    )
    apart = first_frame_is_apart(axes.unit * source.positions)
    rows, time, notes = _kept_frames(source, options, apart)
    world = _WorldPoints(source, axes, rows)
    reference = choose_reference(
        source, person, up=axes.up, first_is_posture=apart, options=options
    )
    flat = _flat_feet(world, person, time)
    neutral = neutral_rotations(source, person, reference, flat)
    motion = _provided(world, person, neutral)
    stature = stature_of(motion.positions)
    toes = _toe_offsets(world, person, motion, stature)
    motion, filled = complete_segments(turned_onto_limbs(motion), toes)
    tips = {
        name: _seen_from(motion, TIPS[name], world.position(point))
        for name, point in person.tips.items()
    }
    rotations, positions = motion.stacked_rotations(), motion.stacked_positions()
    size = person_size(rotations, positions, tips, stature)
    rotations, positions, heading = _headed(rotations, positions, options)
    rotations, positions, floor = _on_floor(
        rotations, positions, (size, time), options.floor
    )
    return HumanClip(
        name=Path(source.path).stem,
        source=source.path,
        time=time,
        rotations=rotations,
        angular_velocities=angular_velocities(rotations, time),
        positions=positions,
        linear_velocities=np.gradient(positions, time, axis=0),
        size=size,
        notes=(
            *source.notes,
            *person.notes,
            *axes.notes,
            *notes,
            reference.note,
            _flat_note(flat),
            heading,
            floor,
            *filled,
        ),
    )


class _WorldPoints:
    """The kept frames in metres with z up; the heading is still the file's."""

    def __init__(
        self, source: SourceSkeleton, axes: FileAxes, rows: NDArray[np.intp]
    ) -> None:
        self._source, self._axes, self._rows = source, axes, rows

    def position(self, point: int) -> Array:
        """Return the positions of a point (t, 3) [m]."""
        file_p = self._source.positions[self._rows, point]
        return np.asarray(self._axes.unit * file_p @ self._axes.world_R_file.T)

    def rotation(self, point: int) -> Array:
        """Return `world_R_point` (t, 3, 3)."""
        return np.asarray(
            self._axes.world_R_file @ self._source.rotations[self._rows, point]
        )


def _kept_frames(
    source: SourceSkeleton, options: ReadOptions, apart: bool
) -> tuple[NDArray[np.intp], Array, tuple[str, ...]]:
    """Return the rows kept, their times from 0, and notes."""
    time = source.time
    notes = []
    if options.rate is not None:
        time = np.arange(len(time)) / options.rate
        notes.append(f"rate: {options.rate:g} Hz, stated")
    keep = np.ones(len(time), dtype=bool)
    if options.skip_first_frames is not None:
        keep[: options.skip_first_frames] = False
    elif apart:
        keep[0] = False
        notes.append("frame 0 is a posture put before the motion: dropped")
    keep &= time >= (options.start if options.start is not None else -np.inf)
    keep &= time <= (options.end if options.end is not None else np.inf)
    rows = np.flatnonzero(keep)
    if len(rows) < 2:
        problem = (
            f"{len(rows)} of {len(time)} frames are left: nothing moves; "
            "check start, end and skip_first_frames"
        )
        raise BadRecording(source.path, problem)
    return rows, time[rows] - time[rows[0]], tuple(notes)


def _flat_feet(world: _WorldPoints, person: Person, time: Array) -> dict[str, FlatFoot]:
    feet = {side: _foot_motion(world, person, side) for side in ("Left", "Right")}
    found = {
        "Left": flat_foot(feet["Left"], feet["Right"], time),
        "Right": flat_foot(feet["Right"], feet["Left"], time),
    }
    return {side: flat for side, flat in found.items() if flat is not None}


def _foot_motion(world: _WorldPoints, person: Person, side: str) -> FootMotion:
    ankle = person.joints[f"{side}Foot"]
    toe = person.joints.get(f"{side}Toe", ankle)
    end = person.joints.get(f"{side}Toe", person.tips.get(f"{side}ToeTip", ankle))
    return FootMotion(
        world_R_foot=world.rotation(ankle),
        world_R_toe=world.rotation(toe),
        ankle=world.position(ankle),
        toe=world.position(end),
    )


def _flat_note(flat: Mapping[str, FlatFoot]) -> str:
    if not flat:
        return "soles: flat as in the neutral posture"
    sides = " and ".join(side.lower() for side in flat)
    return f"soles: flat where the foot stands still ({sides})"


def _provided(
    world: _WorldPoints, person: Person, neutral: Mapping[str, Array]
) -> SegmentMotion:
    """Return the segments that the source has; the pelvis is between the hips."""
    rotations = {
        name: world.rotation(point) @ neutral[name].T
        for name, point in person.joints.items()
    }
    positions = {name: world.position(point) for name, point in person.joints.items()}
    positions["Pelvis"] = (positions["LeftUpperLeg"] + positions["RightUpperLeg"]) / 2.0
    return SegmentMotion(rotations=rotations, positions=positions)


def _seen_from(motion: SegmentMotion, segment: str, points: Array) -> Array:
    """Return a point in a segment's axes (3,) [m], mean over the clip."""
    line = points - motion.positions[segment]
    return np.asarray(
        np.einsum("tba,tb->ta", motion.rotations[segment], line).mean(axis=0)
    )


def _toe_offsets(
    world: _WorldPoints, person: Person, motion: SegmentMotion, stature: float
) -> dict[str, Array]:
    """Return the toe tips seen from the ankles (3,) [m]."""
    offsets = {}
    for side in ("Left", "Right"):
        tip = person.tips.get(f"{side}ToeTip")
        offsets[side] = (
            default_toe(stature)
            if tip is None
            else _seen_from(motion, f"{side}Foot", world.position(tip))
        )
    return offsets


def _headed(
    rotations: Array, positions: Array, options: ReadOptions
) -> tuple[Array, Array, str]:
    """Turn the clip about the vertical and start over the origin."""
    found = _heading(rotations[0, SEGMENT_INDEX["Pelvis"]])
    turn, note = -found, f"heading: turned by {np.rad2deg(-found):.1f} deg to face +x"
    if options.heading_deg is not None:
        turn = np.deg2rad(options.heading_deg)
        note = f"heading: turned by {options.heading_deg:g} deg, stated"
    elif options.heading == "keep":
        return rotations, positions, "heading: as in the file"
    R = rotation_z(turn)
    start = positions[0, SEGMENT_INDEX["Pelvis"]] * [1.0, 1.0, 0.0]
    return R @ rotations, (positions - start) @ R.T, note


def _heading(world_R_pelvis: Array) -> float:
    """Return where the pelvis faces [rad], however far it is bent.

    From the left axis, which bowing does not move, unless the person lies on a side.
    """
    ahead, left, up = world_R_pelvis.T
    if np.hypot(left[0], left[1]) > 0.5:
        return float(np.arctan2(-left[0], left[1]))
    if np.hypot(ahead[0], ahead[1]) > 0.5:
        return float(np.arctan2(ahead[1], ahead[0]))
    return float(np.arctan2(up[1], up[0]))


def _soles(rotations: Array, positions: Array, size: HumanSize) -> Array:
    """Return heels and toe tips of both feet (t, 4, 3) [m]."""
    points = []
    for side in ("Left", "Right"):
        for tip, segment in ((f"{side}Heel", "Foot"), (f"{side}ToeTip", "Toe")):
            k = SEGMENT_INDEX[f"{side}{segment}"]
            offset = size.tips[tip] - size.joints[f"{side}{segment}"]
            points.append(positions[:, k] + rotations[:, k] @ offset)
    return np.stack(points, axis=1)


def _on_floor(
    rotations: Array,
    positions: Array,
    body: tuple[HumanSize, Array],
    stated: float | None,
) -> tuple[Array, Array, str]:
    """Level the clip and shift it so that planted soles are at z = 0."""
    if stated is not None:
        note = f"floor: {stated:g} m in the file, stated"
        return rotations, positions - [0.0, 0.0, stated], note
    size, time = body
    floor = find_floor(_soles(rotations, positions, size), time)
    note = f"floor: {floor.height:.3f} m in the file, where the soles stand"
    if not floor.slope.any():
        return rotations, positions - [0.0, 0.0, floor.height], note
    level = shortest_rotation(floor.normal, (0.0, 0.0, 1.0))
    positions = (positions - [0.0, 0.0, floor.height]) @ level.T
    angle = np.rad2deg(np.arccos(floor.normal[2]))
    return level @ rotations, positions, f"{note}, {angle:.1f} deg of slope taken out"
