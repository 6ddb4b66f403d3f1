"""A compiled MJCF model as URDF text.

The zero of every joint stays where the file has it. A body with several joints becomes
a chain of links without mass; a joint beside its body's origin gets a link of its own.
Lengths, masses and axes are MuJoCo's; MJCF knows no limits of speed.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
from telexist.retarget.so3 import Array, exp_so3, rotation_from_quat_wxyz
from telexist.robots.mjcf.joints import BodyJoint, joints_of, mimic_rules, root_body
from telexist.robots.mjcf.load_mjcf import Compiled
from telexist.robots.mjcf.shapes import add_shapes, text
from telexist.robots.urdf import JointLimits, MimicRule, Pose, write_origin

__all__ = ["urdf_text"]


def urdf_text(compiled: Compiled, name: str) -> str:
    """Return the robot's tree with its masses, shapes and joints."""
    return tostring(_Writer(compiled, name).robot, encoding="unicode")


class _Writer:
    """Writes the tree below the root body, parents before children."""

    def __init__(self, compiled: Compiled, name: str) -> None:
        self.compiled, self.model = compiled, compiled.model
        self.robot = Element("robot", name=name)
        self._mimics = mimic_rules(self.model)
        self._root = root_body(self.model)
        inside = {self._root}
        self._link(self._root)
        for body in range(self._root + 1, self.model.nbody):
            if int(self.model.body_parentid[body]) in inside:
                inside.add(body)
                self._link(body)

    def _link(self, body: int) -> None:
        link = SubElement(self.robot, "link", name=_name(self.model, body))
        self._inertia(link, body)
        add_shapes(link, self.compiled, body)
        joints = joints_of(self.model, body)
        if body == self._root and joints:  # a bolted robot that turns on its base
            SubElement(self.robot, "link", name=_name(self.model, 0))
        if body != self._root or joints:
            self._hang(body, joints)

    def _inertia(self, link: Element, body: int) -> None:
        mass = float(self.model.body_mass[body])
        if mass <= 0.0:
            return
        R = rotation_from_quat_wxyz(self.model.body_iquat[body])
        moments = R @ np.diag(self.model.body_inertia[body]) @ R.T
        inertial = SubElement(link, "inertial")
        write_origin(
            inertial, Pose(p=np.array(self.model.body_ipos[body]), R=np.eye(3))
        )
        SubElement(inertial, "mass", value=repr(mass))
        keys = {"xx": (0, 0), "xy": (0, 1), "xz": (0, 2), "yy": (1, 1), "yz": (1, 2)}
        keys["zz"] = (2, 2)
        SubElement(
            inertial,
            "inertia",
            {f"i{key}": repr(float(moments[at])) for key, at in keys.items()},
        )

    def _hang(self, body: int, joints: tuple[BodyJoint, ...]) -> None:
        """Join a body to its parent: through its joints, or welded."""
        parent = _name(self.model, int(self.model.body_parentid[body]))
        child = _name(self.model, body)
        pose = Pose(
            p=np.array(self.model.body_pos[body]),
            R=rotation_from_quat_wxyz(self.model.body_quat[body]),
        )
        at = np.zeros(3)  # where the last link is, in body axes
        for i, joint in enumerate(joints):
            last = i == len(joints) - 1 and not joint.anchor.any()
            below = child if last else f"{child}_at_{joint.name}"
            if not last:
                SubElement(self.robot, "link", name=below)
            self._joint(joint, parent, below, _origin(pose, joint, at))
            parent, at = below, joint.anchor
            pose = Pose(p=np.zeros(3), R=np.eye(3))
        if parent != child:
            self._weld(parent, child, Pose(p=pose.p - pose.R @ at, R=pose.R))

    def _joint(self, joint: BodyJoint, parent: str, child: str, origin: Pose) -> None:
        element = SubElement(self.robot, "joint", name=joint.name, type=joint.kind)
        SubElement(element, "parent", link=parent)
        SubElement(element, "child", link=child)
        write_origin(element, origin)
        SubElement(element, "axis", xyz=text(joint.axis))
        limits = joint.limits
        if limits != JointLimits():
            _write_limits(element, limits)
        if joint.name in self._mimics:
            _write_mimic(element, self._mimics[joint.name])

    def _weld(self, parent: str, child: str, origin: Pose) -> None:
        element = SubElement(self.robot, "joint", name=f"{child}_weld", type="fixed")
        SubElement(element, "parent", link=parent)
        SubElement(element, "child", link=child)
        write_origin(element, origin)


def _origin(pose: Pose, joint: BodyJoint, at: Array) -> Pose:
    """Return where a joint's link is at the joint's zero, not at its reference."""
    p, R = pose.p + pose.R @ (joint.anchor - at), pose.R
    back = -joint.reference * joint.axis
    if joint.kind == "prismatic":
        return Pose(p=p + R @ back, R=R)
    return Pose(p=p, R=R @ exp_so3(back))


def _write_limits(element: Element, limits: JointLimits) -> None:
    """Append limits; 0 is URDF's word for an effort or a speed that nobody stated."""
    numbers = {"effort": limits.effort or 0.0, "velocity": 0.0}
    if limits.lower is not None and limits.upper is not None:
        numbers |= {"lower": limits.lower, "upper": limits.upper}
    SubElement(element, "limit", {key: repr(v) for key, v in numbers.items()})


def _write_mimic(element: Element, rule: MimicRule) -> None:
    SubElement(
        element,
        "mimic",
        joint=rule.leader,
        multiplier=repr(rule.multiplier),
        offset=repr(rule.offset),
    )


def _name(model: Any, body: int) -> str:
    """Return a body's name, or one made of its number."""
    return model.body(body).name or f"body_{body}"
