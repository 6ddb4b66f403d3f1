"""A recording and its forces brought into one world, on one clock."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.dynamics.clip_dynamics import (
    BodyDynamics,
    body_dynamics,
    mass_from_plates,
)
from telexist.retarget.dynamics.person_model import PersonModel, person_model
from telexist.retarget.dynamics.person_motion import (
    GRAVITY,
    PersonMotion,
    person_motion,
)
from telexist.retarget.dynamics.plates_to_feet import (
    FeltForces,
    PlateForces,
    feet_on_plates,
)
from telexist.retarget.dynamics.sole_contacts import sole_contacts
from telexist.retarget.dynamics.trust import Trust
from telexist.retarget.errors import BadRecording, UsageError
from telexist.retarget.human import ADULT_MASS
from telexist.retarget.recordings import ReadOptions, load_options, read_clip
from telexist.retarget.recordings.c3d import c3d_capture
from telexist.retarget.recordings.markers import (
    ForceRecord,
    MarkedPerson,
    person_from_markers,
)
from telexist.retarget.recordings.opensim_tables import ground_forces
from telexist.retarget.recordings.trc import trc_capture
from telexist.retarget.signals import HumanClip

__all__ = [
    "RecordedDynamics",
    "RecordedPerson",
    "dynamics_of_recording",
    "read_person",
]

_CAPTURES = {".c3d": c3d_capture, ".trc": trc_capture}
_LEAST_VERTICAL = 0.5  # of the mean force, to be upwards


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPerson:
    """A clip and what lay under the feet.

    Attributes:
        clip: The person.
        plates: In the clip's world, or None.
        mass: As the file says [kg], or None.
        notes: What was found, one line each.
    """

    clip: HumanClip
    plates: PlateForces | None
    mass: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDynamics:
    """A person's dynamics over a recording.

    Attributes:
        person: The model, with its mass.
        clip: The person.
        motion: What was differentiated.
        forces: What the feet felt, or None.
        body: Torques, moments, wrenches.
        notes: What was found or assumed, one line each.
    """

    person: PersonModel
    clip: HumanClip
    motion: PersonMotion
    forces: FeltForces | None
    body: BodyDynamics
    notes: tuple[str, ...]


def read_person(
    path: Path, *, forces: Path | None = None, options: ReadOptions | None = None
) -> RecordedPerson:
    """Read a recording with its forces.

    Args:
        path: Any recording; C3D files bring their plates.
        forces: A `.mot` or `.sto` in the axes of the markers, or a C3D file.
        options: What is known about the recording.

    Raises:
        BadRecording: Naming the file and the problem.
        UsageError: If forces cannot belong to such a recording.
    """
    path = Path(path)
    read = _CAPTURES.get(path.suffix.lower())
    if read is None or not path.is_file():
        if forces is not None:
            problem = "go with markers in the same axes: a .trc or .c3d recording"
            raise UsageError(f"--forces {forces}: {problem}")
        clip = read_clip(path, options)
        return RecordedPerson(clip=clip, plates=None, mass=None, notes=clip.notes)
    if options is None:
        beside = path.with_suffix(".toml")
        options = load_options(beside) if beside.is_file() else ReadOptions()
    capture = read(path, unit=options.unit)
    marked = person_from_markers(capture, options, read)
    record = capture.forces if forces is None else _forces_of(forces)
    plates = _in_world(record, marked) if record is not None and record.names else None
    more = record.notes if record is not None and forces is not None else ()
    return RecordedPerson(
        clip=marked.clip,
        plates=plates,
        mass=capture.mass,
        notes=(*marked.clip.notes, *more, *(plates.notes if plates else ())),
    )


def _forces_of(path: Path) -> ForceRecord:
    if path.suffix.lower() == ".c3d":
        record = c3d_capture(path).forces
        if record is None or not record.names:
            raise BadRecording(path, "has no force plates that can be understood")
        return record
    return ground_forces(path)


def _in_world(record: ForceRecord, marked: MarkedPerson) -> PlateForces | None:
    """Turn and shift the wrenches into the clip's world; find their sign.

    Raises:
        BadRecording: If the forces have other axes than the markers.
    """
    R, p = marked.world_R_file, marked.world_p_file
    force = record.wrenches[..., :3] @ R.T
    moment = record.wrenches[..., 3:] @ R.T + np.cross(p, force)
    size = np.linalg.norm(force, axis=2)
    if not size.size or size.max() < 20.0:
        return PlateForces(
            time=record.time - marked.start,
            wrenches=np.concatenate([force, moment], axis=2),
            names=record.names,
            notes=("forces: none was ever loaded",),
        )
    loaded = size > 0.2 * size.max()
    mean = force[loaded].mean(axis=0)
    if abs(mean[2]) < _LEAST_VERTICAL * np.linalg.norm(mean):
        problem = "its forces are not along the vertical of the markers: other axes"
        raise BadRecording(record.source, problem)
    sign = 1.0 if mean[2] > 0.0 else -1.0
    word = "of the ground on the person" if sign > 0 else "turned round: of the person"
    return PlateForces(
        time=record.time - marked.start,
        wrenches=sign * np.concatenate([force, moment], axis=2),
        names=record.names,
        notes=(f"forces: {word}, {len(record.names)} plates",),
    )


def dynamics_of_recording(
    recorded: RecordedPerson,
    *,
    mass: float | None = None,
    cutoff: float = 6.0,
    force_cutoff: float = 20.0,
    trust: Trust | None = None,
) -> RecordedDynamics:
    """Estimate the dynamics of a whole recording.

    Args:
        recorded: Clip and forces.
        mass: Of the body [kg]; from the plates, or the file, where not stated.
        cutoff: Low pass of the motion [Hz].
        force_cutoff: Of the forces [Hz]: they are measured, not differentiated.
        trust: Standard deviations of what goes in.
    """
    clip, plates = recorded.clip, recorded.plates
    guess = mass or recorded.mass or ADULT_MASS
    person = person_model(clip.size, guess)
    motion = person_motion(clip, person, cutoff=cutoff)
    soles = sole_contacts(person, motion)
    forces = None
    note = f"mass {guess:.1f} kg, " + (
        "stated" if mass else "from the file" if recorded.mass else "assumed"
    )
    if plates is not None:
        forces = feet_on_plates(
            plates,
            motion,
            soles,
            weight=guess * GRAVITY,
            cutoff=force_cutoff,
        )
        felt = mass_from_plates(person, motion, forces)
        if mass is None and recorded.mass is None and felt is not None:
            person, note = person_model(clip.size, felt), f"mass {felt:.1f} kg, plates"
    body = body_dynamics(person, motion, soles, forces, trust)
    return RecordedDynamics(
        person=person,
        clip=clip,
        motion=motion,
        forces=forces,
        body=body,
        notes=(*recorded.notes, note, *(forces.notes if forces else ())),
    )
