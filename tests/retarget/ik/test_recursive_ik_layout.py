"""`RecursiveIk` keeps its records from step to step, and that changes no answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import (
    FloorGuard,
    OrientationTargets,
    PointTarget,
    Targets,
)
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import exp_so3
from telexist.retarget.witness.reference_ik import ReferenceIk
from telexist.robots.description.robot_model import load_body

DT = 1.0 / 60.0  # [s]
ONE = IkSettings(iterations=1)
EXACT = 1e-7  # [rad] 1e-5 of damping makes displacements this uncertain near bounds


@pytest.fixture(scope="module")
def icub() -> RobotBody:
    return load_body("icub")


def start_at(body: RobotBody, rng: np.random.Generator) -> Configuration:
    middle, half = (body.lower + body.upper) / 2.0, (body.upper - body.lower) / 2.0
    return Configuration(
        world_p_base=rng.normal(size=3),
        world_R_base=exp_so3(rng.normal(size=3)),
        q=middle + rng.uniform(-1.0, 1.0, len(half)) * np.minimum(half, 3.0),
    )


def targets_on(
    body: RobotBody, rng: np.random.Generator, *, points: int, floor: int
) -> Targets:
    frames = tuple(body.kinematics.frame(link) for link in body.links.values())
    k = len(frames)
    return Targets(
        orientations=OrientationTargets(
            frames=frames,
            world_R_link=exp_so3(rng.normal(size=(k, 3))),
            angular_velocities=rng.normal(size=(k, 3)),
            axes=exp_so3(rng.normal(size=(k, 3))),
            weights=rng.uniform(0.0, 1.0, (k, 3)),
        ),
        points=tuple(
            PointTarget(
                frame=frames[i],
                link_p_point=0.1 * rng.normal(size=3),
                world_p_goal=rng.normal(size=3),
                weights=rng.uniform(0.0, 10.0, 3),
            )
            for i in range(points)
        ),
        floor=tuple(
            FloorGuard(frame=frames[-1 - i], link_p_points=rng.normal(size=(2, 3)))
            for i in range(floor)
        ),
    )


@pytest.mark.parametrize(("points", "floor"), [(0, 0), (3, 0), (2, 2)])
def test_kept_records_give_what_new_ones_give(
    icub: RobotBody, points: int, floor: int
) -> None:
    rng = np.random.default_rng(0)
    kept = RecursiveIk(icub, ONE)
    for _ in range(20):
        start = start_at(icub, rng)
        targets = targets_on(icub, rng, points=points, floor=floor)
        now = kept.step(start, targets, DT)
        new = RecursiveIk(icub, ONE).step(start, targets, DT)
        np.testing.assert_allclose(now.q, new.q, rtol=0.0, atol=EXACT)
        reference = ReferenceIk(icub, ONE).step(start, targets, DT)
        np.testing.assert_allclose(now.q, reference.q, rtol=0.0, atol=EXACT)


def test_records_are_kept_until_the_targets_are_on_other_links(icub: RobotBody) -> None:
    rng = np.random.default_rng(1)
    ik = RecursiveIk(icub)
    first = ik.prepare(targets_on(icub, rng, points=2, floor=0))
    assert ik.prepare(targets_on(icub, rng, points=2, floor=0)) is first
    other = ik.prepare(targets_on(icub, rng, points=3, floor=1))
    assert other is not first
    assert (len(other.points), len(other.floor)) == (3, 2)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_targets_that_are_not_finite_are_refused(icub: RobotBody, bad: float) -> None:
    rng = np.random.default_rng(2)
    ik, start = RecursiveIk(icub, ONE), start_at(icub, rng)
    targets = targets_on(icub, rng, points=1, floor=0)
    before = ik.step(start, targets, DT)
    broken = targets.orientations.world_R_link.copy()
    broken[3, 1, 1] = bad
    wrong = replace(
        targets, orientations=replace(targets.orientations, world_R_link=broken)
    )
    with pytest.raises(BadInput, match="finite"):
        ik.step(start, wrong, DT)
    np.testing.assert_allclose(
        ik.step(start, targets, DT).q, before.q, rtol=0.0, atol=EXACT
    )
