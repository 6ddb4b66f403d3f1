"""MuJoCo keyframes: one `<key>` per time, to be included in the robot's MJCF."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import numpy as np
from telexist.retarget.results.base_quaternions import base_quat_wxyz
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["encode_mujoco"]


def encode_mujoco(motion: RobotMotion) -> bytes:
    """Return the XML with qpos in MuJoCo's order.

    A free joint takes x, y, z and the quaternion w, x, y, z; then one number per joint
    in the order of `joint_names` and `finger_names`, which a comment lists: MuJoCo
    knows positions only by their place, so the joints of the MJCF must come in that
    order. A base that never moves has no free joint and is left out.
    """
    bolted = _never_moves(motion)
    joints = np.column_stack([motion.joint_positions, motion.fingers])
    qpos = joints if bolted else _with_base(motion, joints)
    base = "" if bolted else "base x y z, quaternion w x y z, "
    names = ", ".join((*motion.joint_names, *motion.finger_names)).replace("--", "- -")
    lines = [
        "<mujoco>",
        f"  <!-- qpos: {base}joints {names} -->",
        "  <keyframe>",
    ]
    for k, (time, row) in enumerate(zip(motion.time, qpos, strict=True)):
        values = " ".join(map(repr, row.tolist()))
        name = quoteattr(f"{motion.robot}_{k}")
        lines.append(f'    <key name={name} time="{float(time)!r}" qpos="{values}"/>')
    lines += ["  </keyframe>", "</mujoco>", ""]
    return "\n".join(lines).encode("utf-8")


def _never_moves(motion: RobotMotion) -> bool:
    return len(motion.time) > 1 and bool(
        np.all(motion.base_position == motion.base_position[0])
        and np.all(motion.base_rotation == motion.base_rotation[0])
    )


def _with_base(motion: RobotMotion, joints: Array) -> Array:
    return np.column_stack([motion.base_position, base_quat_wxyz(motion), joints])
