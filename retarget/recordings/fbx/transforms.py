"""How a node of FBX stands in its parent.

The format multiplies T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1: translation,
offset and pivot of the rotation, pre-rotation, rotation in its own order, inverse of
the post-rotation, back from the pivot, then the same for the scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from telexist.retarget.recordings import NodeMotion
from telexist.retarget.recordings.fbx.curves import FbxCurve
from telexist.retarget.recordings.fbx.scene import FbxModel
from telexist.retarget.so3 import Array, rotation_x, rotation_y, rotation_z

__all__ = ["local_motion"]

_ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")  # the first is innermost
_ABOUT = MappingProxyType({"X": rotation_x, "Y": rotation_y, "Z": rotation_z})

Curves = Mapping[tuple[int, str, int], FbxCurve]


def local_motion(
    model: FbxModel, index: int, curves: Curves, time: Array
) -> NodeMotion:
    """Return a node in its parent at times (t,) [s], or at rest without curves."""
    T, angles, S = (
        _vector(model, index, name, default, curves, time)
        for name, default in (
            ("Lcl Translation", 0.0),
            ("Lcl Rotation", 0.0),
            ("Lcl Scaling", 1.0),
        )
    )
    active = model.properties.get("RotationActive", np.zeros(1))[0] != 0.0
    order = int(model.properties.get("RotationOrder", np.zeros(1))[0])
    order = order if active and 0 <= order < len(_ORDERS) else 0
    R = _turned(angles, _ORDERS[order])
    if active:
        pre = _turned(_fixed(model, "PreRotation"), "XYZ")
        post = _turned(_fixed(model, "PostRotation"), "XYZ")
        R = pre @ R @ post.T
    pivot, about = _fixed(model, "RotationPivot"), _fixed(model, "ScalingPivot")
    behind = _fixed(model, "ScalingOffset") + about - S * about - pivot
    p = T + _fixed(model, "RotationOffset") + pivot + (R @ behind[:, :, None])[..., 0]
    return NodeMotion(p=p, R=R, scale=S)


def _fixed(model: FbxModel, name: str) -> Array:
    value = model.properties.get(name)
    return value if value is not None and value.shape == (3,) else np.zeros(3)


def _vector(
    model: FbxModel,
    index: int,
    name: str,
    default: float,
    curves: Curves,
    time: Array,
) -> Array:
    resting = model.properties.get(name)
    if resting is None or resting.shape != (3,):
        resting = np.full(3, default)
    moving = [curves.get((index, name, axis)) for axis in range(3)]
    if all(curve is None for curve in moving):
        return resting[None]
    columns = [
        np.full(len(time), value) if curve is None else curve.at(time)
        for curve, value in zip(moving, resting, strict=True)
    ]
    return np.stack(columns, axis=1)


def _turned(angles_deg: Array, order: str) -> Array:
    """Return the product of three turns, the first of the order innermost."""
    angles = np.deg2rad(angles_deg)
    R = _ABOUT[order[0]](angles[..., "XYZ".index(order[0])])
    for axis in order[1:]:
        R = _ABOUT[axis](angles[..., "XYZ".index(axis)]) @ R
    return R
