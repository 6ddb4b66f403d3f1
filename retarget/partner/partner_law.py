"""The partner-aware law, (8.33), and what (8.46) should say.

    Vdot = e' (help + Delta tau + Lambda),   e = chi - chi_d     (8.42)
    tau = -Delta^+ (Lambda + K_D e + max(0, a) e/|e|) + N tau_0  (8.33)
    Vdot = -e' K_D e + min(0, a) |e|,        a = e' help / |e|   (8.46), corrected

a < 0 is help: it is kept. The thesis prints -max(0, a)|e| and calls a > 0 help.

What `help` is, there are two answers. `coupled_terms`: Omega tau_agent, as printed. It
contains what the partner's joints give to hold the partner's own weight, and is no
measure of help: it is not 0 while the hands give nothing. `felt_terms`: Omega f, with f
the force on the robot's hands. That is the same as to take from the partner's torques
those with which the hands would give nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.partner.agent_dynamics import AgentDynamics
from telexist.retarget.partner.coupled_dynamics import CoupledDynamics
from telexist.retarget.partner.velocity_task import VelocityTask
from telexist.retarget.so3 import Array

__all__ = ["PartnerTerms", "coupled_terms", "felt_terms"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnerTerms:
    """Vdot = e' (Omega u + Delta tau + Lambda), (8.42), with u what the partner does.

    Attributes:
        task: What the robot is to do.
        Omega: (p, number of what the partner does).
        Delta: (p, n).
        Lambda: (p,).
    """

    task: VelocityTask
    Omega: Array
    Delta: Array
    Lambda: Array

    def alpha(self, given: Array) -> float:
        """Return a, (8.44b): below 0 the partner helps."""
        return float(self.task.along @ (self.Omega @ given))

    def torques(self, given: Array, tau_0: Array) -> Array:
        """Return the robot's torques (n,), (8.33).

        Args:
            given: What the partner does, torques or forces on the robot's hands.
            tau_0: What joints are to do beside the task (n,) [N m].
        """
        task = self.task
        hinder = max(0.0, self.alpha(given)) * task.along
        wanted = self.Lambda + task.K_D @ task.error + hinder
        back = np.linalg.pinv(self.Delta)
        return tau_0 - back @ (wanted + self.Delta @ tau_0)

    def cancelling_torques(self, given: Array, tau_0: Array) -> Array:
        """Return those of the classical law, (8.6): all the partner does is undone."""
        task = self.task
        wanted = self.Lambda + task.K_D @ task.error + self.Omega @ given
        back = np.linalg.pinv(self.Delta)
        return tau_0 - back @ (wanted + self.Delta @ tau_0)

    def energy_rate(self, given: Array) -> float:
        """Return what Vdot is under the law, (8.46) corrected."""
        task = self.task
        falls = float(task.error @ task.K_D @ task.error)
        size = float(np.linalg.norm(task.error))
        return -falls + min(0.0, self.alpha(given)) * size

    def energy_rate_as_printed(self, given: Array) -> float:
        """Return what (8.46) prints."""
        task = self.task
        falls = float(task.error @ task.K_D @ task.error)
        size = float(np.linalg.norm(task.error))
        return -falls - max(0.0, self.alpha(given)) * size


def coupled_terms(
    coupled: CoupledDynamics, task: VelocityTask, *, as_printed: bool = False
) -> PartnerTerms:
    """Return the terms whose `given` is the agent's torques, below (8.42).

    Args:
        coupled: The two.
        task: Of the robot.
        as_printed: Without the change of sign of the mutual wrenches.
    """
    robot = coupled.robot
    rows = coupled.on_robot_as_printed if as_printed else coupled.on_robot
    pull, push = task.K_d @ task.J, coupled.robot_contacts.T
    give = np.linalg.solve(robot.M, pull.T).T  # K_d J M^-1
    free = give @ (push @ rows(coupled.G3) - robot.h)
    return PartnerTerms(
        task=task,
        Omega=give @ push @ rows(coupled.G1),
        Delta=give @ (robot.B + push @ rows(coupled.G2)),
        Lambda=free + _asked(task),
    )


def felt_terms(robot: AgentDynamics, task: VelocityTask) -> PartnerTerms:
    """Return the terms whose `given` is the force on the robot's hands (m,).

    The robot's feet stay where they are: what the floor answers is eliminated.
    """
    give = np.linalg.solve(robot.M, (task.K_d @ task.J).T).T  # K_d J M^-1
    still = np.zeros(len(task.error))
    if len(robot.feet):
        back = np.linalg.solve(robot.M, robot.feet.T)  # M^-1 J_e'
        lost = np.linalg.solve(robot.feet @ back, (give @ robot.feet.T).T).T
        still = -lost @ robot.feet_bias
        give = give - lost @ back.T
    return PartnerTerms(
        task=task,
        Omega=give @ robot.hands.T,
        Delta=give @ robot.B,
        Lambda=still - give @ robot.h + _asked(task),
    )


def _asked(task: VelocityTask) -> Array:
    return task.K_d @ (task.bias - task.wanted) + task.K_p @ task.integral
