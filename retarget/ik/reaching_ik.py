"""A step that is not caught on its way: `RecursiveIk` with a posture to go to.

Targets that are far away, or that the robot no longer comes nearer to, are looked at
once from many starts (`PostureSearch`). If that finds a posture which is much nearer,
the joints are led there at the speed that they have, and the targets take over again.
On the way the targets are turned back with the base, no further ahead of it than a
radian: links half a turn from their targets disagree which way round is shorter.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.ik.posture_search import PostureSearch, orientation_errors
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, exp_so3, log_so3

__all__ = ["ReachingIk"]

FAR = 0.3  # [rad] error at which a posture is looked for at once
CAUGHT = 1e-3  # [rad] error at which one is looked for if it does not shrink
SHRINKS = 0.7  # share of the error that may be left from one look to the next
PAUSE = 0.2  # [s] between two looks
BETTER = 0.5  # share of the error that another posture must have
ARRIVED = 0.02  # [rad] or [m] from the posture, and of error more than it has
LONGEST = 3.0  # [s] on the way to a posture
MOVED = 0.1  # [rad] by which targets may move before a posture is out of date
AHEAD = 1.0  # [rad] by which the base's way is shown to it
STIFFNESS = 1e3  # weight of the posture on the way; targets have about 1


class ReachingIk:
    """Moves one robot towards targets, step by step, around corners of its limits."""

    def __init__(self, body: RobotBody, settings: IkSettings | None = None) -> None:
        """Prepare the solver for a robot."""
        self._body = body
        self._ik = RecursiveIk(body, settings)
        self._search = PostureSearch(body)
        self.reset()

    def reset(self) -> None:
        """Forget the posture that was found."""
        self._posture: Array | None = None
        self._base = np.eye(3)
        self._on_the_way, self._since, self._expected = False, 0.0, 0.0
        self._seen: Array | None = None
        self._last_error, self._waited = np.inf, np.inf

    def step(self, start: Configuration, targets: Targets, dt: float) -> Configuration:
        """Move from `start` towards the targets in one step of dt.

        Args:
            start: Configuration at the start of the step.
            targets: Wanted at the end of the step.
            dt: Length of the step [s].

        Returns:
            Configuration at the end of the step, inside all limits.

        Raises:
            BadInput: If the start or a target is not finite.
            QpFailed: If the limits contradict each other.
        """
        self._ik.require_finite(start, targets)
        self._forget_old(targets)
        self._waited += dt
        if not self._on_the_way and self._waited >= PAUSE:
            self._look(start, targets)
        self._lead(start, targets, dt)
        if self._on_the_way:
            targets = self._turned_back(start, targets)
        return self._ik.step(start, targets, dt)

    def _forget_old(self, targets: Targets) -> None:
        """Give up a posture that was found for other targets."""
        wanted = targets.orientations.world_R_link
        if self._seen is not None and self._seen.shape == wanted.shape:
            moved = log_so3(wanted @ np.swapaxes(self._seen, -1, -2))
            if np.linalg.norm(moved, axis=-1).max(initial=0.0) < MOVED:
                return
        self._seen, self._posture, self._on_the_way = wanted.copy(), None, False
        self._last_error, self._waited = np.inf, np.inf

    def _look(self, start: Configuration, targets: Targets) -> None:
        """Look for a posture if the targets are far, or no longer come nearer."""
        error = float(orientation_errors(self._body, start, targets).max(initial=0.0))
        caught = error > CAUGHT and error > SHRINKS * self._last_error
        far = error > FAR and self._posture is None
        self._last_error, self._waited = error, 0.0
        if not caught and not far:
            return
        found = self._search.find(start, targets)
        if found.error < BETTER * error:
            self._posture, self._on_the_way = found.configuration.q, True
            self._base = found.configuration.world_R_base
            self._expected, self._since = found.error, 0.0

    def _lead(self, start: Configuration, targets: Targets, dt: float) -> None:
        """Draw the joints to the posture: strongly on the way, weakly afterwards."""
        bodies = self._ik.prepare(targets).bodies[1:]
        weak = self._ik.settings.posture
        if self._posture is None:
            bodies["goal"], bodies["stiffness"] = bodies["neutral"], weak
            return
        self._since += dt
        away = self._body.kinematics.posture_error(start.q, self._posture)
        near = bool(np.abs(away).max(initial=0.0) < ARRIVED)
        if self._since > LONGEST or (near and self._base_arrived(start, targets)):
            self._on_the_way = False
        bodies["goal"] = self._posture
        bodies["stiffness"] = STIFFNESS if self._on_the_way else weak

    def _turned_back(self, start: Configuration, targets: Targets) -> Targets:
        """Return the targets for a base that is still on its way."""
        way = log_so3(self._base @ start.world_R_base.T)
        left = max(float(np.linalg.norm(way)) - AHEAD, 0.0)
        if left == 0.0:
            return targets
        back = exp_so3(-left / np.linalg.norm(way) * way)
        wanted = targets.orientations
        return replace(
            targets,
            orientations=replace(wanted, world_R_link=back @ wanted.world_R_link),
        )

    def _base_arrived(self, start: Configuration, targets: Targets) -> bool:
        """Return whether the links are as near to their targets as was found."""
        errors = orientation_errors(self._body, start, targets)
        return bool(errors.max(initial=0.0) < self._expected + ARRIVED)
