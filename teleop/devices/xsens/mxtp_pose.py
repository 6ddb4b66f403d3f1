"""What the numbers of MVN's messages mean: frames, axes and units, both ways.

Everything becomes z up, right-handed, x ahead and y left of a person who faces along x:

- 02, 21 and 22 are so already.
- 01 is y up and right-handed: its (x, y, z) are our (y, z, x). Its angles, in degrees,
  make R = Rz Ry Rx in those axes.
- 05 is Unity's: y up, left-handed (x right, z ahead), in its own order of segments; the
  pelvis in the world, every other segment in the frame of its parent.

Orientations are of MVN's own segment frames, which are parallel to the world in T-pose.
Positions keep the unit of the wire here: MVN's manual says metres, its specification
centimetres; `plausible_body.metres_per_unit` decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_from_rpy,
)
from telexist.teleop.devices.base import (
    RefusedMessage,
    from_unity,
    require_finite,
    require_unit_quaternions,
    to_unity,
)
from telexist.teleop.devices.xsens.mxtp import Items

__all__ = ["MvnBody", "read_body", "write_body"]

_WORLD_R_YUP = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
_MAX_ANGLE = 360.0  # [deg]

_UNITY_ORDER = (
    "Pelvis",
    *(f"Right{p}" for p in ("UpperLeg", "LowerLeg", "Foot", "Toe")),
    *(f"Left{p}" for p in ("UpperLeg", "LowerLeg", "Foot", "Toe")),
    *("L5", "L3", "T12", "T8"),
    *(f"Left{p}" for p in ("Shoulder", "UpperArm", "ForeArm", "Hand")),
    *(f"Right{p}" for p in ("Shoulder", "UpperArm", "ForeArm", "Hand")),
    *("Neck", "Head"),
)
_SEGMENT_FROM_UNITY = np.array([_UNITY_ORDER.index(name) for name in SEGMENTS])


@dataclass(frozen=True, slots=True, kw_only=True)
class MvnBody:
    """What one message says of all 23 segments; None where it says nothing.

    Attributes:
        rotations: `world_R_segment` (23, 3, 3).
        positions: In the unit of the wire (23, 3).
        angular_velocities: World axes (23, 3) [rad/s].
        linear_velocities: World axes, unit of the wire per second (23, 3).
    """

    rotations: Array | None = None
    positions: Array | None = None
    angular_velocities: Array | None = None
    linear_velocities: Array | None = None


def read_body(kind: str, items: Items) -> MvnBody:
    """Take the body out of a message; props and fingers are left.

    Args:
        kind: "01", "02", "05", "21" or "22".
        items: All items of the message.

    Raises:
        RefusedMessage: If a segment is missing, not finite or not a rotation.
    """
    values = _body_items(items)
    if kind == "22":
        require_unit_quaternions(values[:, :4])
        require_finite(values[:, 4:7], "an angular velocity is")
        return MvnBody(
            rotations=rotation_from_quat_wxyz(values[:, :4]),
            angular_velocities=values[:, 4:7],
        )
    require_finite(values[:, :6], "a position or angle is")
    if kind == "21":
        return MvnBody(positions=values[:, :3], linear_velocities=values[:, 3:6])
    if kind == "01":
        return _read_euler(values)
    require_unit_quaternions(values[:, 3:7])
    rotations = rotation_from_quat_wxyz(values[:, 3:7])
    if kind == "05":
        return _read_unity(rotations, values[:, :3])
    return MvnBody(rotations=rotations, positions=values[:, :3])


def _body_items(items: Items) -> Array:
    """Return the values of ids 1 to 23 in order (23, m)."""
    body = (items.ids >= 1) & (items.ids <= len(SEGMENTS))
    ids = items.ids[body]
    if len(ids) != len(SEGMENTS) or len(set(ids.tolist())) != len(SEGMENTS):
        raise RefusedMessage("malformed", f"{len(ids)} body segments")
    return items.values[body][np.argsort(ids)]


def _read_euler(values: Array) -> MvnBody:
    if not (np.abs(values[:, 3:6]) <= _MAX_ANGLE).all():
        raise RefusedMessage("malformed", "an angle of more than a turn")
    R = rotation_from_rpy(np.radians(values[:, 3:6]))
    return MvnBody(
        rotations=_WORLD_R_YUP @ R @ _WORLD_R_YUP.T,
        positions=values[:, :3] @ _WORLD_R_YUP.T,
    )


def _read_unity(rotations: Array, positions: Array) -> MvnBody:
    """Turn poses in the parents' frames into poses in the world."""
    R, p = from_unity(rotations, positions)
    R, p = R[_SEGMENT_FROM_UNITY].copy(), p[_SEGMENT_FROM_UNITY].copy()
    for k, name in enumerate(SEGMENTS):
        parent = PARENT[name]
        if parent is not None:  # parents come first in `SEGMENTS`
            j = SEGMENT_INDEX[parent]
            p[k] = p[j] + R[j] @ p[k]
            R[k] = R[j] @ R[k]
    return MvnBody(rotations=R, positions=p)


def write_body(kind: str, state: MvnBody) -> Array:
    """Return the values of the 23 items as MVN would send them (23, m).

    Raises:
        ValueError: If the state lacks what the kind carries.
    """
    zeros = np.zeros((len(SEGMENTS), 3))
    R, p = state.rotations, state.positions
    v, w = state.linear_velocities, state.angular_velocities
    if kind == "22" and R is not None:
        return np.hstack([_quats(R), zeros if w is None else w, zeros])
    if kind == "21" and p is not None:
        return np.hstack([p, zeros if v is None else v, zeros])
    if R is None or p is None:
        raise ValueError(f"message {kind} needs rotations and positions")
    if kind == "01":
        angles = _euler(_WORLD_R_YUP.T @ R @ _WORLD_R_YUP)
        return np.hstack([p @ _WORLD_R_YUP, np.degrees(angles)])
    if kind == "05":
        return _write_unity(R, p)
    return np.hstack([p, _quats(R)])


def _write_unity(R: Array, p: Array) -> Array:
    local_R, local_p = R.copy(), p.copy()
    for k, name in enumerate(SEGMENTS):
        parent = PARENT[name]
        if parent is not None:
            j = SEGMENT_INDEX[parent]
            local_R[k], local_p[k] = R[j].T @ R[k], R[j].T @ (p[k] - p[j])
    unity_R, unity_p = to_unity(local_R, local_p)
    order = [SEGMENT_INDEX[name] for name in _UNITY_ORDER]
    return np.hstack([unity_p[order], _quats(unity_R[order])])


def _quats(R: Array) -> Array:
    return quat_wxyz_from_rotation(R)


def _euler(R: Array) -> Array:
    """Return x, y, z with R = Rz Ry Rx (..., 3) [rad]."""
    x = np.arctan2(R[..., 2, 1], R[..., 2, 2])
    y = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    z = np.arctan2(R[..., 1, 0], R[..., 0, 0])
    return np.stack([x, y, z], axis=-1)
