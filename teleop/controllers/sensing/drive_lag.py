"""How late torques come, and how great they can be: asked for beside what drives give.

Drives tell their torques. Those of now are compared with those asked for one, two, ...
commands ago; where they agree is the lag. What was asked for since is still under way:
the robot's state is led on through it, so that a torque fits the robot at the time at
which it comes. A drive that again and again gives less than it was asked for has
reached what it can do; nobody asks it for more.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.dynamics import BodyState
from telexist.teleop.controllers.parameters import SensingParameters
from telexist.teleop.controllers.terms import AppliedForces

__all__ = ["DriveLag", "Underway"]

MOST = 16  # commands ago that are looked at


@dataclass(frozen=True, slots=True)
class Underway:
    """What one command asked for.

    Attributes:
        tau: Torques (n,) [N m].
        dnu: Accelerations (6 + n,).
        wrenches: On the soles, world axes (2, 6).
        known: Forces besides, that were known then; None for none.
    """

    tau: Array
    dnu: Array
    wrenches: Array
    known: AppliedForces | None = None


class DriveLag:
    """Follows the drives.

    Attributes:
        lag: Commands ago that act now; 1 for drives that do at once what they are told.
        effort: What each drive can do as far as is known (n,) [N m].
    """

    def __init__(self, effort: Array, parameters: SensingParameters) -> None:
        """Start with drives that do as they are told.

        Args:
            effort: What each drive should be able to do (n,) [N m].
            parameters: How fast it learns.
        """
        self._p, self._stated = parameters, np.array(effort)
        self.effort = self._stated.copy()
        self.reset()

    def reset(self) -> None:
        """Forget the lag, but not what drives can do."""
        n = len(self._stated)
        still = Underway(np.zeros(n), np.zeros(6 + n), np.zeros((2, 6)))
        self._commands = deque([still] * (MOST + 2), maxlen=MOST + 2)
        self._cost = np.zeros(MOST)
        self._weak = np.zeros(n, dtype=int)
        self._since = 0.0
        self.lag = 1

    def command(self, asked: Underway) -> None:
        """Take what is asked for from now on."""
        self._commands.append(asked)

    def replace(self, tau: Array) -> None:
        """Correct the torques (n,) [N m] of what was asked for last."""
        self._commands[-1] = replace(self._commands[-1], tau=np.array(tau))

    def look(self, tau: Array, dt: float) -> None:
        """Compare with what the drives give (n,) [N m], dt [s] after the last time."""
        if not np.isfinite(tau).all():
            return
        recent = list(self._commands)
        asked = np.array([recent[-k].tau for k in range(1, MOST + 1)])
        miss = np.square((asked - tau) / self._stated).mean(axis=1)
        self._cost += dt / (dt + self._p.lag_time) * (miss - self._cost)
        self._since += dt
        best = int(np.argmin(self._cost))
        if self._since < 2.0 * self._p.lag_time:
            return
        if self._cost[best] < self._p.lag_share * self._cost[self.lag - 1]:
            self.lag = best + 1
        self._see_limits(np.abs(tau), np.sign(tau), recent)

    def _see_limits(self, given: Array, sign: Array, recent: list[Underway]) -> None:
        """Learn from drives that give less than all commands about that time asked."""
        near = [recent[-k].tau for k in range(max(self.lag - 1, 1), self.lag + 2)]
        asked = np.min([sign * tau for tau in near], axis=0)
        weak = (asked > 1.05 * given + 0.01 * self._stated) & (
            given > self._p.weak_share * self._stated
        )
        self._weak = np.where(weak, self._weak + 1, 0)
        reached = self._weak >= self._p.weak_times
        self.effort = np.where(reached, np.minimum(self.effort, given), self.effort)
        self.effort = np.minimum(np.maximum(self.effort, given), self._stated)

    @property
    def acting(self) -> Underway:
        """What the drives do now."""
        return self._commands[-self.lag]

    def lead(self, state: BodyState, dt: float) -> BodyState:
        """Return the state when the next command will act.

        Args:
            state: Now.
            dt: Between two commands [s].
        """
        for k in range(self.lag - 1, 0, -1):
            dnu = self._commands[-k].dnu
            v, w, dq = dt * dnu[:3], dt * dnu[3:6], dt * dnu[6:]
            turn = exp_so3(dt * (state.world_w_base + 0.5 * w))
            state = BodyState(
                world_p_base=state.world_p_base + dt * (state.world_v_base + 0.5 * v),
                world_R_base=turn @ state.world_R_base,
                q=state.q + dt * (state.dq + 0.5 * dq),
                world_v_base=state.world_v_base + v,
                world_w_base=state.world_w_base + w,
                dq=state.dq + dq,
            )
        return state
