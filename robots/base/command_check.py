"""What a robot accepts: commands of the right size, finite, and inside its limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.base.interface import HandCommand, JointCommand, JointGains

__all__ = ["accepted_command"]


def accepted_command(
    command: JointCommand, body: RobotBody, effort: Array
) -> JointCommand:
    """Return a command with all values inside the robot's limits.

    Args:
        command: What is asked.
        body: Gives the limits of positions and velocities.
        effort: Greatest torques (n,) [N m].

    Raises:
        BadInput: If a value is missing or not finite.
    """
    n = body.kinematics.n
    q = np.clip(_finite(command.q, n, "position"), body.lower, body.upper)
    dq = np.clip(_finite(command.dq, n, "velocity"), -body.velocity, body.velocity)
    tau = command.tau
    if tau is not None:
        tau = np.clip(_finite(tau, n, "torque"), -effort, effort)
        tau.setflags(write=False)
    q.setflags(write=False)
    dq.setflags(write=False)
    gains = _gains(command, n)
    return replace(
        command, q=q, dq=dq, tau=tau, hands=_hands(command.hands), gains=gains
    )


def _finite(values: Array, n: int, what: str) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (n,):
        raise BadInput(f"a command needs {n} joint values, found shape {array.shape}")
    if not np.isfinite(array).all():
        bad = int(np.argmin(np.isfinite(array)))
        raise BadInput(f"a command's {what} of joint {bad} is {array[bad]}; not sent")
    return array


def _gains(command: JointCommand, n: int) -> JointGains | None:
    if command.gains is None:
        return None
    if command.tau is None:
        raise BadInput("a command with gains but without torques; not sent")
    kp = _finite(command.gains.kp, n, "stiffness")
    kd = _finite(command.gains.kd, n, "damping")
    if kp.min(initial=0.0) < 0.0 or kd.min(initial=0.0) < 0.0:
        raise BadInput("a command's stiffness and damping are 0 or more; not sent")
    return JointGains(kp=kp, kd=kd)


def _hands(hands: HandCommand | None) -> HandCommand | None:
    if hands is None:
        return None
    if not np.isfinite([hands.left, hands.right]).all():
        raise BadInput(f"hands closed by {hands.left}, {hands.right}; not sent")
    fingers = hands.fingers
    if fingers is not None:
        fingers = np.array(fingers, dtype=np.float64)
        if fingers.ndim != 1 or np.isinf(fingers).any():
            raise BadInput("a command's finger joints are no row of numbers; not sent")
        fingers.setflags(write=False)
    return HandCommand(
        left=min(max(hands.left, 0.0), 1.0),
        right=min(max(hands.right, 0.0), 1.0),
        fingers=fingers,
    )
