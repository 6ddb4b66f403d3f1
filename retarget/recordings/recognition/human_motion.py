"""From a moving skeleton to the 23 segments of a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.errors import BadRecording
from telexist.retarget.hands import hand_of_chains
from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.recognition.all_frames import (
    FlatFoot,
    FootMotion,
    MovedNeutral,
    MovingJoints,
    flat_foot,
    known_rig,
    moved_neutral,
)
from telexist.retarget.recordings.recognition.axes import FileAxes, find_axes
from telexist.retarget.recordings.recognition.fingers import find_fingers
from telexist.retarget.recordings.recognition.first_frame import first_frame_is_apart
from telexist.retarget.recordings.recognition.neutral import neutral_rotations
from telexist.retarget.recordings.recognition.person_size import (
    default_toe,
    person_size,
    stature_of,
)
from telexist.retarget.recordings.recognition.placement import place_on_floor
from telexist.retarget.recordings.recognition.recognise import Person, recognise
from telexist.retarget.recordings.recognition.reference import (
    Reference,
    choose_reference,
)
from telexist.retarget.recordings.recognition.segment_motion import (
    SegmentMotion,
    complete_segments,
    mean_seen_from,
    turned_onto_limbs,
)
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.segments import SIDES
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array
from telexist.retarget.whole_clip import turned_stack, turning_rates

__all__ = ["clip_from_skeleton"]

_ABOUT_THEMSELVES = (
    "warning: neutral: "
    + ", ".join(
        f"{side.title()}{part}" for side in SIDES for part in ("UpperArm", "ForeArm")
    )
    + " are turned about themselves so that elbows bend ahead; rigs differ from that "
    "by up to 35 degrees"
)


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
    neutral: Mapping[str, Array]
    if reference.made or options.neutral == "frame":
        neutral = neutral_rotations(source, person, reference, flat)
        found_neutral = _made_notes(source, reference)
    else:
        moved = _neutral_of_all_frames(world, person, source, flat)
        neutral, found_neutral = moved.rotations, _moved_notes(source, moved)
    body = _body(world, person, neutral)
    placed = place_on_floor(body.motion, body.size, time, options)
    found = (*source.notes, *person.notes, *axes.notes, *notes)
    angular = turning_rates(placed.rotations, time)
    linear = np.gradient(placed.positions, time, axis=0)
    for array in (placed.rotations, placed.positions, angular, linear):
        array.setflags(write=False)  # so that the clip takes them without copying
    hands = _hand_points(world, person, source)
    return HumanClip(
        name=Path(source.path).stem,
        source=source.path,
        time=time,
        rotations=placed.rotations,
        angular_velocities=angular,
        positions=placed.positions,
        linear_velocities=linear,
        size=body.size,
        notes=(
            *found,
            *found_neutral,
            _flat_note(flat),
            *placed.notes,
            *body.notes,
            *(() if hands is None else ("fingers of both hands, or of one",)),
        ),
        hand_points=hands,
    )


def _hand_points(
    world: _WorldPoints, person: Person, source: SourceSkeleton
) -> Array | None:
    """Return the points of both hands (t, 2, 25, 3) [m], NaN where not seen."""
    hands = []
    for side in SIDES:
        wrist = person.joints[f"{side.capitalize()}Hand"]
        found = find_fingers(source, wrist)
        wrists = world.position(wrist)
        if found is None:
            hands.append(np.full((len(wrists), 25, 3), np.nan))
            continue
        fingers = np.array([[world.position(p) for p in row] for row in found])
        hands.append(hand_of_chains(wrists, np.moveaxis(fingers, 2, 0)))
    points = np.stack(hands, axis=1)
    return points if np.isfinite(points).any() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """All segments where the file has them, and the size of the person."""

    motion: tuple[Array, Array]
    size: HumanSize
    notes: tuple[str, ...]


def _body(world: _WorldPoints, person: Person, neutral: Mapping[str, Array]) -> _Body:
    motion = _provided(world, person, neutral)
    stature = stature_of(motion.positions)
    toes = _toe_offsets(world, person, motion, stature)
    motion, notes = complete_segments(turned_onto_limbs(motion), toes)
    tips = {
        name: _seen_from(motion, TIPS[name], world.position(point))
        for name, point in person.tips.items()
    }
    stacked = motion.stacked()
    size = person_size(*stacked, tips, stature)
    return _Body(motion=stacked, size=size, notes=notes)


class _WorldPoints:
    """The kept frames in metres with z up; the heading is still the file's."""

    def __init__(
        self, source: SourceSkeleton, axes: FileAxes, rows: NDArray[np.intp]
    ) -> None:
        all_between = len(rows) == rows[-1] + 1 - rows[0]
        kept = slice(int(rows[0]), int(rows[-1]) + 1) if all_between else rows
        self._file_p, self._file_R = source.positions[kept], source.rotations[kept]
        self._axes = axes
        self._rotations: dict[int, Array] = {}

    def position(self, point: int) -> Array:
        """Return the positions of a point (t, 3) [m]."""
        file_p = self._file_p[:, point]
        return np.asarray(self._axes.unit * file_p @ self._axes.world_R_file.T)

    def rotation(self, point: int) -> Array:
        """Return `world_R_point` (t, 3, 3)."""
        if point not in self._rotations:
            file_R = self._file_R[:, point : point + 1]
            self._rotations[point] = turned_stack(self._axes.world_R_file, file_R)[:, 0]
        return self._rotations[point]


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


def _neutral_of_all_frames(
    world: _WorldPoints,
    person: Person,
    source: SourceSkeleton,
    flat: Mapping[str, FlatFoot],
) -> MovedNeutral:
    sides = ("Left", "Right")
    hands = {s: person.tips.get(f"{s}HandTip") for s in sides}
    toes = {
        s: person.joints.get(f"{s}Toe", person.tips.get(f"{s}ToeTip")) for s in sides
    }
    rest = source.rest_rotations
    return moved_neutral(
        MovingJoints(
            rotations={n: world.rotation(k) for n, k in person.joints.items()},
            positions={n: world.position(k) for n, k in person.joints.items()},
            hands={s: world.position(k) for s, k in hands.items() if k is not None},
            toes={s: world.position(k) for s, k in toes.items() if k is not None},
            rest={}
            if rest is None
            else {n: np.asarray(rest[k]) for n, k in person.joints.items()},
            head_top=world.position(person.tips["HeadTop"])
            if "HeadTop" in person.tips
            else None,
            known=known_rig(source.names),
        ),
        flat,
    )


def _made_notes(source: SourceSkeleton, reference: Reference) -> tuple[str, ...]:
    name = known_rig(source.names).name
    return (f"{reference.note}; a rig of {name}",) if name else (reference.note,)


def _moved_notes(source: SourceSkeleton, moved: MovedNeutral) -> tuple[str, ...]:
    """Say how the neutral orientations were found, and what is not sure of them."""
    notes = ["neutral: from all frames: limbs straight, hinges, how the trunk stands"]
    known = known_rig(source.names)
    if moved.rig:
        notes = [f"neutral: as the rig of {moved.rig} is made; the motion agrees"]
    elif moved.contradicts:
        off = ", ".join(moved.contradicts)
        notes.append(f"joints named as {known.name}'s, but made otherwise: {off}")
    elif known.stands:
        notes.append(f"joints named as {known.name}'s, but the rest skeleton is not")
    if not moved.rig:
        notes.append(_ABOUT_THEMSELVES)
    if moved.doubtful:
        off = ", ".join(moved.doubtful)
        notes.append(f"warning: neutral is doubtful: {off}; state neutral_frame")
    return tuple(notes)


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
        name: (world.rotation(point).reshape(-1, 3) @ neutral[name].T).reshape(-1, 3, 3)
        for name, point in person.joints.items()
    }
    positions = {name: world.position(point) for name, point in person.joints.items()}
    positions["Pelvis"] = (positions["LeftUpperLeg"] + positions["RightUpperLeg"]) / 2.0
    return SegmentMotion(rotations=rotations, positions=positions)


def _seen_from(motion: SegmentMotion, segment: str, points: Array) -> Array:
    """Return a point in a segment's axes (3,) [m], mean over the clip."""
    line = points - motion.positions[segment]
    return mean_seen_from(motion.rotations[segment], line)


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
