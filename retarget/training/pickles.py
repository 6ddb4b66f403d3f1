"""Pickled motions: GMR's and MimicKit's.

Written only: a pickle can run any code when it is loaded, so we never read one.
"""

from __future__ import annotations

import pickle

import numpy as np
from telexist.retarget.so3 import log_so3
from telexist.retarget.training.body_motion import body_motion
from telexist.retarget.training.even_motion import EvenMotion
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["encode_gmr", "encode_mimickit"]

PROTOCOL = 4  # readable by every Python since 3.4
_CLAMP = 0  # MimicKit: a motion that ends, rather than one that goes round


def encode_gmr(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return GMR's dictionary, which TWIST2 reads too.

    The root's quaternion is x, y, z, w. `local_body_pos` is where each link is in the
    axes of the root.
    """
    t = len(even.q)
    still, upright = np.zeros((t, 3)), np.tile(np.eye(3), (t, 1, 1))
    bodies = body_motion(model, still, upright, even.q, float(even.fps))
    on = model.link_body
    turned = np.einsum("tbij,bj->tbi", bodies.R[:, on], model.body_p_link)
    data = {
        "fps": float(even.fps),
        "root_pos": even.base_p,
        "root_rot": even.base_quat_wxyz()[:, [1, 2, 3, 0]],
        "dof_pos": even.q[:, model.depth_first_bodies()[1:] - 1],
        "local_body_pos": (bodies.p[:, on] + turned).astype(np.float32),
        "link_body_list": list(model.links),
    }
    return (pickle.dumps(data, protocol=PROTOCOL),)


def encode_mimickit(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return MimicKit's dictionary: root place, root rotation vector, joints."""
    turns = log_so3(even.base_R)
    order = model.depth_first_bodies()[1:] - 1
    frames = np.column_stack([even.base_p, turns, even.q[:, order]])
    data = {"loop_mode": _CLAMP, "fps": float(even.fps), "frames": frames.tolist()}
    return (pickle.dumps(data, protocol=PROTOCOL),)
