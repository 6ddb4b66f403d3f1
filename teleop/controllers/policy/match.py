"""Whether a policy and a robot belong together: joints by name, rates by number."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.errors import BadPolicy
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.policy.read_policy import Policy

__all__ = ["match_joints", "period_of"]

CONTROL_RATE = 200.0  # [Hz] about which the controller looks at the robot
NEAR = 1e-6  # of a whole multiple


def match_joints(policy: Policy, robot: RobotModel) -> np.ndarray:
    """Return where each joint of the policy is in the robot's order (n,).

    Raises:
        BadPolicy: With the joints that one has and the other has not.
    """
    joints = robot.body.kinematics.joints
    only_policy = [name for name in policy.joints if name not in joints]
    only_robot = [name for name in joints if name not in policy.joints]
    parts = []
    if only_policy:
        parts.append(f"only the policy has {_few(only_policy)}")
    if only_robot:
        parts.append(f"only the robot has {_few(only_robot)}")
    if parts:
        name = robot.body.name
        problem = f"the joints are not those of {name}: {'; '.join(parts)}"
        raise BadPolicy(policy.path, problem, place="joints")
    return np.array([joints.index(name) for name in policy.joints])


def period_of(policy: Policy, rate: float) -> float:
    """Return the time between two steps of the controller [s].

    Args:
        policy: The policy.
        rate: Of the steps [Hz]; 0 takes the multiple of the policy's next to 200 Hz.

    Raises:
        BadPolicy: If the rate is no multiple of the policy's.
    """
    own = policy.file.rate
    if not rate:
        every = max(math.ceil(CONTROL_RATE / own - NEAR), 1)
        return 1.0 / (own * every)
    every = max(round(rate / own), 1)
    if abs(every * own - rate) > NEAR * rate:
        problem = f"{own:g} Hz: the control rate of {rate:g} Hz is no multiple of it"
        raise BadPolicy(policy.path, problem, place="rate")
    return 1.0 / rate


def _few(names: list[str]) -> str:
    shown = ", ".join(names[:6])
    return shown if len(names) <= 6 else f"{shown} and {len(names) - 6} more"
