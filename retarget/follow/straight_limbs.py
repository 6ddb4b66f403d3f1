"""Limbs that the robot cannot straighten: elbows and knees that always stay bent.

A person's arm may hang straight where the robot's elbow has a least bend. Asked to be
straight, the robot would turn its shoulder and trunk to come nearer. So a forearm or
shank that is straighter, seen from the limb above it, than the robot's in its neutral
posture is asked for that least bend: in the plane of the robot's own bend if the
person's is straight, in the person's plane once it is bent as far. In N-pose the robot
is asked for its neutral posture exactly; a limb that is bent enough is followed as it
is.

The compiled twin is `keep_bent` in `retarget/follow/bend.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import NEUTRAL_DIRECTION
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = ["ABOVE", "bent_limb", "straightest"]

ABOVE: Mapping[str, str] = MappingProxyType(
    {
        f"{side}{limb}": f"{side}{above}"
        for side in ("Left", "Right")
        for limb, above in (("ForeArm", "UpperArm"), ("LowerLeg", "UpperLeg"))
    }
)
"""Limbs on a hinge and the limb above them."""

DOWN = np.array([0.0, 0.0, -1.0])  # where these limbs point in N-pose
LEAST = np.radians(1.0)  # a bend below this is none


def straightest(body: RobotBody) -> Mapping[str, Array]:
    """Return where each limb with a least bend points at its straightest.

    Args:
        body: The robot; its neutral posture has the least bends.

    Returns:
        Segment to a unit vector (3,), seen from the limb above it with that one hanging
        down; limbs that can be straight are not there.
    """
    body.kinematics.update(body.neutral)
    found = {}
    for limb, above in ABOVE.items():
        if limb not in body.limb_directions or above not in body.limb_directions:
            continue
        upright = shortest_rotation(_direction(body, above), _wanted(above))
        lean = upright @ _direction(body, limb)
        if np.arccos(np.clip(lean @ DOWN, -1.0, 1.0)) > LEAST:
            found[limb] = lean
    return MappingProxyType(found)


def bent_limb(world_R_above: Array, world_R_limb: Array, lean: Array) -> Array:
    """Return the orientation (3, 3) that a limb is asked for.

    Args:
        world_R_above: The person's limb above it (3, 3).
        world_R_limb: The person's limb (3, 3).
        lean: Where the robot's points at its straightest (3,), seen from above.
    """
    above_R_limb = world_R_above.T @ world_R_limb
    d = above_R_limb @ DOWN
    least = np.arccos(np.clip(lean @ DOWN, -1.0, 1.0))
    share = np.arccos(np.clip(d @ DOWN, -1.0, 1.0)) / least
    if share >= 1.0:
        return world_R_limb
    own, robots = _sideways(d), _sideways(lean)
    plane = (1.0 - share) * robots + share * own
    length = np.linalg.norm(plane)
    plane = plane / length if length > 1e-6 else robots
    wanted = np.cos(least) * DOWN + np.sin(least) * plane
    turned: Array = world_R_above @ shortest_rotation(d, wanted) @ above_R_limb
    return turned


def _sideways(v: Array) -> Array:
    """Return the unit vector (3,) of what is not down in v; zero if nothing is."""
    side = np.array([v[0], v[1], 0.0])
    length = np.linalg.norm(side)
    return side / length if length > 1e-9 else np.zeros(3)


def _direction(body: RobotBody, segment: str) -> Array:
    frame = body.kinematics.frame(body.links[segment])
    return body.kinematics.rotation(frame) @ body.limb_directions[segment]


def _wanted(segment: str) -> Array:
    return np.array(NEUTRAL_DIRECTION[segment])
