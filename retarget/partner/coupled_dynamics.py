"""Two agents that hold each other, with their feet fixed.

P dV + Pdot V = 0, (8.24), with V = (nu of the agent, nu of the robot), says that hands
move together and feet stay. With J_c = P, Gamma = P M^-1 P' and

    f = G1 tau_agent + G2 tau_robot + G3,     (8.31)

f = (f_m, f_e of the agent, f_e of the robot). f_m acts on the agent and -f_m on the
robot, (8.26): where (8.39) takes the robot's rows out of f, the first ones change sign,
which the thesis leaves out.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.partner.agent_dynamics import AgentDynamics
from telexist.retarget.so3 import Array

__all__ = ["CoupledDynamics"]


class CoupledDynamics:
    """The two at one moment.

    Attributes:
        agent: Whoever holds the robot.
        robot: The robot.
        Gamma: P M^-1 P' (k, k).
        G1: From the agent's torques to all wrenches (k, n of the agent).
        G2: From the robot's (k, n).
        G3: What is there without torques (k,).
    """

    def __init__(self, agent: AgentDynamics, robot: AgentDynamics) -> None:
        """Couple two agents.

        Raises:
            BadInput: If they do not touch in as many directions.
        """
        m = len(agent.hands)
        if m != len(robot.hands):
            raise BadInput(
                f"the agents touch in {m} and {len(robot.hands)} directions: as many"
            )
        self.agent, self.robot = agent, robot
        self._m, self._e = m, len(agent.feet)
        own, others = len(agent.h), len(robot.h)
        ea, er = len(agent.feet), len(robot.feet)
        by_agent = np.vstack([agent.hands, agent.feet, np.zeros((er, own))])
        by_robot = np.vstack([-robot.hands, np.zeros((ea, others)), robot.feet])
        drift = np.concatenate(
            [agent.hands_bias - robot.hands_bias, agent.feet_bias, robot.feet_bias]
        )
        give_agent = np.linalg.solve(agent.M, by_agent.T).T  # P M^-1, its two halves
        give_robot = np.linalg.solve(robot.M, by_robot.T).T
        self.Gamma = give_agent @ by_agent.T + give_robot @ by_robot.T
        free = give_agent @ agent.h + give_robot @ robot.h - drift
        right = np.column_stack(
            [-give_agent @ agent.B, -give_robot @ robot.B, free[:, None]]
        )
        found = np.linalg.solve(self.Gamma, right)
        n = agent.B.shape[1]
        self.G1, self.G2, self.G3 = found[:, :n], found[:, n:-1], found[:, -1]

    def wrenches(self, tau_agent: Array, tau_robot: Array) -> Array:
        """Return f (k,), (8.31)."""
        return self.G1 @ tau_agent + self.G2 @ tau_robot + self.G3

    def on_robot(self, rows: Array) -> Array:
        """Return the robot's rows of f or of G1, G2, G3: mutual, environment."""
        m = self._m
        return np.concatenate([-rows[:m], rows[m + self._e :]])

    def on_robot_as_printed(self, rows: Array) -> Array:
        """Return them as (8.39) has them, without the change of sign."""
        m = self._m
        return np.concatenate([rows[:m], rows[m + self._e :]])

    @property
    def robot_contacts(self) -> Array:
        """The Jacobian of all that the robot touches, in the order of `on_robot`."""
        return np.vstack([self.robot.hands, self.robot.feet])

    def accelerations(
        self, tau_agent: Array, tau_robot: Array, *, as_printed: bool = False
    ) -> Array:
        """Return the robot's dnu (nv,), (8.41)."""
        rows = self.on_robot_as_printed if as_printed else self.on_robot
        f = rows(self.wrenches(tau_agent, tau_robot))
        m = self._m
        return self.robot.accelerations(tau_robot, f[:m], f[m:])

    def agent_accelerations(self, tau_agent: Array, tau_robot: Array) -> Array:
        """Return the agent's dnu (nv,)."""
        f = self.wrenches(tau_agent, tau_robot)
        m = self._m
        return self.agent.accelerations(tau_agent, f[:m], f[m : m + self._e])
