"""From markers to segments: rigid fits, joints between them, bones along the joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.markers.rigid_fit import RigidMotion, fit_rigid
from telexist.retarget.recordings.markers.standing import SIDES, StandingPerson
from telexist.retarget.segments import NEUTRAL_DIRECTION
from telexist.retarget.so3 import (
    Array,
    angle_between,
    exp_so3,
    rotation_z,
    shortest_rotation,
    slerp,
)

__all__ = ["BodyMotion", "body_motion"]

_CLUSTERS = {
    "Thigh": ("Thigh*", "KneeLateral", "KneeMedial", "Trochanter"),
    "Shank": ("Shank*", "AnkleLateral", "AnkleMedial"),
    "Foot": ("Heel", "Toe", "Metatarsal1", "Metatarsal5", "FootSide*"),
    "Arm": ("UpperArm*", "ElbowLateral", "ElbowMedial"),
    "ForeArm": ("ForeArm*", "WristRadial", "WristUlnar", "Wrist"),
    "Hand": ("HandEnd", "HandSide*", "WristRadial", "WristUlnar"),
}
_TRUNK = ("C7", "T10", "Manubrium", "Xiphoid", "Clavicle", "Trunk*", "Shoulder")
_GIVEN = 0.9  # of the frames in which a joint centre must be, to be believed
_RIGID = 4  # markers of the trunk that do without those of the shoulders
_HEAD = ("Forehead", "Backhead", "HeadTop")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyMotion:
    """What the markers tell of the body.

    Attributes:
        rotations: Segment to `world_R_segment` (t, 3, 3), z up.
        centres: Joint such as `LeftKnee` to its place (t, 3) [m].
        reference: Segment to its rotation at the reference (3, 3).
        notes: What was interpolated, one line each.
    """

    rotations: Mapping[str, Array]
    centres: Mapping[str, Array]
    reference: Mapping[str, Array]
    notes: tuple[str, ...]


class _Fits:
    """Fits clusters of markers, each with joint centres that are already known."""

    def __init__(
        self, standing: StandingPerson, places: Mapping[str, Array], path: str
    ):
        self._standing, self._places, self._path = standing, places, path
        self.interpolated: list[str] = []

    def count(self, patterns: tuple[str, ...]) -> int:
        """Return how many markers there are for these places."""
        return sum(
            place in self._places and any(_fits(place, p) for p in patterns)
            for place in self._standing.markers
        )

    def given(self, centre: str, found: Array) -> Array:
        """Return a joint centre as another program left it in the file, if it did."""
        path = self._places.get(f"{centre}Center")
        if path is None or np.isfinite(path).all(axis=1).mean() < _GIVEN:
            return found
        return np.where(np.isfinite(path), path, found)

    def beside(self, place: str, centre: str, body: RigidMotion) -> Array:
        """Return a centre that keeps its place beside a marker, in a body's axes.

        Where the marker is not seen, the body carries the centre.
        """
        at, marker = self._standing.centres[centre], self._standing.markers[place]
        seen = self._places[place] + body.rotations @ (at - marker)
        return np.where(np.isfinite(seen), seen, body.carry(at))

    def cluster(
        self, name: str, patterns: tuple[str, ...], extra: Mapping[str, Array]
    ) -> RigidMotion | None:
        """Fit markers, and centres by name of `extra` with their motion."""
        names = [
            place
            for place in self._standing.markers
            if place in self._places and any(_fits(place, p) for p in patterns)
        ]
        reference = [self._standing.markers[place] for place in names]
        moving = [self._places[place] for place in names]
        for centre, motion in extra.items():
            reference.append(self._standing.centres[centre])
            moving.append(motion)
        if len(reference) < 3:
            return None
        fit = fit_rigid(np.array(reference), np.stack(moving, axis=1))
        if fit is not None and not fit.seen.all():
            self.interpolated.append(f"{name} {int((~fit.seen).sum())}")
        return fit

    def required(
        self, name: str, patterns: tuple[str, ...], extra: Mapping[str, Array]
    ) -> RigidMotion:
        fit = self.cluster(name, patterns, extra)
        if fit is None:
            problem = (
                f"{name}: fewer than three of its markers are seen together; "
                "name more in a TOML file beside it, table [markers]"
            )
            raise BadRecording(self._path, problem)
        return fit


def _fits(place: str, pattern: str) -> bool:
    return (
        place.rstrip("234567") == pattern[:-1]
        if pattern.endswith("*")
        else place == pattern
    )


def _sided(side: str, part: str) -> tuple[str, ...]:
    return tuple(side + pattern for pattern in _CLUSTERS[part])


def body_motion(
    standing: StandingPerson, places: Mapping[str, Array], path: str, *, stands: bool
) -> BodyMotion:
    """Move the person who stands as the markers move.

    Args:
        standing: Markers and joint centres at the reference.
        places: Place to its marker's path (t, 3) [m], z up, NaN in gaps.
        path: The file, for messages.
        stands: Whether the reference is a standing trial, whose legs, trunk and feet
            count as N-pose; else bones tell how they were.

    Raises:
        BadRecording: If a segment of legs or pelvis is not marked.
    """
    fits = _Fits(standing, places, path)
    pelvis = fits.required(
        "Pelvis", ("LeftAsis", "RightAsis", "LeftPsis", "RightPsis", "Sacrum"), {}
    )
    rotations: dict[str, Array] = {"Pelvis": pelvis.rotations}
    reference: dict[str, Array] = {"Pelvis": np.eye(3)}
    centres: dict[str, Array] = {}
    for side, _ in SIDES:
        _leg(fits, pelvis, standing, side, stands, (rotations, reference, centres))
    trunk = _trunk(fits, pelvis, rotations, reference)
    head = fits.cluster("Head", (*_HEAD, *_both(_HEAD)), {})
    rotations["Head"] = trunk.rotations if head is None else head.rotations
    reference["Head"] = np.eye(3)
    if standing.has_arms:
        for side, _ in SIDES:
            _arm(fits, trunk, standing, side, (rotations, reference, centres))
    notes: tuple[str, ...] = ()
    if fits.interpolated:
        notes = (f"interpolated frames: {', '.join(fits.interpolated)}",)
    return BodyMotion(
        rotations=rotations, centres=centres, reference=reference, notes=notes
    )


_Parts = tuple[dict[str, Array], dict[str, Array], dict[str, Array]]


def _both(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{side}{name}" for side, _ in SIDES for name in names)


def _leg(
    fits: _Fits,
    pelvis: RigidMotion,
    standing: StandingPerson,
    side: str,
    stands: bool,
    parts: _Parts,
) -> None:
    rotations, reference, centres = parts
    at = standing.centres
    hip, knee, ankle = (f"{side}{joint}" for joint in ("Hip", "Knee", "Ankle"))
    centres[hip] = fits.given(hip, pelvis.carry(at[hip]))
    thigh = fits.required(f"{side}Thigh", _sided(side, "Thigh"), {hip: centres[hip]})
    by_thigh = thigh.carry(at[knee])
    shank = fits.required(f"{side}Shank", _sided(side, "Shank"), {knee: by_thigh})
    centres[knee] = fits.given(knee, (by_thigh + shank.carry(at[knee])) / 2.0)
    by_shank = shank.carry(at[ankle])
    foot = fits.required(f"{side}Foot", _sided(side, "Foot"), {ankle: by_shank})
    centres[ankle] = fits.given(ankle, (by_shank + foot.carry(at[ankle])) / 2.0)
    for name, fit, start, end in (
        (f"{side}UpperLeg", thigh, hip, knee),
        (f"{side}LowerLeg", shank, knee, ankle),
    ):
        bone = at[end] - at[start]
        reference[name] = np.eye(3) if stands else _bone_rotation(name, bone)
        rotations[name] = _onto_bone(
            fit.rotations, bone, centres[end] - centres[start]
        ) @ (fit.rotations @ reference[name])
    name = f"{side}Foot"
    reference[name] = np.eye(3)
    if not stands:
        reference[name] = _foot_rotation(standing, side)
    rotations[name] = foot.rotations @ reference[name]


def _bone_rotation(name: str, bone: Array) -> Array:
    return shortest_rotation(NEUTRAL_DIRECTION[name], bone)


def _foot_rotation(standing: StandingPerson, side: str) -> Array:
    """Return how a foot is turned whose heel and toe markers are at one height."""
    toes = [
        standing.markers[f"{side}{name}"]
        for name in ("Toe", "Metatarsal1", "Metatarsal5")
        if f"{side}{name}" in standing.markers
    ]
    along = np.mean(toes, axis=0) - standing.markers[f"{side}Heel"]
    yaw = rotation_z(np.arctan2(along[1], along[0]))
    level = yaw @ [1.0, 0.0, 0.0]
    return shortest_rotation(level, along) @ yaw


def _onto_bone(rotations: Array, bone: Array, line: Array) -> Array:
    """Return the shortest turns (t, 3, 3) of the fitted bone onto its joints."""
    fitted = rotations @ bone
    normal = np.cross(fitted, line)
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    angle = np.where(length[..., 0] > 0.0, angle_between(fitted, line), 0.0)
    return exp_so3(angle[:, None] * normal / np.where(length > 0.0, length, 1.0))


def _trunk(
    fits: _Fits,
    pelvis: RigidMotion,
    rotations: dict[str, Array],
    reference: dict[str, Array],
) -> RigidMotion:
    places = (*_TRUNK, *_both(_TRUNK))
    shoulders = ("LeftShoulder", "RightShoulder")
    if fits.count(places) >= _RIGID + len(shoulders):  # shoulders shrug
        places = tuple(place for place in places if place not in shoulders)
    trunk = fits.cluster("T8", places, {})
    if trunk is None:
        trunk = pelvis
        fits.interpolated.append("T8 all: it moves with the pelvis")
    for name, share in (("L5", 0.25), ("L3", 0.5), ("T12", 0.75)):
        rotations[name] = slerp(pelvis.rotations, trunk.rotations, share)
        reference[name] = np.eye(3)
    rotations["T8"], reference["T8"] = trunk.rotations, np.eye(3)
    return trunk


def _arm(
    fits: _Fits, trunk: RigidMotion, standing: StandingPerson, side: str, parts: _Parts
) -> None:
    rotations, reference, centres = parts
    at = standing.centres
    shoulder, elbow, wrist = (
        f"{side}{joint}" for joint in ("Shoulder", "Elbow", "Wrist")
    )
    centres[shoulder] = fits.beside(f"{side}Shoulder", shoulder, trunk)
    arm = fits.cluster(
        f"{side}UpperArm", _sided(side, "Arm"), {shoulder: centres[shoulder]}
    )
    extra = {} if arm is None else {elbow: arm.carry(at[elbow])}
    forearm = fits.cluster(f"{side}ForeArm", _sided(side, "ForeArm"), extra)
    if forearm is None:  # the elbow's own marker is nearly on its axis
        patterns = (*_sided(side, "ForeArm"), f"{side}ElbowLateral")
        forearm = fits.cluster(f"{side}ForeArm", patterns, {})
    if forearm is None:
        fits.interpolated.append(f"{side} arm all: it moves with the trunk")
        return
    ends = [fit.carry(at[elbow]) for fit in (arm, forearm) if fit is not None]
    centres[elbow] = np.mean(ends, axis=0)
    centres[wrist] = forearm.carry(at[wrist])
    for name, fit, start, end in (
        (f"{side}UpperArm", trunk if arm is None else arm, shoulder, elbow),
        (f"{side}ForeArm", forearm, elbow, wrist),
    ):
        bone = at[end] - at[start]
        reference[name] = _bone_rotation(name, bone)
        rotations[name] = _onto_bone(
            fit.rotations, bone, centres[end] - centres[start]
        ) @ (fit.rotations @ reference[name])
    hand = fits.cluster(f"{side}Hand", _sided(side, "Hand"), {wrist: centres[wrist]})
    name, tip = f"{side}Hand", standing.markers.get(f"{side}HandEnd")
    if hand is None or tip is None:
        rotations[name] = rotations[f"{side}ForeArm"]
        reference[name] = reference[f"{side}ForeArm"]
        return
    reference[name] = _bone_rotation(name, tip - at[wrist])
    rotations[name] = hand.rotations @ reference[name]
