"""From one controller's commands to another's, without a jump in any torque.

What a command makes of the drives is linear in set-points, gains and torques, so a
share of one and the rest of another is a command again, inside the same bounds.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.smoothing import minimum_jerk
from telexist.retarget.so3 import Array
from telexist.robots.base import JointCommand, JointGains, RobotState

__all__ = ["CommandBlend", "mixed", "torques_of"]

TIME = 0.25  # [s] from one to the other
MOST_JUMP = 0.04  # of the efforts, by which a torque changes in one step of this
SOFT = 1e-9  # [N m/rad] of drives without gains of their own


class CommandBlend:
    """Goes from one command to another, and back if need be.

    Attributes:
        share: Of the other one, 0 to 1.
        jump: Greatest change of a torque by a step of this so far, of the efforts.
    """

    def __init__(self, effort: Array) -> None:
        """Begin with the first.

        Args:
            effort: Greatest torques (n,) [N m].
        """
        self._effort, self._time = effort, 0.0
        self.share, self.jump = 0.0, 0.0
        self.back = False

    @property
    def over(self) -> bool:
        """Whether one of both leads alone."""
        return self.share >= 1.0 or (self.back and self.share <= 0.0)

    def step(
        self, state: RobotState, one: JointCommand, other: JointCommand, dt: float
    ) -> JointCommand:
        """Return what goes to the drives for the next dt [s]."""
        apart = torques_of(other, state, self._effort)
        apart = np.abs(apart - torques_of(one, state, self._effort)) / self._effort
        worst = float(apart.max())
        self._time += -dt if self.back else dt
        self._time = min(max(self._time, 0.0), TIME)
        wanted = float(minimum_jerk(self._time / TIME))
        most = MOST_JUMP / worst if worst > MOST_JUMP else 1.0
        before = self.share
        self.share = min(max(wanted, before - most), before + most)
        if abs(wanted - self.share) > 1e-12:
            self._time = TIME * _inverse(self.share)
        self.jump = max(self.jump, abs(self.share - before) * worst)
        return mixed(one, other, self.share)


def mixed(one: JointCommand, other: JointCommand, share: float) -> JointCommand:
    """Return the command whose torques are those of both, by their shares."""
    if share <= 0.0:
        return one
    if share >= 1.0:
        return other
    a, b = (1.0 - share, one), (share, other)
    n = len(one.q)
    kp, kd, kp_q, kd_dq, tau = (np.zeros(n) for _ in range(5))
    q, dq = np.zeros(n), np.zeros(n)
    for part, command in (a, b):
        tau += part * command.torques
        q, dq = q + part * command.q, dq + part * command.dq
        if command.gains is not None:
            kp += part * command.gains.kp
            kd += part * command.gains.kd
            kp_q += part * command.gains.kp * command.q
            kd_dq += part * command.gains.kd * command.dq
    q = np.divide(kp_q, kp, q, where=kp > SOFT)
    dq = np.divide(kd_dq, kd, dq, where=kd > SOFT)
    return JointCommand(
        stamp=other.stamp, q=q, dq=dq, tau=tau, gains=JointGains(kp=kp, kd=kd)
    )


def torques_of(command: JointCommand, state: RobotState, effort: Array) -> Array:
    """Return what the drives make of a command at a state (n,) [N m]."""
    tau = np.array(command.torques)
    if command.gains is not None:
        tau += command.gains.kp * (command.q - state.q)
        tau += command.gains.kd * (command.dq - state.dq)
    return np.clip(tau, -effort, effort)


def _inverse(share: float) -> float:
    """Return the time at which minimum jerk has a share, of 1."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        if float(minimum_jerk(middle)) < share:
            low = middle
        else:
            high = middle
    return math.fsum((low, high)) / 2.0
