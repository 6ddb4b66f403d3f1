"""What travels between a session and the process that estimates a person's dynamics.

A message is one letter and its content. To the process: `P` a person (JSON), `F` a
frame, `G` ground forces, both as numbers. From it: `R` ready, `D` an estimate, `N` a
note (kind, blank, text), `E` why it ends. Both ends are ours; nothing is executed.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
import orjson
from telexist.retarget.ergonomics import ErgonomicSettings
from telexist.retarget.human_size import HumanSize
from telexist.retarget.person_dynamics import GroundForces
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.teleop.settings import DynamicsSettings

__all__ = [
    "ENDED",
    "ESTIMATE",
    "FORCES",
    "FRAME",
    "NOTE",
    "PERSON",
    "READY",
    "PersonAsked",
    "decode_forces",
    "decode_frame",
    "decode_person",
    "encode_forces",
    "encode_frame",
    "encode_person",
]

PERSON, FRAME, FORCES = b"P", b"F", b"G"
READY, ESTIMATE, NOTE, ENDED = b"R", b"D", b"N", b"E"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAsked:
    """Whose dynamics are to be estimated, and how."""

    size: HumanSize
    settings: DynamicsSettings
    ergonomics: ErgonomicSettings


def encode_person(
    size: HumanSize, settings: DynamicsSettings, ergonomics: ErgonomicSettings
) -> bytes:
    """Return a person as a message."""
    table = {
        "joints": {name: p.tolist() for name, p in size.joints.items()},
        "tips": {name: p.tolist() for name, p in size.tips.items()},
        "settings": asdict(settings),
        "ergonomics": {
            field.name: getattr(ergonomics, field.name) for field in fields(ergonomics)
        }
        | {"strength": dict(ergonomics.strength)},
    }
    return PERSON + orjson.dumps(table)


def decode_person(message: bytes) -> PersonAsked:
    """Return the person of a message made by `encode_person`."""
    table: dict[str, Any] = orjson.loads(message[1:])
    return PersonAsked(
        size=HumanSize(
            joints={name: np.array(p) for name, p in table["joints"].items()},
            tips={name: np.array(p) for name, p in table["tips"].items()},
        ),
        settings=DynamicsSettings(**table["settings"]),
        ergonomics=ErgonomicSettings(**table["ergonomics"]),
    )


def encode_frame(frame: HumanFrame) -> bytes:
    """Return a frame's stamp, number, segments, rotations and places as a message."""
    placed = frame.positions is not None
    head = np.array([frame.stamp, frame.sequence, len(frame.segments), placed])
    rows = np.array([SEGMENT_INDEX[name] for name in frame.segments], dtype=float)
    parts = [head, rows, frame.rotations.ravel()]
    if frame.positions is not None:
        parts.append(frame.positions.ravel())
    return FRAME + np.concatenate(parts).tobytes()


def decode_frame(message: bytes) -> HumanFrame:
    """Return the frame of a message made by `encode_frame`."""
    numbers = np.frombuffer(message, offset=1)
    stamp, sequence, count, placed = numbers[:4]
    n = int(count)
    rows, rest = numbers[4 : 4 + n].astype(int), numbers[4 + n :]
    return HumanFrame(
        stamp=float(stamp),
        sequence=int(sequence),
        segments=tuple(SEGMENTS[row] for row in rows),
        rotations=rest[: 9 * n].reshape(n, 3, 3),
        angular_velocities=np.zeros((n, 3)),
        positions=rest[9 * n : 12 * n].reshape(n, 3) if placed else None,
    )


def encode_forces(forces: GroundForces) -> bytes:
    """Return ground forces as a message."""
    head = [forces.stamp, forces.source_time, forces.in_world]
    parts = (head, forces.full_scale, forces.wrench.ravel(), forces.deviation.ravel())
    return FORCES + np.concatenate(parts).tobytes()


def decode_forces(message: bytes) -> GroundForces:
    """Return the forces of a message made by `encode_forces`."""
    numbers = np.frombuffer(message, offset=1)
    clock = float(numbers[1])
    return GroundForces(
        stamp=float(numbers[0]),
        source_time=clock if math.isfinite(clock) else math.nan,
        in_world=bool(numbers[2]),
        full_scale=numbers[3:9],
        wrench=numbers[9:21].reshape(2, 6),
        deviation=numbers[21:33].reshape(2, 6),
    )
