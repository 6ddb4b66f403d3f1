"""The per-frame optimum is one, and the engine comes near it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from telexist.benchmarks.engine.frame_optimum import Box, FrameOptimum, FrameProblem
from telexist.benchmarks.engine.nlp_optimum import ALLOWED_DEG, compare
from telexist.retarget.errors import ModelNotFound
from telexist.retarget.follow.retargeter import Retargeter, RetargetSettings
from telexist.retarget.ik.targets import OrientationTargets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import exp_so3
from telexist.robots.description.robot_model import load_body

DIFFERENCE = 1e-6  # [rad] step of the finite differences
SLOPE = 1e-5  # their error: step times second derivative, over weights up to 1e2


@pytest.fixture(scope="module")
def icub() -> RobotBody:
    return load_body("icub")


def inside(body: RobotBody, rng: np.random.Generator) -> Configuration:
    middle, half = (body.lower + body.upper) / 2.0, (body.upper - body.lower) / 2.0
    return Configuration(
        world_p_base=np.zeros(3),
        world_R_base=exp_so3(rng.normal(size=3)),
        q=middle + 0.5 * half * rng.uniform(-1.0, 1.0, len(half)),
    )


def targets_at(body: RobotBody, configuration: Configuration) -> OrientationTargets:
    body.kinematics.update(configuration)
    frames = tuple(body.kinematics.frame(link) for link in body.links.values())
    k = len(frames)
    return OrientationTargets(
        frames=frames,
        world_R_link=body.kinematics.rotations(frames),
        angular_velocities=np.zeros((k, 3)),
        axes=np.tile(np.eye(3), (k, 1, 1)),
        weights=np.tile([1.0, 1.0, 0.1], (k, 1)),
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_jacobian_is_the_slope_of_the_residual(icub: RobotBody, seed: int) -> None:
    rng = np.random.default_rng(seed)
    solver = FrameOptimum(icub)
    start = inside(icub, rng)
    problem = FrameProblem(solver, targets_at(icub, inside(icub, rng)), start)
    x = np.concatenate([0.3 * rng.normal(size=solver.base), start.q[solver.joints]])
    J = problem.jacobian(x)
    for i in range(len(x)):
        step = DIFFERENCE * np.eye(len(x))[i]
        slope = problem.residual(x + step) - problem.residual(x - step)
        np.testing.assert_allclose(J[:, i], slope / (2.0 * DIFFERENCE), atol=SLOPE)


@pytest.mark.parametrize("seed", range(3))
def test_a_reachable_posture_is_reached(icub: RobotBody, seed: int) -> None:
    free = replace(icub, couplings=())
    wanted = inside(free, np.random.default_rng(seed))
    near = replace(wanted, q=0.8 * wanted.q + 0.2 * free.neutral.q)
    found = FrameOptimum(free).solve(targets_at(free, wanted), [free.neutral, near])
    targets = targets_at(free, wanted)
    free.kinematics.update(found.configuration)
    reached = free.kinematics.rotations(targets.frames)
    np.testing.assert_allclose(reached, targets.world_R_link, atol=2e-2)


def test_a_box_keeps_joints_within_reach(icub: RobotBody) -> None:
    wanted = inside(icub, np.random.default_rng(7))
    box = Box.within_reach(icub, icub.neutral.q, 0.01)
    found = FrameOptimum(icub).solve(targets_at(icub, wanted), [icub.neutral], box)
    moved = np.abs(found.configuration.q - icub.neutral.q)
    assert np.all(moved <= icub.velocity * 0.01 + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["icub", "g1", "talos", "human48"])
def test_the_engine_is_near_the_optimum(robot: str) -> None:
    try:
        body = load_body(robot)
    except ModelNotFound as error:
        pytest.skip(str(error))
    clip = builtin_clip()
    # the optimum knows no floor, so the engine must not either
    motion = Retargeter(body, clip.size, RetargetSettings(feet=False)).run(clip)
    assert compare(clip, body, motion, every=0.8).excess_deg < ALLOWED_DEG
