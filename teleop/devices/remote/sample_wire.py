"""A sample of a device as bytes: rotations in 16 bits, positions in metres.

Little endian: sequence u32, stamp f64 on the sender's clock, flags u16; then what the
flags say: a person (u32 with a bit a segment, for each a quaternion xyzw in i16, and a
position in f32), points of hands (wrist f32, the others from it in i16 of 0.05 mm),
walk 3 f32, closing of hands 2 f32, treadmill 4 f32. The length is what the flags say.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)
from telexist.robots.base import HandCommand
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.terms import DeviceSample, Treadmill, WalkCommand

__all__ = ["SentPerson", "SentSample", "pack_sample", "unpack_sample"]

HEAD = struct.Struct("<IdH")
PERSON, PLACED, LEFT, RIGHT = 1, 2, 4, 8
WALK, HANDS, TREADMILL, SWITCH, HELD = 16, 32, 64, 128, 256
KNOWN = 511
TURN = 32767.0  # of a quaternion's 1
GRAIN = 5e-5  # [m] of a hand's points
FARTHEST = 1000.0  # [m] of anything from the origin
LATEST = 1e10  # [s] of a clock
ROUND = 0.01  # a quaternion's length is 1 to this
HAND_SIZE = 12 + 24 * 3 * 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SentPerson:
    """A person as sent; see `HumanFrame`.

    Attributes:
        segments: Names of the s segments.
        rotations: (s, 3, 3).
        positions: (s, 3) [m], or None.
        hand_points: (2, 25, 3) [m], or None.
    """

    segments: tuple[str, ...]
    rotations: Array
    positions: Array | None
    hand_points: Array | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SentSample:
    """A sample as it was on the sender's side.

    Attributes:
        sequence: Its running number there.
        stamp: When it was measured, on the sender's clock [s].
        person: The person, or None.
        rest: All else of it, with the sender's stamp.
    """

    sequence: int
    stamp: float
    person: SentPerson | None
    rest: DeviceSample


def pack_sample(sample: DeviceSample, sequence: int) -> bytes:
    """Return a sample's bytes; requests and drops go another way."""
    flags, parts = 0, []
    human = sample.human
    stamp = sample.stamp if human is None else human.stamp
    if human is not None:
        order = sorted(range(len(human.segments)), key=_place(human.segments))
        mask = sum(1 << SEGMENT_INDEX[name] for name in human.segments)
        quats_wxyz = quat_wxyz_from_rotation(human.rotations[order])
        quats = np.round(TURN * quats_wxyz[:, [1, 2, 3, 0]]).astype("<i2")
        flags |= PERSON
        parts += [struct.pack("<I", mask), quats.tobytes()]
        if human.positions is not None:
            flags |= PLACED
            parts.append(human.positions[order].astype("<f4").tobytes())
        points = human.hand_points
        for k, flag in enumerate((LEFT, RIGHT)):
            if points is not None and np.isfinite(points[k]).all():
                flags |= flag
                parts.append(_pack_hand(points[k]))
    if sample.walk is not None:
        flags |= WALK
        parts.append(struct.pack("<3f", sample.walk.vx, sample.walk.vy, sample.walk.wz))
    if sample.hands is not None:
        flags |= HANDS
        parts.append(struct.pack("<2f", sample.hands.left, sample.hands.right))
    if sample.treadmill is not None:
        mill = sample.treadmill
        flags |= TREADMILL
        parts.append(
            struct.pack("<4f", mill.yaw, mill.speed, mill.direction, mill.height)
        )
    if sample.dead_man is not None:
        flags |= SWITCH | HELD * sample.dead_man
    return HEAD.pack(sequence & 0xFFFFFFFF, stamp, flags) + b"".join(parts)


def unpack_sample(data: bytes) -> SentSample:
    """Read a sample.

    Raises:
        RefusedMessage: If it is none: its length, a number or a rotation is wrong.
    """
    if len(data) < HEAD.size:
        raise RefusedMessage("malformed", f"a sample of {len(data)} bytes")
    sequence, stamp, flags = HEAD.unpack_from(data)
    if flags & ~KNOWN or (flags & (PLACED | LEFT | RIGHT) and not flags & PERSON):
        raise RefusedMessage("malformed", f"a sample with flags {flags}")
    if not -LATEST < stamp < LATEST:  # NaN too
        raise RefusedMessage("malformed", "a sample of no time")
    reader = _SampleReader(data, HEAD.size)
    person = _person(reader, flags) if flags & PERSON else None
    walk = reader.floats(3) if flags & WALK else None
    hands = reader.floats(2) if flags & HANDS else None
    mill = reader.floats(4) if flags & TREADMILL else None
    reader.require_end()
    rest = DeviceSample(
        stamp=stamp,
        sequence=sequence,
        walk=None if walk is None else _walk(walk),
        hands=None if hands is None else _hands(hands),
        treadmill=None if mill is None else _treadmill(mill),
        dead_man=bool(flags & HELD) if flags & SWITCH else None,
    )
    return SentSample(sequence=sequence, stamp=stamp, person=person, rest=rest)


class _SampleReader:
    """Reads arrays one after the other."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data, self._at = data, start

    def take(self, kind: str, count: int) -> np.ndarray:
        size = np.dtype(kind).itemsize * count
        if self._at + size > len(self._data):
            raise RefusedMessage("malformed", "a sample that ends too early")
        values = np.frombuffer(self._data, kind, count, self._at)
        self._at += size
        return values

    def floats(self, count: int) -> Array:
        with np.errstate(invalid="ignore"):  # a NaN that wants to be noticed
            values = self.take("<f4", count).astype(np.float64)
        if not (np.abs(values) < FARTHEST).all():  # NaN too
            raise RefusedMessage("nan", "a number not finite or too large")
        return values

    def require_end(self) -> None:
        if self._at != len(self._data):
            raise RefusedMessage("malformed", "a sample longer than its flags say")


def _person(reader: _SampleReader, flags: int) -> SentPerson:
    mask = int(reader.take("<u4", 1)[0])
    if not 0 < mask < 1 << len(SEGMENTS):
        raise RefusedMessage("malformed", "segments that nobody has")
    segments = tuple(name for k, name in enumerate(SEGMENTS) if mask >> k & 1)
    count = len(segments)
    quats = reader.take("<i2", 4 * count).reshape(count, 4) / TURN
    lengths = np.linalg.norm(quats, axis=1, keepdims=True)
    if np.abs(lengths - 1.0).max() > ROUND:
        raise RefusedMessage("malformed", "a quaternion has not length 1")
    rotations = rotation_from_quat_wxyz((quats / lengths)[:, [3, 0, 1, 2]])
    placed = bool(flags & PLACED)
    positions = reader.floats(3 * count).reshape(count, 3) if placed else None
    points = None
    if flags & (LEFT | RIGHT):
        points = np.full((2, 25, 3), np.nan)
        for k, flag in enumerate((LEFT, RIGHT)):
            if flags & flag:
                wrist = reader.floats(3)
                steps = reader.take("<i2", 72).reshape(24, 3)
                points[k, 0], points[k, 1:] = wrist, wrist + GRAIN * steps
    return SentPerson(
        segments=segments, rotations=rotations, positions=positions, hand_points=points
    )


def _pack_hand(points: Array) -> bytes:
    wrist = points[0].astype("<f4")
    steps = np.round((points[1:] - wrist) / GRAIN)
    return wrist.tobytes() + np.clip(steps, -32768, 32767).astype("<i2").tobytes()


def _walk(values: Array) -> WalkCommand:
    vx, vy, wz = values.tolist()
    return WalkCommand(vx=vx, vy=vy, wz=wz)


def _hands(values: Array) -> HandCommand:
    left, right = np.clip(values, 0.0, 1.0).tolist()
    return HandCommand(left=left, right=right)


def _treadmill(values: Array) -> Treadmill:
    yaw, speed, direction, height = values.tolist()
    return Treadmill(yaw=yaw, speed=max(speed, 0.0), direction=direction, height=height)


def _place(segments: tuple[str, ...]) -> Callable[[int], int]:
    return lambda k: SEGMENT_INDEX[segments[k]]
