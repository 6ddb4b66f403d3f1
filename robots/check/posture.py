"""Check a robot's neutral posture: left is left, ahead is ahead, limbs hang down."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from telexist.retarget.segments import NEUTRAL_DIRECTION
from telexist.retarget.so3 import Array, angle_between
from telexist.robots.check.finding import Finding, graded
from telexist.robots.description import RobotModel

__all__ = ["bending", "check_posture", "world_point"]

SIDE = 0.005  # [m] a left joint is at least this far left
GOOD_LIMB = 10.0  # [deg] off N-pose
FAIR_LIMB = 35.0  # [deg] where limits allow no better, e.g. Baxter's shoulders
BENDS = {
    "LowerLeg": ("knee", np.array([-1.0, 0.0, 0.0])),
    "ForeArm": ("elbow", np.array([1.0, 0.0, 0.0])),
}


def check_posture(robot: RobotModel) -> Iterator[Finding]:
    """Yield what is right and wrong with the neutral posture."""
    robot.body.kinematics.update(robot.body.neutral)
    yield from _sides(robot)
    yield from _limbs(robot)
    yield from _bends(robot)


def world_point(robot: RobotModel, segment: str) -> Array:
    """Return a segment's joint centre in the world (3,) at the last update [m]."""
    link, point = robot.body.points[segment]
    kinematics = robot.body.kinematics
    frame = kinematics.frame(link)
    return kinematics.position(frame) + kinematics.rotation(frame) @ point


def _sides(robot: RobotModel) -> Iterator[Finding]:
    wrong = []
    for segment in robot.body.points:
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            if segment.startswith(side):
                y = world_point(robot, segment)[1]
                # collar bones may start in the middle
                least = -SIDE if segment.endswith("Shoulder") else SIDE
                if sign * y < least:
                    wrong.append(f"{segment} is at y = {y:.3f} m")
    if wrong:
        text = f"left and right are mixed up: {', '.join(wrong)}"
        yield Finding(level="error", subject="sides", text=text)
    else:
        yield Finding(level="ok", subject="sides", text="left is left, right is right")


def _limbs(robot: RobotModel) -> Iterator[Finding]:
    kinematics = robot.body.kinematics
    for segment, direction in robot.body.limb_directions.items():
        frame = kinematics.frame(robot.body.links[segment])
        world = kinematics.rotation(frame) @ direction
        off = float(np.degrees(angle_between(world, NEUTRAL_DIRECTION[segment])))
        text = f"{segment} is {off:.1f} deg off N-pose"
        yield graded(off, "limbs", text, warn=GOOD_LIMB, fail=FAIR_LIMB)


def _bends(robot: RobotModel) -> Iterator[Finding]:
    """Check that knees bend backward and elbows forward."""
    for segment in robot.body.limb_directions:
        for part, (name, wanted) in BENDS.items():
            if not segment.endswith(part):
                continue
            way = bending(robot, segment)
            if way is None:
                continue
            off = float(np.degrees(angle_between(way, wanted)))
            text = f"{segment}: its {name} bends {off:.0f} deg off the human way"
            yield graded(off, "bending", text, warn=30.0, fail=120.0)


def bending(robot: RobotModel, segment: str) -> Array | None:
    """Return where a forearm or shank goes when its elbow or knee bends (3,).

    A unit vector in world axes; None if no single hinge bends it or the neutral
    posture is not near an end of the hinge's range.
    """
    body = robot.body
    kinematics = body.kinematics
    upper = segment.replace("ForeArm", "UpperArm").replace("LowerLeg", "UpperLeg")
    if upper not in body.links:
        return None
    frame = kinematics.frame(body.links[segment])
    between = (
        kinematics.support(frame)[6:]
        & ~kinematics.support(kinematics.frame(body.links[upper]))[6:]
    )
    limb = kinematics.rotation(frame) @ body.limb_directions[segment]
    _, axes = kinematics.joint_axes()
    hinges = [j for j in np.flatnonzero(between) if abs(axes[j] @ limb) < 0.7]
    if len(hinges) != 1:
        return None
    j = int(hinges[0])
    margin = body.upper[j] - body.neutral.q[j], body.neutral.q[j] - body.lower[j]
    if min(margin) > 0.8 * max(margin):
        return None
    way = np.cross(axes[j], limb) * (1.0 if margin[0] > margin[1] else -1.0)
    return np.asarray(way / np.linalg.norm(way))
