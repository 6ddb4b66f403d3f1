"""A person from markers: size, segments, and where the world is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording, UnknownSkeleton
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.markers.body_motion import BodyMotion, body_motion
from telexist.retarget.recordings.markers.capture import MarkerCapture
from telexist.retarget.recordings.markers.marker_names import check_places, known_roles
from telexist.retarget.recordings.markers.reference import (
    MarkerReference,
    Read,
    find_reference,
    metres_up,
)
from telexist.retarget.recordings.markers.standing import (
    SIDES,
    StandingPerson,
    joint_centres,
    missing_words,
)
from telexist.retarget.recordings.recognition import SegmentMotion, place_on_floor
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, angular_velocities, slerp

__all__ = ["MarkedPerson", "clip_from_markers", "person_from_markers"]

_MOST_FRAMES = 2_000_000
_MARKER = 0.03  # [m] of the lowest marker of a foot over the sole
_ENOUGH = 0.6  # of the markers, for a person to count as seen
_SPINE = {"L5": 0.178, "L3": 0.337, "T12": 0.50, "T8": 0.70, "Neck": 1.0}
_HEAD, _HEAD_TOP = 1.19, 1.49  # heights over the hips, of that of the neck
_HAND = 0.204  # of the height of the hips: wrist to finger tips
_LEG_PARTS = (("UpperLeg", "Hip"), ("LowerLeg", "Knee"), ("Foot", "Ankle"))


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPerson:
    """A clip and how its world lies in the file.

    Attributes:
        clip: The person.
        world_R_file: Turns the axes of the file into the clip's (3, 3).
        world_p_file: Origin of the file in the clip's world (3,) [m].
        start: Time in the file of the clip's first frame [s].
    """

    clip: HumanClip
    world_R_file: Array
    world_p_file: Array
    start: float


def clip_from_markers(
    capture: MarkerCapture, options: ReadOptions, read: Read
) -> HumanClip:
    """Find the person among markers; see `person_from_markers`."""
    return person_from_markers(capture, options, read).clip


def person_from_markers(
    capture: MarkerCapture, options: ReadOptions, read: Read
) -> MarkedPerson:
    """Find the person among markers.

    Args:
        capture: The markers.
        options: What the user states; `markers` and `static` above all.
        read: What reads a standing trial of the same kind.

    Raises:
        BadRecording: If unit, axes or gaps leave no person.
        UnknownSkeleton: Naming the places that no marker was found for.
        UnknownName: If `markers` names a place that does not exist.
    """
    check_places(options.markers)
    kept, time = _kept(capture, options)
    roles = known_roles(capture.names, options.markers)
    places, turn, axes = metres_up(capture, roles, options.up)
    needed = {"LeftAsis", "RightAsis", "LeftHeel", "RightHeel"}
    if not needed <= set(places):
        raise UnknownSkeleton(capture.path, missing_words(set(places)))
    places = {place: points[kept] for place, points in places.items()}
    places, time, unseen = _while_seen(places, time, capture.path)
    start, time = float(time[0]), time - time[0]
    static = None
    if options.static is not None:
        static = Path(capture.path).parent / options.static
    reference = find_reference(
        capture,
        places,
        static=static,
        read=read,
        stated=options.markers,
        up=options.up,
    )
    floor = _floor(reference.markers if reference.stands else places)
    standing = joint_centres(reference.markers, capture.path, floor=floor)
    body = body_motion(standing, places, capture.path, stands=reference.stands)
    size = _size(standing, body, _ankle_height(standing, body, reference, floor))
    motion = _segments(size, body)
    placed = place_on_floor(motion.stacked(), size, time, options)
    world_R_up = placed.rotations[0, 0] @ motion.rotations["Pelvis"][0].T
    clip = HumanClip(
        name=Path(capture.path).stem,
        source=capture.path,
        time=time,
        rotations=placed.rotations,
        angular_velocities=angular_velocities(placed.rotations, time),
        positions=placed.positions,
        linear_velocities=_velocities(placed.positions, time),
        size=size,
        notes=(
            *capture.notes,
            f"markers understood: {len(roles)} of {len(capture.names)}; {axes}",
            reference.note,
            *(() if standing.has_arms else ("arms are not marked: they hang",)),
            *unseen,
            *body.notes,
            *placed.notes,
        ),
    )
    return MarkedPerson(
        clip=clip,
        world_R_file=world_R_up @ turn,
        world_p_file=placed.positions[0, 0]
        - world_R_up @ motion.positions["Pelvis"][0],
        start=start,
    )


def _kept(capture: MarkerCapture, options: ReadOptions) -> tuple[Array, Array]:
    """Return the frames that the options keep and their times from 0."""
    time = np.array(capture.time)
    if options.rate is not None:
        time = np.arange(len(time)) / options.rate
    if not 2 <= len(time) <= _MOST_FRAMES:
        raise BadRecording(capture.path, f"holds {len(time)} frames: nothing moves")
    first = options.start if options.start is not None else -np.inf
    last = options.end if options.end is not None else np.inf
    keep = (time - time[0] >= first) & (time - time[0] <= last)
    keep[: options.skip_first_frames or 0] = False
    if keep.sum() < 2:
        problem = f"{keep.sum()} of {len(time)} frames are left; check start and end"
        raise BadRecording(capture.path, problem)
    return keep, time[keep]


def _velocities(positions: Array, time: Array) -> Array:
    speeds: Array = np.gradient(positions, time, axis=0)
    return speeds


def _while_seen(
    places: dict[str, Array], time: Array, path: str
) -> tuple[dict[str, Array], Array, tuple[str, ...]]:
    """Cut off what comes before and after the person is seen."""
    seen = [np.isfinite(points).all(axis=1) for points in places.values()]
    share = np.mean(seen, axis=0) if seen else np.ones(len(time))
    frames = np.flatnonzero(share > _ENOUGH)
    if len(frames) < 2:
        problem = f"in no two frames more than {_ENOUGH:.0%} of the markers are seen"
        raise BadRecording(path, problem)
    first, last = int(frames[0]), int(frames[-1]) + 1
    if last - first == len(time):
        return places, time, ()
    note = f"frames {first} to {last - 1}: before and after, the person is not seen"
    cut = {place: points[first:last] for place, points in places.items()}
    return cut, time[first:last], (note,)


def _floor(markers: Mapping[str, Array]) -> float:
    """Return the floor's height: that of the laboratory if the feet are just above."""
    names = ("Heel", "Toe", "Metatarsal1", "Metatarsal5")
    heights = [
        float(np.nanpercentile(markers[f"{side}{name}"][..., 2], 3))
        for side, _ in SIDES
        for name in names
        if f"{side}{name}" in markers and np.isfinite(markers[f"{side}{name}"]).any()
    ]
    lowest = min(heights, default=0.0)
    return 0.0 if -0.01 < lowest < 0.1 else lowest - 0.025


def _ankle_height(
    standing: StandingPerson, body: BodyMotion, reference: MarkerReference, floor: float
) -> float:
    """Return the height of the ankles over the sole [m]."""
    heights = []
    for side, _ in SIDES:
        ankle = standing.centres[f"{side}Ankle"]
        height = float(ankle[2]) - floor
        if not reference.stands:
            low = np.percentile(body.centres[f"{side}Ankle"][:, 2], 10)
            R = body.reference[f"{side}Foot"]
            foot = [
                float((R.T @ (point - ankle))[2])
                for place, point in standing.markers.items()
                if place in (f"{side}Heel", f"{side}Toe", f"{side}Metatarsal5")
            ]
            height = min(float(low) - floor, _MARKER - min(foot))
        heights.append(height)
    return float(np.clip(np.mean(heights), 0.03, 0.2))


def _bone(body: BodyMotion, start: str, end: str) -> float:
    """Return the median length of a bone over the trial [m]."""
    lines = body.centres[end] - body.centres[start]
    return float(np.median(np.linalg.norm(lines, axis=1)))


def _size(standing: StandingPerson, body: BodyMotion, ankle: float) -> HumanSize:
    """Build the person in N-pose: as they stood, bones as long as in the trial."""
    at = standing.centres
    hips = (at["LeftHip"] + at["RightHip"]) / 2.0
    joints: dict[str, Array] = {"Pelvis": np.zeros(3)}
    tips: dict[str, Array] = {}
    for side, _ in SIDES:
        joints[f"{side}UpperLeg"] = at[f"{side}Hip"] - hips
        for above, name, start, end in (
            ("UpperLeg", "LowerLeg", "Hip", "Knee"),
            ("LowerLeg", "Foot", "Knee", "Ankle"),
        ):
            bone = body.reference[f"{side}{above}"].T @ (
                at[f"{side}{end}"] - at[f"{side}{start}"]
            )
            bone *= _bone(body, f"{side}{start}", f"{side}{end}") / np.linalg.norm(bone)
            joints[f"{side}{name}"] = joints[f"{side}{above}"] + bone
        _add_foot(joints, tips, standing, body, side, ankle)
    soles = min(float(tips[f"{side}Heel"][2]) for side, _ in SIDES)
    _add_trunk(joints, tips, standing, hips)
    _add_arms(joints, tips, standing, body, hips, -soles)
    up = np.array([0.0, 0.0, -soles])
    for side, _ in SIDES:  # both soles on the floor
        for tip in ("Heel", "ToeTip"):
            tips[f"{side}{tip}"][2] = soles
    return HumanSize(
        joints={name: point + up for name, point in joints.items()},
        tips={name: point + up for name, point in tips.items()},
    )


def _add_foot(
    joints: dict[str, Array],
    tips: dict[str, Array],
    standing: StandingPerson,
    body: BodyMotion,
    side: str,
    height: float,
) -> None:
    """Add ball, heel and toe tip: heel and toe markers, put down on the floor."""
    ankle, R = standing.centres[f"{side}Ankle"], body.reference[f"{side}Foot"]
    heel = R.T @ (standing.markers[f"{side}Heel"] - ankle)
    balls = [
        R.T @ (standing.markers[f"{side}{name}"] - ankle)
        for name in ("Toe", "Metatarsal1", "Metatarsal5")
        if f"{side}{name}" in standing.markers
    ]
    ball = np.mean(balls[-2:] if len(balls) == 3 else balls, axis=0)
    sole = -height
    along = ball - heel
    joint = joints[f"{side}Foot"]
    joints[f"{side}Toe"] = joint + [ball[0], ball[1], (ball[2] + sole) / 2.0]
    tips[f"{side}Heel"] = joint + [heel[0] - 0.01, heel[1], sole]
    tip = ball + 0.35 * along
    tips[f"{side}ToeTip"] = joint + [tip[0], tip[1], sole]


def _add_trunk(
    joints: dict[str, Array],
    tips: dict[str, Array],
    standing: StandingPerson,
    hips: Array,
) -> None:
    """Place the spine between hips and neck by the heights of an average adult."""
    markers = standing.markers
    back, front = markers.get("C7"), markers.get("Manubrium")
    leg = float(hips[2] - standing.centres["LeftAnkle"][2])
    if back is not None and front is not None:
        neck = (2.0 * back + front) / 3.0 - hips
    elif back is not None:
        neck = back - hips + [0.05 * leg, 0.0, 0.0]
    else:
        neck = np.array([0.0, 0.0, 0.64 * leg])
    for name, share in _SPINE.items():
        joints[name] = share * neck
    above = np.array([0.0, 0.0, neck[2]])
    joints["Head"] = neck + (_HEAD - 1.0) * above
    tips["HeadTop"] = neck + (_HEAD_TOP - 1.0) * above


def _add_arms(
    joints: dict[str, Array],
    tips: dict[str, Array],
    standing: StandingPerson,
    body: BodyMotion,
    hips: Array,
    height: float,
) -> None:
    """Add arms that hang down; those of an average adult where none are marked."""
    down = np.array([0.0, 0.0, -1.0])
    for side, left in SIDES:
        if standing.has_arms and f"{side}Elbow" in body.centres:
            shoulder = standing.centres[f"{side}Shoulder"] - hips
            upper = _bone(body, f"{side}Shoulder", f"{side}Elbow")
            lower = _bone(body, f"{side}Elbow", f"{side}Wrist")
        else:
            shoulder = joints["Neck"] + height * np.array([0.0, 0.189 * left, -0.05])
            upper, lower = 0.351 * height, 0.275 * height
        neck = joints["Neck"]
        collar = neck + 0.18 * (shoulder - neck)
        joints[f"{side}Shoulder"] = np.array([collar[0], collar[1], shoulder[2]])
        joints[f"{side}UpperArm"] = shoulder
        joints[f"{side}ForeArm"] = shoulder + upper * down
        joints[f"{side}Hand"] = shoulder + (upper + lower) * down
        tips[f"{side}HandTip"] = joints[f"{side}Hand"] + _HAND * height * down


def _segments(size: HumanSize, body: BodyMotion) -> SegmentMotion:
    """Complete the rotations; place the chain, with the legs where they were seen."""
    rotations = dict(body.rotations)
    rotations["Neck"] = slerp(rotations["T8"], rotations["Head"], 0.5)
    for side, _ in SIDES:
        rotations[f"{side}Shoulder"] = rotations["T8"]
        rotations[f"{side}Toe"] = rotations[f"{side}Foot"]
        for part in ("UpperArm", "ForeArm", "Hand"):
            rotations.setdefault(f"{side}{part}", rotations["T8"])
    pelvis = (body.centres["LeftHip"] + body.centres["RightHip"]) / 2.0
    stacked = np.stack([rotations[name] for name in SEGMENTS], axis=1)
    chain = size.positions(stacked, pelvis)
    positions = {name: chain[:, k] for name, k in SEGMENT_INDEX.items()}
    for side, _ in SIDES:
        for part, joint in _LEG_PARTS:
            positions[f"{side}{part}"] = body.centres[f"{side}{joint}"]
        offset = size.joints[f"{side}Toe"] - size.joints[f"{side}Foot"]
        positions[f"{side}Toe"] = (
            positions[f"{side}Foot"] + rotations[f"{side}Foot"] @ offset
        )
    return SegmentMotion(rotations=rotations, positions=positions)
