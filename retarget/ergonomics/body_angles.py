"""The angles that RULA and REBA speak of, from the person's segments.

All are zero in N-pose. Flexion is forwards, of the elbow upwards; sides are left and
right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["BodyAngles", "body_angles"]

SIDES = ("Left", "Right")
OUTWARDS = np.array([1.0, -1.0])  # y of the left side, of the right side
DOWN = np.array([0.0, 0.0, -1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyAngles:
    """One posture, in degrees.

    Attributes:
        trunk: Forwards from upright [deg]; backwards is negative.
        trunk_side: Bent to the side, without sign [deg].
        trunk_twist: Chest over pelvis, without sign [deg].
        neck: Head forwards from the chest [deg].
        neck_side: Without sign [deg].
        neck_twist: Without sign [deg].
        upper_arm: From along the chest, forwards or sideways (2,); backwards is
            negative [deg].
        abduction: Out to the side (2,) [deg].
        arm_twist: About the upper arm's own line, without sign (2,) [deg].
        shoulder: Lifted (2,) [deg].
        elbow: Bent (2,) [deg].
        wrist: Up or down, without sign (2,) [deg].
        wrist_side: Sideways, without sign (2,) [deg].
        forearm_twist: About the forearm's line, without sign (2,) [deg].
        hand_out: Hand outside of its shoulder, seen from the chest (2,) [m].
        hand_across: Hand beyond the body's middle (2,) [m].
        knee: Bent (2,) [deg].
    """

    trunk: float
    trunk_side: float
    trunk_twist: float
    neck: float
    neck_side: float
    neck_twist: float
    upper_arm: Array
    abduction: Array
    arm_twist: Array
    shoulder: Array
    elbow: Array
    wrist: Array
    wrist_side: Array
    forearm_twist: Array
    hand_out: Array
    hand_across: Array
    knee: Array


def body_angles(rotations: Array, positions: Array) -> BodyAngles:
    """Return the angles of one frame.

    Args:
        rotations: `world_R_segment` (23, 3, 3), the identity in N-pose.
        positions: Of the segments' origins (23, 3) [m].
    """
    R = dict(zip(SEGMENTS, rotations, strict=True))
    pelvis, chest = R["Pelvis"], R["T8"]
    spine = _level(pelvis).T @ _middle(pelvis, chest)
    head = chest.T @ R["Head"]
    trunk, trunk_side = _lean(spine[:, 2])
    neck, neck_side = _lean(head[:, 2])
    arms = [_arm(R, chest, s) for s in (0, 1)]
    reach = [_reach(positions, chest, s) for s in (0, 1)]
    knees = [
        _between(R[f"{side}UpperLeg"] @ DOWN, R[f"{side}LowerLeg"] @ DOWN)
        for side in SIDES
    ]
    columns = np.degrees(np.array(arms).T)
    return BodyAngles(
        trunk=float(np.degrees(trunk)),
        trunk_side=float(np.degrees(abs(trunk_side))),
        trunk_twist=float(np.degrees(abs(_twist(pelvis.T @ chest)))),
        neck=float(np.degrees(neck)),
        neck_side=float(np.degrees(abs(neck_side))),
        neck_twist=float(np.degrees(abs(_twist(head)))),
        upper_arm=columns[0],
        abduction=columns[1],
        arm_twist=columns[2],
        shoulder=columns[3],
        elbow=columns[4],
        wrist=columns[5],
        wrist_side=columns[6],
        forearm_twist=columns[7],
        hand_out=np.array([out for out, _ in reach]),
        hand_across=np.array([across for _, across in reach]),
        knee=np.degrees(np.array(knees)),
    )


def _arm(R: Mapping[str, Array], chest: Array, s: int) -> tuple[float, ...]:
    """Return the angles of one arm [rad], in the order of `BodyAngles`."""
    side, out = SIDES[s], OUTWARDS[s]
    upper, lower, hand = (
        R[f"{side}{part}"] for part in ("UpperArm", "ForeArm", "Hand")
    )
    x, y, z = chest.T @ upper @ DOWN
    raised = _between(np.array([x, y, z]), DOWN)
    backwards = x < 0.0 and -x > abs(y)
    bent = upper.T @ lower
    wrist = lower.T @ hand
    wx, wy, wz = wrist @ DOWN
    lifted = (chest.T @ R[f"{side}Shoulder"])[2, 1] * out
    return (
        -raised if backwards else raised,
        float(np.arcsin(np.clip(out * y, -1.0, 1.0))),
        abs(_twist(chest.T @ upper)),
        float(np.arcsin(np.clip(lifted, -1.0, 1.0))),
        _between(upper @ DOWN, lower @ DOWN),
        abs(float(np.arctan2(wy, -wz))),
        abs(float(np.arctan2(wx, -wz))),
        abs(_twist(bent)),
    )


def _reach(positions: Array, chest: Array, s: int) -> tuple[float, float]:
    """Return how far a hand is outside of its shoulder, and beyond the middle [m]."""
    side, out = SIDES[s], OUTWARDS[s]
    left = _level(chest)[:, 1]
    middle = positions[SEGMENT_INDEX["T8"]]
    hand = out * float(left @ (positions[SEGMENT_INDEX[f"{side}Hand"]] - middle))
    joint = out * float(left @ (positions[SEGMENT_INDEX[f"{side}UpperArm"]] - middle))
    return hand - joint, -hand


def _middle(a: Array, b: Array) -> Array:
    """Return the rotation half way: the line of a trunk bends with both its ends."""
    U, _, Vt = np.linalg.svd(a + b)
    half: Array = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    return half


def _level(R: Array) -> Array:
    """Return the axes that face as R does, with z up (3, 3)."""
    left = R[:, 1] * [1.0, 1.0, 0.0]
    size = np.linalg.norm(left)
    left = left / size if size > 1e-6 else np.array([0.0, 1.0, 0.0])
    ahead = np.array([left[1], -left[0], 0.0])
    return np.stack([ahead, left, [0.0, 0.0, 1.0]], axis=1)


def _lean(line: Array) -> tuple[float, float]:
    """Return how far a line leans forwards and to the left of upright [rad]."""
    x, y, z = line
    return float(np.arctan2(x, z)), float(np.arctan2(y, np.hypot(x, z)))


def _twist(R: Array) -> float:
    """Return the turn about z of a rotation: of its quaternion's part about z."""
    w = 1.0 + R[0, 0] + R[1, 1] + R[2, 2]
    return float(2.0 * np.arctan2(R[1, 0] - R[0, 1], w))


def _between(a: Array, b: Array) -> float:
    """Return the angle between unit vectors [rad]."""
    return 2.0 * math.atan2(math.dist(a, b), math.dist(a, -b))
