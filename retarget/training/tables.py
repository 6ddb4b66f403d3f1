"""Tables of roots and joints: Unitree's, ProtoMotions' and BONES-SEED's CSV."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.retarget.training.archive import table
from telexist.retarget.training.even_motion import EvenMotion
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["encode_protomotions_csv", "encode_seed_csv", "encode_unitree_csv"]

_XYZW = [1, 2, 3, 0]
_CM = 100.0  # centimetres in a metre


def encode_unitree_csv(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return the table of Unitree's LAFAN1 set, which most trainers read.

    No header, no time: x, y, z [m], quaternion x, y, z, w, joints [rad] depth first.
    """
    quat = even.base_quat_wxyz()[:, _XYZW]
    return (table(np.column_stack([even.base_p, quat, _joints(even, model)])),)


def encode_protomotions_csv(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return the table that ProtoMotions' `convert_g1_csv_to_proto.py` reads.

    As Unitree's, but the quaternion is w, x, y, z.
    """
    quat = even.base_quat_wxyz()
    return (table(np.column_stack([even.base_p, quat, _joints(even, model)])),)


def encode_seed_csv(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return the table of BONES-SEED: centimetres and degrees.

    The root turns about the fixed axes x, then y, then z.
    """
    order = model.depth_first_bodies()[1:] - 1
    header = ["Frame"]
    header += [f"root_translate{axis}" for axis in "XYZ"]
    header += [f"root_rotate{axis}" for axis in "XYZ"]
    header += [f"{model.joints[i]}_dof" for i in order]
    degrees = np.degrees(np.unwrap(_fixed_axes(even.base_R), axis=0))
    q = np.where(model.tree.slides, even.q * _CM, np.degrees(even.q))[:, order]
    frames = np.arange(len(q))
    rows = np.column_stack([frames, even.base_p * _CM, degrees, q])
    return (table(rows, header=",".join(header), first="%d"),)


def _joints(even: EvenMotion, model: ModelTree) -> Array:
    return even.q[:, model.depth_first_bodies()[1:] - 1]


def _fixed_axes(R: Array) -> Array:
    """Return angles about fixed x, y, z (t, 3), R = Rz Ry Rx [rad]."""
    return np.column_stack(
        [
            np.arctan2(R[:, 2, 1], R[:, 2, 2]),
            np.arctan2(-R[:, 2, 0], np.hypot(R[:, 0, 0], R[:, 1, 0])),
            np.arctan2(R[:, 1, 0], R[:, 0, 0]),
        ]
    )
