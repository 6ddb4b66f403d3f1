"""A robot as the model file of another library: body i is `b<i>`, joint i `j<i>`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation

__all__ = ["body_name", "joint_name", "mjcf_text", "urdf_text"]

INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
    'ixy="0" ixz="0" iyz="0"/></inertial>'
)


def body_name(body: int) -> str:
    """Return the name of a body; 0 is the base."""
    return f"b{body}"


def joint_name(joint: int) -> str:
    """Return the name of the joint that moves body `joint + 1`."""
    return f"j{joint}"


def urdf_text(problem: PeerProblem) -> str:
    """Return the robot as URDF, without its floating base."""
    tree = problem.tree
    lines = ['<robot name="robot">']
    for body in range(len(tree.parent) + 1):
        lines.append(f'<link name="{body_name(body)}">{INERTIAL}</link>')
    for i in range(len(tree.parent)):
        kind = "prismatic" if tree.slides[i] else "revolute"
        lines += [
            f'<joint name="{joint_name(i)}" type="{kind}">',
            f'<parent link="{body_name(int(tree.parent[i]))}"/>',
            f'<child link="{body_name(i + 1)}"/>',
            f'<origin xyz="{_text(tree.position[i])}" '
            f'rpy="{_text(_rpy(tree.rotation[i]))}"/>',
            f'<axis xyz="{_text(tree.axis[i])}"/>',
            f'<limit lower="{problem.lower[i]:.17g}" upper="{problem.upper[i]:.17g}" '
            f'velocity="{problem.velocity[i]:.17g}" effort="1"/>',
            "</joint>",
        ]
    return "\n".join([*lines, "</robot>"])


def mjcf_text(problem: PeerProblem) -> str:
    """Return the robot as MJCF, on a free joint."""
    lines = ["<mujoco>", '<compiler angle="radian"/>', "<worldbody>"]
    lines += ['<body name="b0">', "<freejoint/>", *_mass()]
    lines += _children(problem, 0)
    return "\n".join([*lines, "</body>", "</worldbody>", "</mujoco>"])


def _children(problem: PeerProblem, body: int) -> Iterator[str]:
    tree = problem.tree
    for i in np.flatnonzero(tree.parent == body):
        kind = "slide" if tree.slides[i] else "hinge"
        quat_wxyz = quat_wxyz_from_rotation(tree.rotation[i])
        yield (
            f'<body name="{body_name(int(i) + 1)}" pos="{_text(tree.position[i])}" '
            f'quat="{_text(quat_wxyz)}">'
        )
        yield (
            f'<joint name="{joint_name(int(i))}" type="{kind}" limited="true" '
            f'axis="{_text(tree.axis[i])}" '
            f'range="{_text(np.array([problem.lower[i], problem.upper[i]]))}"/>'
        )
        yield from _mass()
        yield from _children(problem, int(i) + 1)
        yield "</body>"


def _mass() -> Iterator[str]:
    yield '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def _text(values: Array) -> str:
    return " ".join(f"{value:.17g}" for value in values)


def _rpy(R: Array) -> Array:
    """Return roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-9:  # only yaw - roll is known: take roll = 0
        return np.array([0.0, pitch, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])
