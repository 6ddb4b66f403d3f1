"""LM-PFD on robots: the same problem as the recursive step, solved to the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.ik.targets import OrientationTargets, PointTarget, Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.lm_pfd.robot_posture import solve_robot_posture
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import exp_so3, log_so3

SOLVED = 1e-5  # [rad] and [m]: the iterations end at a cost of 1e-16
NEAR = 0.15  # share of a joint's range by which starts and goals differ


def targets_of(body: RobotBody, at: Configuration) -> Targets:
    kinematics = body.kinematics
    kinematics.update(at)
    frames = tuple(kinematics.frame(link) for link in body.links.values())
    k = len(frames)
    points = [
        PointTarget(
            frame=frame,
            link_p_point=np.array([0.02, -0.05, 0.1]),
            world_p_goal=kinematics.position(frame)
            + kinematics.rotation(frame) @ np.array([0.02, -0.05, 0.1]),
            weights=np.ones(3),
        )
        for frame in frames[:3]
    ]
    return Targets(
        orientations=OrientationTargets(
            frames=frames,
            world_R_link=kinematics.rotations(frames),
            angular_velocities=np.zeros((k, 3)),
            axes=np.tile(np.eye(3), (k, 1, 1)),
            weights=np.ones((k, 3)),
        ),
        points=tuple(points),
    )


def somewhere(body: RobotBody, rng: np.random.Generator) -> Configuration:
    lower, upper = np.maximum(body.lower, -2.0), np.minimum(body.upper, 2.0)
    middle = np.clip(body.neutral.q, lower, upper)
    q = middle + NEAR * rng.uniform(-1.0, 1.0, len(lower)) * (upper - lower)
    q = np.clip(q, lower, upper)
    for mimic in body.mimics:
        leader = q[body.kinematics.index(mimic.leader)]
        q[body.kinematics.index(mimic.joint)] = mimic.multiplier * leader + mimic.offset
    turned = np.zeros(3) if body.fixed_base else 0.5 * rng.normal(size=3)
    return replace(
        body.neutral,
        q=q,
        world_p_base=body.neutral.world_p_base + turned,
        world_R_base=exp_so3(turned) @ body.neutral.world_R_base,
    )


@pytest.mark.parametrize("name", ["g1", "talos", "baxter", "human66", "jvrc1"])
def test_reachable_targets_are_met_inside_the_limits(
    name: str, body_of: Callable[[str], RobotBody]
) -> None:
    body, rng = body_of(name), np.random.default_rng(0)
    kinematics, met = body.kinematics, 0
    for _ in range(5):
        targets = targets_of(body, somewhere(body, rng))
        found = solve_robot_posture(body, somewhere(body, rng), targets).configuration
        assert np.all((found.q >= body.lower) & (found.q <= body.upper))
        kinematics.update(found)
        wanted = targets.orientations
        now = np.swapaxes(kinematics.rotations(wanted.frames), -1, -2)
        errors = [np.linalg.norm(log_so3(wanted.world_R_link @ now), axis=-1).max()]
        for point in targets.points:
            place = kinematics.position(point.frame)
            place = place + kinematics.rotation(point.frame) @ point.link_p_point
            errors.append(np.linalg.norm(place - point.world_p_goal))
        met += max(errors) < SOLVED
    assert met >= 4  # a joint that met its limit on the way stays on it


def test_a_bolted_base_stays_where_it_is(body_of: Callable[[str], RobotBody]) -> None:
    body, rng = body_of("baxter"), np.random.default_rng(1)
    start = somewhere(body, rng)
    found = solve_robot_posture(body, start, targets_of(body, somewhere(body, rng)))
    np.testing.assert_array_equal(found.configuration.world_p_base, start.world_p_base)
    np.testing.assert_array_equal(found.configuration.world_R_base, start.world_R_base)
