"""One frame of the page: what a headset tracks at one time, in WebXR's axes.

Little endian: kind u8 (1), version u8 (1), bits u16, sequence u32, display time and
now f64 [s], head 7 f32 (position, quaternion xyzw); for the left, then the right side
grip 7 f32, axes 4 f32, buttons 8 f32, pressed u32; then 25 x 3 f32 for each hand whose
bit is set. The length is what the bits say.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.errors import BadFrame
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array

__all__ = ["Held", "XrFrame", "pack_frame", "unpack_frame"]

KIND, VERSION = 1, 1
HEAD = struct.Struct("<BBHIdd7f")
SIDE = struct.Struct("<7f4f8fI")
HAND = struct.Struct("<75f")
HEAD_TRACKED = 1
TRACKED = {"left": 2, "right": 4}
JOINTS = {"left": 8, "right": 16}
VISIBLE = 32
THERE = {"left": 64, "right": 128}
KNOWN = 255
FARTHEST = 1000.0  # [m] or units of anything in a frame but its times
ROUND = 0.01  # a quaternion's length is 1 to this


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Held:
    """What is known of one hand or its controller.

    Attributes:
        pose: Position and quaternion xyzw (7,); None if it is not tracked.
        axes: Pad x, y and stick x, y, to the right and back (4,).
        buttons: How far each is pressed, 0 to 1 (8,): trigger, squeeze, pad, stick,
            lower, upper.
        pressed: A bit for each that is down.
        joints: The 25 joints of a bare hand (25, 3) [m]; None without.
        there: Whether the headset has this hand or controller at all, seen or not.
    """

    pose: Array | None = None
    axes: Array = field(default_factory=lambda: np.zeros(4))
    buttons: Array = field(default_factory=lambda: np.zeros(8))
    pressed: int = 0
    joints: Array | None = None
    there: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class XrFrame:
    """What one frame says.

    Attributes:
        sequence: Its running number.
        time: When it will be seen, on the headset's clock [s].
        now: When it was read there [s].
        visible: Whether the person sees our page and nothing above it.
        head: Position and quaternion xyzw (7,); None if it is not tracked.
        held: By "left" and "right".
    """

    sequence: int
    time: float
    now: float
    visible: bool
    head: Array | None
    held: Mapping[str, Held]


def pack_frame(frame: XrFrame) -> bytes:
    """Return a frame as the page sends it."""
    nothing = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    bits = HEAD_TRACKED * (frame.head is not None) | VISIBLE * frame.visible
    sides, hands = b"", b""
    for side in SIDES:
        held = frame.held[side]
        bits |= TRACKED[side] * (held.pose is not None) | THERE[side] * held.there
        pose = nothing if held.pose is None else held.pose
        sides += SIDE.pack(*pose, *held.axes, *held.buttons, held.pressed)
        if held.joints is not None:
            bits |= JOINTS[side]
            hands += HAND.pack(*held.joints.ravel())
    head = nothing if frame.head is None else frame.head
    times = (frame.sequence & 0xFFFFFFFF, frame.time, frame.now)
    return HEAD.pack(KIND, VERSION, bits, *times, *head) + sides + hands


def unpack_frame(data: bytes) -> XrFrame:
    """Read a frame.

    Raises:
        BadFrame: If it is none: its length, a number or a quaternion is wrong.
    """
    if len(data) < HEAD.size + 2 * SIDE.size:
        raise BadFrame(f"a headset's frame of {len(data)} bytes is too short")
    kind, version, bits, sequence, time, now, *head = HEAD.unpack_from(data)
    if (kind, version) != (KIND, VERSION) or bits & ~KNOWN:
        raise BadFrame(f"a headset's frame of kind {kind}.{version}: reload the page")
    with_joints = [side for side in SIDES if bits & JOINTS[side]]
    size = HEAD.size + 2 * SIDE.size + HAND.size * len(with_joints)
    if len(data) != size:
        raise BadFrame(f"a headset's frame has {len(data)} bytes, not {size}")
    if not (0.0 <= time < 1e10 and 0.0 <= now < 1e10):  # NaN too
        raise BadFrame("a headset's frame is at no time")
    at = HEAD.size + 2 * SIDE.size
    held = {}
    for k, side in enumerate(SIDES):
        *values, pressed = SIDE.unpack_from(data, HEAD.size + k * SIDE.size)
        numbers = _finite(np.array(values))
        joints = None
        if side in with_joints:
            joints = _finite(np.array(HAND.unpack_from(data, at))).reshape(25, 3)
            at += HAND.size
        held[side] = Held(
            pose=_pose(numbers[:7]) if bits & TRACKED[side] else None,
            axes=numbers[7:11],
            buttons=numbers[11:],
            pressed=pressed,
            joints=joints,
            there=bool(bits & THERE[side]),
        )
    return XrFrame(
        sequence=sequence,
        time=time,
        now=now,
        visible=bool(bits & VISIBLE),
        head=_pose(_finite(np.array(head))) if bits & HEAD_TRACKED else None,
        held=held,
    )


def _finite(values: Array) -> Array:
    if not (np.abs(values) < FARTHEST).all():  # NaN too
        raise BadFrame("a number in a headset's frame is not finite or too large")
    return values


def _pose(values: Array) -> Array:
    if abs(float(np.linalg.norm(values[3:])) - 1.0) > ROUND:
        raise BadFrame("a quaternion in a headset's frame has not length 1")
    return values
