"""Phases from sitting to standing: each waits for the forces that the next one needs.

Seated, Leaning over the feet, Loading of the feet, Rising. When what a phase waits for
does not come, the robot sits back: it is safe there.
"""

from __future__ import annotations

import numpy as np
from telexist.teleop.controllers.sitting.sit_felt import SitFelt
from telexist.teleop.controllers.sitting.sit_phase import FULL_LOAD, SitPhase, SitState
from telexist.teleop.controllers.sitting.sit_progress import SitAim

__all__ = [
    "Leaning",
    "LeaningBack",
    "Landing",
    "Loading",
    "Lowering",
    "Rising",
    "Seated",
]

LEVEL = np.array([1.0, 1.0, 0.0])
ALL = np.ones(3)
ARRIVED, SLOW = 0.03, 0.15  # [m], [m/s] of the centre of mass that stands
LATE = 3.0  # [s] after the way's end in which it must
ASTRAY = 0.01  # [m] that a weight may be beyond the soles before it sits back
LANDED = 0.02  # of the weight on a seat that is felt


class Seated(SitPhase):
    """Sits upright until it is to stand up, and whoever is to help pulls."""

    name = "seated"

    def start(self) -> None:
        """Sit."""
        self._way = self.state.progress(self.state.ways.lean)
        if self.state.wanted == "down":
            self.state.wanted = ""

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Stay."""
        self.state.forget(dt)
        self.state.load_thighs(FULL_LOAD, dt)
        return self._way.hold(self.state.com, self.state.com_vel)

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the lean."""
        state = self.state
        if state.wanted != "up":
            return None
        pulled = float(np.linalg.norm(felt.hands)) > state.p.pulled
        return Leaning(state) if pulled or not state.partner else None


class Leaning(SitPhase):
    """Leans until the weight is over the feet, and they carry most of it."""

    name = "leaning"

    def start(self) -> None:
        """Begin to lean."""
        self._way = self.state.progress(self.state.ways.lean)

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Go on."""
        state = self.state
        aim = self._way.step(state.com, state.com_vel, self.help, dt)
        state.learn(aim.error, LEVEL, dt)
        state.keenness = min(self._way.psi / self._way.way.duration, 1.0)
        return aim

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the loading of the feet; or back, if they do not get the load."""
        state = self.state
        if state.wanted == "down":
            return LeaningBack(state, self._way.psi)
        if self._way.done and felt.feet > state.p.loaded and felt.over > 0.0:
            return Loading(state)
        if self.time > self._way.way.duration + state.p.patience:
            return _give_up(state, "the feet do not get the weight")
        return None

    @property
    def rate(self) -> float:
        """How fast the way is gone."""
        return self._way.rate


class Loading(SitPhase):
    """Takes the load off the thighs; feet that carry too little press harder."""

    name = "loading"

    def start(self) -> None:
        """Stay where the rise begins."""
        self._way = self.state.progress(self.state.ways.rise)

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Let the thighs carry less and less."""
        state, p = self.state, self.state.p
        state.load_thighs(0.0, dt)
        aim = self._way.hold(state.com, state.com_vel)
        state.learn(aim.error, LEVEL, dt)
        if self.time > p.fade_time:
            state.press(p.off - felt.feet, dt)
        return aim

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the rise once the feet carry the robot."""
        state = self.state
        if felt.over < -ASTRAY:
            return _give_up(state, "the weight does not stay over the feet")
        loaded = felt.feet > state.p.off and felt.over > 0.0
        if self.time > state.p.fade_time and loaded:
            return Rising(state)
        if self.time > state.p.fade_time + state.p.patience:
            return _give_up(state, "the seat keeps the weight")
        return None


class Rising(SitPhase):
    """Rises on its feet alone."""

    name = "rising"

    def start(self) -> None:
        """Begin to rise."""
        self._way = self.state.progress(self.state.ways.rise)
        self._end, self._still = 0.0, False

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Go on."""
        state = self.state
        state.load_thighs(0.0, dt)
        aim = self._way.step(state.com, state.com_vel, self.help, dt)
        state.learn(aim.error, ALL, dt)
        self._end = self._end + dt if self._way.done else 0.0
        near = float(np.linalg.norm(aim.error)) < ARRIVED
        self._still = near and float(np.linalg.norm(state.com_vel)) < SLOW
        return aim

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the way back, if the thighs do not come off the seat."""
        state, way = self.state, self._way
        far = way.psi > state.p.clear_share * way.way.duration
        low = felt.up < state.p.clear * state.leg
        if low and felt.over < -ASTRAY:
            return _give_up(state, "the weight does not stay over the feet")
        if state.wanted == "down":
            return Lowering(state, way.psi)
        if far and low:
            state.wanted = "down"
            state.told.append("it does not come off the seat: it sits back")
            return Lowering(state, way.psi)
        return None

    @property
    def standing(self) -> bool:
        """Whether it stands."""
        return self._way.done and (self._still or self._end > LATE)

    @property
    def share_up(self) -> float:
        """How much of the rise is done, 0 to 1."""
        return self._way.share

    @property
    def rate(self) -> float:
        """How fast the way is gone."""
        return self._way.rate


class Lowering(SitPhase):
    """Goes down to where the seat is."""

    name = "lowering"

    def __init__(self, state: SitState, psi: float) -> None:
        """Go down from where psi [s] of the rise is."""
        super().__init__(state)
        back = state.down[0]
        self._way = state.progress(back, back.duration - min(psi, back.duration))

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Go on."""
        state = self.state
        state.load_thighs(0.0, dt)
        aim = self._way.step(state.com, state.com_vel, np.zeros(3), dt)
        state.learn(aim.error, ALL, dt)
        return aim

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the landing; or up again."""
        if self.state.wanted == "up":
            return Lifting(self.state, self._way.way.duration - self._way.psi)
        return Landing(self.state) if self._way.done else None


class Lifting(Rising):
    """Rises again from somewhere on the way down."""

    def __init__(self, state: SitState, psi: float) -> None:
        """Begin at psi [s] of the rise."""
        super().__init__(state)
        self._from = psi

    def start(self) -> None:
        """Begin to rise."""
        super().start()
        self._way = self.state.progress(self.state.ways.rise, self._from)


class Landing(SitPhase):
    """Lets the thighs carry more and more; rises again if there is no seat."""

    name = "landing"

    def start(self) -> None:
        """Stay where the rise begins."""
        self._way = self.state.progress(self.state.ways.rise)

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Stay, and load the thighs."""
        state = self.state
        state.load_thighs(FULL_LOAD, dt)
        aim = self._way.hold(state.com, state.com_vel)
        state.learn(aim.error, LEVEL, dt)
        state.integral[2] *= float(np.exp(-dt / state.p.forget_time))
        return aim

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return the lean back once the seat carries something."""
        state, p = self.state, self.state.p
        if felt.up < -p.sunk * state.leg:
            state.wanted = "up"
            state.told.append("there is no seat: it stands up again")
            return Lifting(state, 0.0)
        if self.time < 2.0 * p.fade_time:
            return None
        if felt.seat > LANDED or self.time > p.patience:
            return LeaningBack(state, state.ways.lean.duration)
        return None


class LeaningBack(SitPhase):
    """Leans back until it sits upright."""

    name = "leaning back"

    def __init__(self, state: SitState, psi: float) -> None:
        """Lean back from where psi [s] of the lean is."""
        super().__init__(state)
        back = state.down[1]
        self._way = state.progress(back, back.duration - min(psi, back.duration))

    def step(self, felt: SitFelt, dt: float) -> SitAim:
        """Go on."""
        state = self.state
        state.load_thighs(FULL_LOAD, dt)
        aim = self._way.step(state.com, state.com_vel, np.zeros(3), dt)
        state.keenness = max(1.0 - self._way.psi / self._way.way.duration, 0.0)
        state.forget(dt)
        return aim

    def next(self, felt: SitFelt) -> SitPhase | None:
        """Return sitting."""
        return Seated(self.state) if self._way.done else None


def _give_up(state: SitState, why: str) -> SitPhase:
    state.wanted = "down"
    state.told.append(f"{why}: it sits back")
    return Landing(state)
