"""Frames of a person from the 24 joints, whoever sent them."""

from __future__ import annotations

from telexist.retarget.recordings.isaac import (
    JOINTS,
    SEGMENT_JOINT,
    Body24,
    from_openxr,
)
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_from_quat_wxyz
from telexist.teleop.devices.base import (
    FrameBuilder,
    RefusedMessage,
    require_body,
    require_finite,
    require_unit_quaternions,
)

__all__ = ["Body24Frames"]

_NAMED = 3  # joints that a message names
JOINTS_AS_SEGMENTS = tuple(name for name in SEGMENTS if name in SEGMENT_JOINT)
SEGMENT_ROWS = [JOINTS.index(SEGMENT_JOINT[name]) for name in JOINTS_AS_SEGMENTS]


class Body24Frames:
    """Checks one sample after the other and makes frames of them."""

    def __init__(self) -> None:
        """Begin without velocities."""
        self._builder = FrameBuilder()

    def reset(self) -> None:
        """Forget the last frame: the next one has no velocity."""
        self._builder.reset()

    def require(self, body: Body24) -> None:
        """Refuse a sample that is whole and no person's.

        Raises:
            RefusedMessage: As "nan" or "malformed".
        """
        if body.unseen:
            return
        require_finite(body.positions, "a position is")
        require_unit_quaternions(body.quats_xyzw)
        require_body(JOINTS_AS_SEGMENTS, body.positions[SEGMENT_ROWS])

    def frame(
        self, body: Body24, *, stamp: float, sequence: int, source_time: float
    ) -> HumanFrame:
        """Return the frame of a sample that `require` lets pass.

        Raises:
            RefusedMessage: As "untracked" while a joint is not seen.
        """
        unseen = body.unseen
        if unseen:
            self.reset()
            more = ", ..." if len(unseen) > _NAMED else ""
            raise RefusedMessage("untracked", ", ".join(unseen[:_NAMED]) + more)
        rotations, positions = from_openxr(
            rotation_from_quat_wxyz(body.quats_xyzw[:, [3, 0, 1, 2]]), body.positions
        )
        return self._builder.build(
            SEGMENTS,
            rotations,
            positions,
            stamp=stamp,
            sequence=sequence,
            source_time=source_time,
        )
