"""All 23 segments of a person of whom a source shows only some.

The project's own inverse kinematics follows what is shown, on the model of a person.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import BadFrame
from telexist.retarget.human_size import HumanSize
from telexist.retarget.kinematics import Configuration
from telexist.retarget.reach import choose_retargeter
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.robots.description import load_robot

__all__ = ["CompletedPerson"]

MODEL = "human66"


class CompletedPerson:
    """Completes frames; those that are complete pass through."""

    def __init__(self, size: HumanSize) -> None:
        """Prepare for a person of this size."""
        self._size = size
        self._shown: tuple[str, ...] = ()
        self._placed = False

    def complete(self, frame: HumanFrame) -> HumanFrame:
        """Return the frame with all segments.

        Raises:
            BadFrame: If it shows too little to find a posture.
        """
        if frame.segments == SEGMENTS:
            return frame
        frame.require_finite()
        if set(frame.segments) == set(SEGMENTS):
            return _in_order(frame)
        placed = frame.positions is not None
        if frame.segments != self._shown or placed != self._placed:
            self._begin(frame.segments, placed=placed)
        found = self._follower.step(frame)
        self._kinematics.update(
            Configuration(
                world_p_base=found.world_p_base,
                world_R_base=found.world_R_base,
                q=found.q,
            )
        )
        return HumanFrame(
            stamp=frame.stamp,
            sequence=frame.sequence,
            segments=SEGMENTS,
            rotations=np.array([self._kinematics.rotation(f) for f in self._frames]),
            angular_velocities=np.zeros((len(SEGMENTS), 3)),
        )

    def _begin(self, shown: tuple[str, ...], *, placed: bool) -> None:
        if "Pelvis" not in shown and "Head" not in shown:
            raise BadFrame("neither pelvis nor head is shown: nobody can be placed")
        self._shown, self._placed = shown, placed
        body = load_robot(MODEL).body
        self._follower = choose_retargeter(body, self._size, shown, placed=placed)
        self._kinematics = body.kinematics
        self._frames = [body.kinematics.frame(name) for name in SEGMENTS]


def _in_order(frame: HumanFrame) -> HumanFrame:
    rows = [frame.segments.index(name) for name in SEGMENTS]
    p = frame.positions
    return HumanFrame(
        stamp=frame.stamp,
        sequence=frame.sequence,
        segments=SEGMENTS,
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=None if p is None else p[rows],
    )
