"""Orientation targets of the robot's links from a person's frame.

The compiled follower does the same in `retarget/follow/frame.py`; this is its witness,
and serves whoever wants the targets alone.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.follow import ABOVE, bent_limb, segment_weights, straightest
from telexist.retarget.ik import OrientationTargets
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.rotation_map import fixed_rotation_map, reference_segment
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, log_so3

__all__ = ["HumanTargets"]


class HumanTargets:
    """Applies the rotation map: world_R_robot = world_R_human @ human_R_robot (10.1).

    Attributes:
        human_R_robot: The fixed map, one rotation per mapped segment.
        reference: Segment to which targets are relative, or None for the world.
    """

    def __init__(self, body: RobotBody) -> None:
        """Compute the map of a robot."""
        self.human_R_robot = fixed_rotation_map(body)
        self.reference = reference_segment(body)
        self._leans = straightest(body)
        self._frames = {
            segment: body.kinematics.frame(link) for segment, link in body.links.items()
        }
        self._weights = {
            segment: segment_weights(segment, body.weights) for segment in body.links
        }

    def rotations(self, frame: HumanFrame) -> Array:
        """Return the segments' orientations (s, 3, 3) as the robot should see them."""
        R = frame.rotations.copy()
        if self.reference is not None:
            R = R[frame.segments.index(self.reference)].T @ R
        asked = R.copy()
        for limb, lean in self._leans.items():
            if limb in frame.segments and ABOVE[limb] in frame.segments:
                i, above = map(frame.segments.index, (limb, ABOVE[limb]))
                asked[i] = bent_limb(R[above], R[i], lean)
        return asked

    def orientations(
        self, frame: HumanFrame, previous: HumanFrame, dt: float
    ) -> OrientationTargets:
        """Return the targets at a frame and how they turned since the previous one."""
        used = [s for s in frame.segments if s in self._frames]
        now = self._of(frame, used)
        before = self._of(previous, used) if _has(previous, used) else now
        maps = np.array([self.human_R_robot[segment] for segment in used])
        return OrientationTargets(
            frames=tuple(self._frames[segment] for segment in used),
            world_R_link=now @ maps,
            angular_velocities=log_so3(now @ np.swapaxes(before, -1, -2)) / dt,
            axes=now,
            weights=np.array([self._weights[segment] for segment in used]),
        )

    def _of(self, frame: HumanFrame, segments: list[str]) -> Array:
        order = [frame.segments.index(segment) for segment in segments]
        return self.rotations(frame)[order]


def _has(frame: HumanFrame, segments: list[str]) -> bool:
    return all(segment in frame.segments for segment in segments)
