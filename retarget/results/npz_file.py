"""Our own format: a NumPy archive with one array per key."""

from __future__ import annotations

import io

import numpy as np
from telexist.retarget.results.base_quaternions import base_quat_wxyz
from telexist.retarget.signals import RobotMotion

__all__ = ["FORMAT_VERSION", "encode_npz"]

FORMAT_VERSION = 1  # raised when a key changes its meaning


def encode_npz(motion: RobotMotion) -> bytes:
    """Return the archive; equal motions give equal bytes."""
    buffer = io.BytesIO()
    arrays = _body_arrays(motion)
    if motion.finger_names:
        arrays["finger_names"] = np.array(motion.finger_names, dtype=np.str_)
        arrays["finger_positions"] = np.asarray(motion.fingers, dtype=np.float64)
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _body_arrays(motion: RobotMotion) -> dict[str, np.ndarray]:
    return dict(
        time=np.asarray(motion.time, dtype=np.float64),
        joint_names=np.array(motion.joint_names, dtype=np.str_),
        joint_positions=np.asarray(motion.joint_positions, dtype=np.float64),
        joint_velocities=np.asarray(motion.joint_velocities, dtype=np.float64),
        base_position=np.asarray(motion.base_position, dtype=np.float64),
        base_quat_wxyz=base_quat_wxyz(motion),
        contact_left=np.asarray(motion.contact_left, dtype=np.bool_),
        contact_right=np.asarray(motion.contact_right, dtype=np.bool_),
        robot=np.array(motion.robot),
        source=np.array(motion.source),
        format_version=np.array(FORMAT_VERSION),
    )
