"""The `.pkl` layout of GMR, so that tools made for it can play our motions.

Written only: a pickle can run any code when it is loaded, so we never read one.
"""

from __future__ import annotations

import pickle

import numpy as np
from telexist.retarget.results.base_quaternions import base_quat_wxyz
from telexist.retarget.signals import RobotMotion

__all__ = ["encode_pkl"]

PROTOCOL = 4  # readable by every Python since 3.4


def encode_pkl(motion: RobotMotion) -> bytes:
    """Return the pickled dictionary: rate [Hz], root (quaternion x, y, z, w), joints.

    The layout has no time stamps; a motion with an uneven rate gets its mean rate.
    """
    time = motion.time
    fps = (len(time) - 1) / float(time[-1] - time[0]) if len(time) > 1 else 0.0
    return pickle.dumps(
        {
            "fps": fps,
            "root_pos": np.array(motion.base_position),
            "root_rot": base_quat_wxyz(motion)[:, [1, 2, 3, 0]],
            "dof_pos": np.array(motion.joint_positions),
            "local_body_pos": None,
            "link_body_list": None,
        },
        protocol=PROTOCOL,
    )
