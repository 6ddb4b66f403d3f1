"""The compiled step works in the room that it was given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.target_clip import follow_targets
from telexist.retarget.ik.targets import Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody

FRAMES = 50


@pytest.mark.parametrize("name", ["g1", "icub", "human66"])
def test_more_steps_allocate_no_more(
    name: str,
    body_of: Callable[[str], RobotBody],
    start_at_limits: Callable[[RobotBody, np.random.Generator], Configuration],
    make_targets: Callable[..., Targets],
) -> None:
    body, rng = body_of(name), np.random.default_rng(0)
    at = start_at_limits(body, rng)
    mechanism = RecursiveIk(body).prepare(make_targets(body, at, rng, far=0.5))
    mechanism.bodies["q"][1:] = at.q
    q = np.empty((FRAMES, body.kinematics.n))
    rotations = np.tile(mechanism.orientations["rotation"], (FRAMES, 1, 1, 1))
    places = np.tile(mechanism.points["goal"], (FRAMES, 1, 1))
    parts = tuple(mechanism)
    counts = []
    _nrt_python.memsys_enable_stats()
    try:
        for t in (1, 1, FRAMES):  # the first one compiles
            before = rtsys.get_allocation_stats().alloc
            follow_targets(parts, rotations[:t], places[:t], 0.01, q[:t])
            counts.append(rtsys.get_allocation_stats().alloc - before)
    finally:
        _nrt_python.memsys_disable_stats()
    assert counts[1] == counts[2]  # the wrappers of the arrays that are handed over
