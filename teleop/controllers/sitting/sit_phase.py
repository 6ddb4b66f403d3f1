"""What all phases between sitting and standing share, and what each must say."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import SittingParameters
from telexist.teleop.controllers.sitting.sit_felt import SitFelt
from telexist.teleop.controllers.sitting.sit_progress import SitAim, SitProgress
from telexist.teleop.controllers.sitting.sit_way import SitWay, SitWays

__all__ = ["FULL_LOAD", "SitPhase", "SitState"]

FULL_LOAD = 2.0  # [body weight] that a thigh may carry: no bound
SOME_LOAD = 0.5  # [body weight] below which a bound begins to matter


class SitState:
    """Moves on with every step, whatever the phase.

    Attributes:
        p: Numbers.
        ways: Of the robot and its seat.
        mass: Of the robot [kg].
        leg: Length of its legs [m].
        partner: Whether somebody is to pull at the hands before it begins.
        advance: Whether help along a way makes it faster.
        wanted: "up", "down" or "" for neither.
        com: Centre of mass from the soles' middle (3,) [m], axes of the heading.
        com_vel: Its velocity (3,) [m/s].
        pull: Force at the hands (3,) [N], likewise.
        integral: Acceleration that lasting errors ask for (3,) [m/s^2].
        thigh_load: That the thighs may carry [body weight]; 0: they touch nothing.
        keenness: How much the feet are to carry rather than the seat, 0 to 1.
        carried: What the seat carries, smoothed, as a share of the weight.
        told: What is to be told people.
    """

    def __init__(
        self, p: SittingParameters, ways: SitWays, mass: float, leg: float
    ) -> None:
        """Prepare."""
        self.p, self.ways, self.mass, self.leg = p, ways, mass, leg
        self.down = ways.rise.backward(), ways.lean.backward()
        self.partner = self.advance = False
        self.wanted = ""
        self.com = self.com_vel = self.pull = np.zeros(3)
        self.integral = np.zeros(3)
        self.thigh_load, self.keenness, self.carried = FULL_LOAD, 0.0, 1.0
        self.told: list[str] = []

    def progress(self, way: SitWay, psi: float = 0.0) -> SitProgress:
        """Return a way that begins."""
        return SitProgress(way, self.p, self.mass, psi)

    def learn(self, error: Array, axes: Array, dt: float) -> None:
        """Let the integral grow with an error (3,) along some axes (3,)."""
        p = self.p
        most = np.array([p.most_aside, p.most_aside, p.most_up])
        more = self.integral - p.integral * dt * axes * error
        self.integral = np.clip(more, -most, most)

    def press(self, missing: float, dt: float) -> None:
        """Let the feet press harder by a share of the weight that they do not carry."""
        p = self.p
        more = 9.81 * max(missing, 0.0) * dt / p.push_time
        self.integral = self.integral + np.array([0.0, 0.0, more])
        self.integral[2] = min(self.integral[2], p.most_up)

    def load_thighs(self, goal: float, dt: float) -> None:
        """Let what the thighs may carry go to a goal [body weight], without a jump."""
        most = FULL_LOAD * dt / self.p.fade_time
        if self.thigh_load > SOME_LOAD and goal < SOME_LOAD:  # they carry far less
            self.thigh_load = SOME_LOAD
        if goal < self.thigh_load:
            most *= SOME_LOAD / FULL_LOAD
        change = goal - self.thigh_load
        self.thigh_load += min(max(change, -most), most)

    def forget(self, dt: float) -> None:
        """Let the integral fade."""
        self.integral = self.integral * np.exp(-dt / self.p.forget_time)


class SitPhase:
    """A phase: `start` once, then `step` and `next` in every step.

    Attributes:
        name: For people and figures.
        time: Since its start [s].
    """

    name = ""

    def __init__(self, state: SitState) -> None:
        """Take what all phases share."""
        self.state, self.time = state, 0.0

    def start(self) -> None:
        """Begin."""

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Return what is asked of the body for the next dt [s]."""
        raise NotImplementedError

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the phase that follows now, or None."""
        raise NotImplementedError

    @property
    def standing(self) -> bool:
        """Whether the robot stands: standing takes over."""
        return False

    @property
    def rate(self) -> float:
        """How fast its way is gone, 1 without help."""
        return 1.0

    @property
    def share_up(self) -> float:
        """How much of the rise is done, 0 to 1."""
        return 0.0

    @property
    def help(self) -> Array:
        """Force that may help along a way (3,) [N]."""
        return self.state.pull if self.state.advance else np.zeros(3)
