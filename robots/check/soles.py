"""Check a robot's soles: flat, level, ahead, and where the model touches the floor."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from telexist.retarget.so3 import angle_between
from telexist.robots.check.finding import Finding, graded
from telexist.robots.check.shape_bounds import shape_reach
from telexist.robots.description import RobotModel, sole_corners
from telexist.robots.urdf import collision_shapes

__all__ = ["check_soles", "lowest_points"]

Z = np.array([0.0, 0.0, 1.0])
X = np.array([1.0, 0.0, 0.0])


def check_soles(robot: RobotModel) -> Iterator[Finding]:
    """Yield what is right and wrong with the soles."""
    body = robot.body
    if not body.soles:
        level = "ok" if body.fixed_base else "warning"
        text = "none: feet are not kept on the floor"
        yield Finding(level=level, subject="soles", text=text)  # type: ignore[arg-type]
        return
    corners = sole_corners(body.kinematics, body.neutral, body.soles)
    for side, sole in body.soles.items():
        frame = body.kinematics.frame(sole.link)
        R = body.kinematics.rotation(frame) @ sole.link_R_sole
        tilt = float(np.degrees(angle_between(R[:, 2], Z)))
        text = f"{side} sole is tilted by {tilt:.1f} deg"
        yield graded(tilt, "soles", text, warn=0.5, fail=10.0)
        turn = float(np.degrees(angle_between(R[:, 0] * (1, 1, 0), X)))
        text = f"{side} toes are {turn:.1f} deg off straight ahead"
        yield graded(turn, "soles", text, warn=5.0, fail=30.0)
    if len(corners) == 2:
        left, right = corners["left"], corners["right"]
        gap = abs(float(left[:, 2].mean() - right[:, 2].mean()))
        text = f"one sole is {1000.0 * gap:.1f} mm higher than the other"
        yield graded(gap, "soles", text, warn=0.002, fail=0.02)
        apart = -float(left[:, 1].mean() - right[:, 1].mean())
        text = f"the left sole is {-apart:.3f} m to the left of the right one"
        yield graded(apart, "soles", text, warn=-0.02, fail=0.0)
    yield from _bottom(robot)


def _bottom(robot: RobotModel) -> Iterator[Finding]:
    """Compare the soles' plane with the lowest collision shape of each foot."""
    lowest = lowest_points(robot)
    body = robot.body
    corners = sole_corners(body.kinematics, body.neutral, body.soles)
    for side, sole in body.soles.items():
        foot = body.kinematics.support(body.kinematics.frame(sole.link))
        heights = [
            z
            for link, z in lowest.items()
            if np.array_equal(
                body.kinematics.support(body.kinematics.frame(link)), foot
            )
        ]
        if not heights:
            text = f"the model has no collision shape to compare the {side} sole with"
            yield Finding(level="warning", subject="soles", text=text)
            continue
        gap = float(corners[side][:, 2].mean()) - min(heights)
        text = f"{side} sole lies {1000.0 * gap:.1f} mm above the foot's lowest point"
        yield graded(abs(gap), "soles", text, warn=0.003, fail=0.03)
    if lowest and min(lowest.values()) < -0.01:
        link = min(lowest, key=lambda name: lowest[name])
        text = f"{link} reaches {-1000.0 * lowest[link]:.0f} mm below the soles"
        yield Finding(level="error", subject="soles", text=text)


def lowest_points(robot: RobotModel) -> dict[str, float]:
    """Return for each link with a collision shape its lowest height [m], neutral."""
    kinematics = robot.body.kinematics
    kinematics.update(robot.body.neutral)
    lowest: dict[str, float] = {}
    for shape in collision_shapes(robot.urdf):
        frame = kinematics.frame(shape.link)
        down = -kinematics.rotation(frame).T @ Z
        reach = shape_reach(shape, down)
        if reach is not None:
            z = float(kinematics.position(frame)[2]) - reach
            lowest[shape.link] = min(z, lowest.get(shape.link, np.inf))
    return lowest
