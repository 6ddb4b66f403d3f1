"""Targets of the paper's experiments and how far a robot is from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.ik import OrientationTargets, PointTarget, Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, log_so3, rotation_z, yaw_of
from telexist.retarget.witness import HumanTargets

__all__ = [
    "mean_normalized_trace_error",
    "paper_targets",
    "velocity_rmse",
    "zero_configuration",
]

PLACE_WEIGHT = 1.0  # [1/m^2] of the base's place


def paper_targets(body: RobotBody, clip: HumanClip) -> list[Targets]:
    """Return the targets of every frame, [R] 4.2: all orientations count alike.

    The base's place follows the pelvis; it fixes where the robot is and no joint.
    """
    human = HumanTargets(body)
    dt = (clip.time[-1] - clip.time[0]) / (len(clip) - 1)
    places = clip.positions[:, SEGMENT_INDEX["Pelvis"]]
    found = []
    for k in range(len(clip)):
        frame, previous = clip.frame(k), clip.frame(max(k - 1, 0))
        wanted = human.orientations(frame, previous, dt)
        base = PointTarget(
            frame=body.kinematics.frame(body.kinematics.base),
            link_p_point=np.zeros(3),
            world_p_goal=body.neutral.world_p_base + places[k] - places[0],
            weights=np.full(3, PLACE_WEIGHT),
        )
        alike = replace(wanted, weights=np.ones_like(wanted.weights))
        found.append(Targets(orientations=alike, points=(base,)))
    return found


def zero_configuration(body: RobotBody, clip: HumanClip) -> Configuration:
    """Return zero joints, or as near as the limits allow, facing as the person does."""
    heading = rotation_z(yaw_of(clip.rotations[0, SEGMENT_INDEX["Pelvis"]]))
    return Configuration(
        world_p_base=body.neutral.world_p_base,
        world_R_base=heading @ body.neutral.world_R_base,
        q=np.clip(np.zeros(body.kinematics.n), body.lower, body.upper),
    )


def mean_normalized_trace_error(world_R_link: Array, wanted: Array) -> float:
    """Return [R] (15): mean of tr(1 - h^T R*) / 2 over k links (k, 3, 3), 0 to 2."""
    trace = np.einsum("kij,kij->k", world_R_link, wanted)
    return float(np.mean((3.0 - trace) / 2.0))


def velocity_rmse(
    before: Array, after: Array, targets: OrientationTargets, dt: float
) -> float:
    """Return [R] (16) over k links that turned from `before` to `after` (k, 3, 3)."""
    turned = log_so3(after @ np.swapaxes(before, -1, -2)) / dt
    missed = targets.angular_velocities - turned
    return float(np.sqrt(np.mean(np.sum(missed**2, axis=-1) / 3.0)))
