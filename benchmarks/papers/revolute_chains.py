"""Chains of hinges for the recursive step, of any length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from telexist.retarget.ik import (
    IkSettings,
    OrientationTargets,
    RecursiveIk,
    Targets,
    step_towards,
)
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.robot_body import RobotBody

__all__ = ["chain_steps"]

EVERY = 3  # links from one target to the next
BEND = 0.8  # [rad] by which the chain is bent in all, at the targets
DT = 1.0 / 60.0  # [s]
AXES = ("1 0 0", "0 1 0", "0 0 1")


def chain_steps(joints: int, steps: int) -> Callable[[int], bool]:
    """Return a function that does steps of a chain from the same start."""
    body, rng = _body(joints), np.random.default_rng(0)
    targets = _targets(body, BEND / joints * rng.normal(size=joints))
    mechanism = RecursiveIk(body, IkSettings(iterations=1)).prepare(targets)
    parts, places = tuple(mechanism), np.zeros((0, 3))
    rotations = np.ascontiguousarray(mechanism.orientations["rotation"])

    def run(_: int) -> bool:
        mechanism.bodies["q"] = 0.0
        mechanism.bodies[0]["R"], mechanism.bodies[0]["p"] = np.eye(3), 0.0
        solved = True
        for _ in range(steps):
            solved &= bool(step_towards(parts, rotations, places, DT))
        return solved

    return run


def _body(joints: int) -> RobotBody:
    kinematics = Kinematics(_urdf(joints))
    lower, upper, velocity = kinematics.limits()
    return RobotBody(
        name="chain",
        kinematics=kinematics,
        fixed_base=False,
        links={},
        limb_directions={},
        points={},
        neutral=kinematics.neutral(),
        lower=lower,
        upper=upper,
        velocity=velocity,
    )


def _urdf(joints: int) -> str:
    links = "".join(f'<link name="l{i}"/>' for i in range(joints + 1))
    hinges = "".join(
        f'<joint name="j{i:04d}" type="revolute"><parent link="l{i}"/>'
        f'<child link="l{i + 1}"/><origin xyz="{1.0 / joints} 0 0"/>'
        f'<axis xyz="{AXES[i % 3]}"/>'
        '<limit lower="-3" upper="3" velocity="100" effort="1"/></joint>'
        for i in range(joints)
    )
    return f'<robot name="chain">{links}{hinges}</robot>'


def _targets(body: RobotBody, q: np.ndarray) -> Targets:
    kinematics = body.kinematics
    kinematics.update(replace(kinematics.neutral(), q=q))
    links = range(EVERY, kinematics.n + 1, EVERY)
    frames = tuple(kinematics.frame(f"l{i}") for i in links)
    k = len(frames)
    return Targets(
        orientations=OrientationTargets(
            frames=frames,
            world_R_link=kinematics.rotations(frames),
            angular_velocities=np.zeros((k, 3)),
            axes=np.tile(np.eye(3), (k, 1, 1)),
            weights=np.ones((k, 3)),
        )
    )
