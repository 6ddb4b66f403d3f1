"""Where links are over a whole motion: forward kinematics in one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, Records, jit_release_gil
from telexist.retarget.ik import (
    IkSettings,
    copy_matrix,
    copy_vector,
    forward_kinematics,
    make_mechanism,
    product,
)
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["link_poses"]


class _Attachments(NamedTuple):
    """Which body carries each link, and where on it (k,), (k, 3, 3), (k, 3)."""

    body: Ints
    R: Array
    p: Array


def link_poses(
    body: RobotBody, links: Sequence[str], base: tuple[Array, Array], q: Array
) -> tuple[Array, Array]:
    """Return `world_R_link` (t, k, 3, 3) and `world_p_link` (t, k, 3) [m].

    Args:
        body: The robot.
        links: Names of the k links.
        base: `world_R_base` (t, 3, 3) and `world_p_base` (t, 3) [m].
        q: Joint positions (t, n), in the order of the robot's joints.

    Raises:
        UnknownName: If the robot lacks a link.
    """
    kinematics = body.kinematics
    found = [kinematics.attachment(kinematics.frame(link)) for link in links]
    carriers = _Attachments(
        body=np.array([on for on, _, _ in found], dtype=np.int64),
        R=np.array([R for _, R, _ in found]).reshape(-1, 3, 3),
        p=np.array([p for _, _, p in found]).reshape(-1, 3),
    )
    rotations = np.empty((len(q), len(links), 3, 3))
    positions = np.empty((len(q), len(links), 3))
    base_R, base_p = (np.array(part, dtype=np.float64, order="C") for part in base)
    motion = (base_R, base_p, np.array(q, dtype=np.float64, order="C"))
    _link_poses(_bodies(body).copy(), carriers, motion, (rotations, positions))
    return rotations, positions


@lru_cache(maxsize=8)
def _bodies(body: RobotBody) -> Records:
    """Return a robot's bodies, to be copied: robots are few, clips are many."""
    settings = IkSettings()
    return make_mechanism(body, settings, orientations=0, points=0, floor=0).bodies


@jit_release_gil
def _link_poses(
    bodies: Records,
    links: _Attachments,
    motion: tuple[Array, Array, Array],
    poses: tuple[Array, Array],
) -> None:
    base_R, base_p, q = motion
    rotations, positions = poses
    for t in range(len(q)):
        copy_matrix(base_R[t], bodies[0].R)
        copy_vector(base_p[t], bodies[0].p)
        for i in range(q.shape[1]):
            bodies[i + 1].q = q[t, i]
        forward_kinematics(bodies)
        for k in range(len(links.body)):
            on = bodies[links.body[k]]
            product(on.R, links.R[k], rotations[t, k])
            for r in range(3):
                positions[t, k, r] = (
                    on.p[r]
                    + on.R[r, 0] * links.p[k, 0]
                    + on.R[r, 1] * links.p[k, 1]
                    + on.R[r, 2] * links.p[k, 2]
                )
