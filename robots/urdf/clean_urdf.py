"""The kinematic part of a robot description as URDF text for the engine.

Left out: shapes, masses, Gazebo, transmissions. Continuous joints become revolute ones
with wide limits, since the engine counts one number per joint; planar, floating and
locked joints become fixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
from telexist.retarget.errors import UnknownName
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.urdf.urdf import Joint, Pose, Urdf

__all__ = [
    "clean_urdf",
    "fixed_joint",
    "joint_pose_at",
    "moving_joint",
    "write_origin",
]

WIDE = 1e3  # [rad] or [m] stands for "no limit" in the text; the body has the real ones


def clean_urdf(urdf: Urdf, *, locked: Mapping[str, float] | None = None) -> str:
    """Write links and joints, and nothing else.

    Args:
        urdf: The robot.
        locked: Joint name to the position [rad] or [m] at which it is welded.

    Returns:
        Text for `Kinematics`; its limits are those of the URDF.

    Raises:
        UnknownName: If a locked joint does not exist.
    """
    locked = locked or {}
    for name in locked:
        if name not in urdf.joints:
            raise UnknownName("joint", name, urdf.joints)
    robot = Element("robot", name=urdf.name)
    for name in urdf.links:
        SubElement(robot, "link", name=name)
    for joint in urdf.joints.values():
        if joint.moves and joint.name not in locked:
            moving_joint(robot, joint)
        else:
            fixed_joint(robot, joint, locked.get(joint.name, 0.0))
    return tostring(robot, encoding="unicode")


def joint_pose_at(joint: Joint, position: float) -> Pose:
    """Return the child's pose in the parent at a joint position [rad] or [m]."""
    if joint.kind == "prismatic":
        return joint.pose.then(Pose(p=position * joint.axis, R=np.eye(3)))
    if joint.moves:
        return joint.pose.then(Pose(p=np.zeros(3), R=exp_so3(position * joint.axis)))
    return joint.pose


def moving_joint(robot: Element, joint: Joint) -> None:
    """Append a joint with one degree of freedom and finite limits."""
    kind = "revolute" if joint.kind == "continuous" else joint.kind
    element = _joint(robot, joint, joint.name, kind, joint.pose)
    SubElement(element, "axis", xyz=_text(joint.axis))
    limits = joint.limits
    SubElement(
        element,
        "limit",
        lower=repr(-WIDE if limits.lower is None else limits.lower),
        upper=repr(WIDE if limits.upper is None else limits.upper),
        velocity=repr(WIDE if limits.velocity is None else abs(limits.velocity)),
        effort=repr(WIDE if limits.effort is None else abs(limits.effort)),
    )


def fixed_joint(robot: Element, joint: Joint, position: float) -> None:
    """Append a weld at a joint's position [rad] or [m]."""
    # A fixed joint needs no name of its own; this one never meets another.
    _joint(robot, joint, f"{joint.child}_weld", "fixed", joint_pose_at(joint, position))


def _joint(robot: Element, joint: Joint, name: str, kind: str, pose: Pose) -> Element:
    element = SubElement(robot, "joint", name=name, type=kind)
    SubElement(element, "parent", link=joint.parent)
    SubElement(element, "child", link=joint.child)
    write_origin(element, pose)
    return element


def write_origin(element: Element, pose: Pose) -> None:
    """Append where a joint or a shape is."""
    SubElement(element, "origin", xyz=_text(pose.p), rpy=_text(_rpy(pose.R)))


def _rpy(R: Array) -> Array:
    """Return roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-9:  # gimbal lock: yaw is free, take 0
        return np.array([np.arctan2(-R[1, 2], R[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


def _text(values: Array) -> str:
    return " ".join(repr(float(value)) for value in values)
