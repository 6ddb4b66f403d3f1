"""Joint centres of a robot in human terms, and where its limbs point."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retarget.kinematics import Configuration, Kinematics
from retarget.segments import LIMBS, PARENT
from retarget.so3 import Array

__all__ = ["joint_points", "limb_directions"]


def joint_points(
    kinematics: Kinematics, links: Mapping[str, str], neutral: Configuration
) -> dict[str, tuple[str, Array]]:
    """Return for each mapped segment its link and its joint centre in link axes."""
    kinematics.update(neutral)
    origins, axes = kinematics.joint_axes()
    points = {}
    for segment, link in links.items():
        parent = PARENT[segment]
        while parent is not None and parent not in links:
            parent = PARENT[parent]
        frame = kinematics.frame(link)
        moves = kinematics.support(frame)[6:].copy()
        if parent is not None:
            moves &= ~kinematics.support(kinematics.frame(links[parent]))[6:]
        else:
            moves[:] = False
        world_p = kinematics.position(frame)
        if moves.any():
            world_p = _nearest_point(origins[moves], axes[moves])
        points[segment] = (
            link,
            kinematics.rotation(frame).T @ (world_p - kinematics.position(frame)),
        )
    return points


def _nearest_point(origins: Array, axes: Array) -> Array:
    P = np.eye(3) - axes[:, :, None] * axes[:, None, :]
    eps = 1e-3
    A = P.sum(axis=0) + eps * np.eye(3)
    b = np.einsum("kij,kj->i", P, origins) + eps * origins.mean(axis=0)
    return np.linalg.solve(A, b)


def limb_directions(
    kinematics: Kinematics,
    points: Mapping[str, tuple[str, Array]],
    neutral: Configuration,
) -> dict[str, Array]:
    """Return for each limb segment its direction in link axes (3,)."""
    kinematics.update(neutral)

    def world(segment: str) -> Array:
        link, p = points[segment]
        frame = kinematics.frame(link)
        return kinematics.position(frame) + kinematics.rotation(frame) @ p

    directions = {}
    for limb, end in LIMBS.items():
        if limb in points and end in points:
            d = world(end) - world(limb)
            frame = kinematics.frame(points[limb][0])
            directions[limb] = kinematics.rotation(frame).T @ (d / np.linalg.norm(d))
    return directions
