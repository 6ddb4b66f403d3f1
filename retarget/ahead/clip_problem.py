"""The second pass as least squares over a whole clip, linearised where the robot is.

Close to the given motion (links as they point, weighted as in the engine), corners that
stand stay where they are, ties between joints hold, and third differences are small.
Joint limits and balance are added by `SplitSolver`.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.ahead.ahead_robot import AheadRobot
from telexist.retarget.ahead.balance_rows import balance_rows, polygons_of
from telexist.retarget.ahead.banded import THIRD, ClipNormal
from telexist.retarget.ahead.body_motion import (
    Placed,
    place_bodies,
    point_columns,
    turn_columns,
)
from telexist.retarget.ahead.even_motion import Postures
from telexist.retarget.ahead.settings import AheadSettings
from telexist.retarget.ahead.split_solver import SplitSolver
from telexist.retarget.ahead.stands import Stands
from telexist.retarget.so3 import exp_so3, log_so3

__all__ = ["ClipProblem"]

STEP = np.array([-1.0, 1.0])
SPARE = 0.98  # of a speed limit: between even times a spline may be a little faster
FASTEST = 1e3  # [rad/s] stands for a joint without a speed limit
SUNK = (0.001, 0.002)  # [m] a corner lower than this is asked to be higher than that


class ClipProblem:
    """Brings a motion nearer to all that is asked of it, one solution at a time.

    Attributes:
        calm: By how much more each column's third differences count (t, 6 + n).
    """

    def __init__(
        self,
        robot: AheadRobot,
        given: Postures,
        stands: Stands,
        dt: float,
        settings: AheadSettings,
    ) -> None:
        """Take what the motion was.

        Args:
            robot: The robot.
            given: Its motion at even times.
            stands: What stands then.
            dt: Between two frames [s].
            settings: What counts how much.
        """
        self._robot, self._stands, self._dt = robot, stands, dt
        self._settings = settings
        placed = place_bodies(robot.tree, given)
        self._given = given
        self._wanted = [placed.R[link.body] for link in robot.links]
        self._columns = np.flatnonzero(robot.free)
        self._smooth = (2.0 * np.pi * settings.cutoff * dt) ** -6.0
        self._polygons = polygons_of(stands)
        lower, upper = np.full(6, -np.inf), np.full(6, np.inf)
        self._split = SplitSolver(
            lower=np.concatenate([lower, robot.roles.lower])[self._columns],
            upper=np.concatenate([upper, robot.roles.upper])[self._columns],
            frames=len(given.p),
            settings=settings,
        )
        self.calm = np.ones((len(given.p), len(robot.free)))

    def improved(self, now: Postures, *, balanced: bool) -> Postures:
        """Return the motion after one solution.

        Args:
            now: Where the robot is.
            balanced: Whether the floor must be able to carry it.
        """
        robot, placed = self._robot, place_bodies(self._robot.tree, now)
        normal = ClipNormal(len(now.p), len(self._columns))
        self._follow(normal, placed)
        self._stay(normal, now)
        self._stand(normal, placed)
        self._keep_ties(normal, now)
        self._keep_speeds(normal, now)
        self._be_smooth(normal, now)
        rows = None
        if balanced and robot.masses is not None and robot.soles:
            rows = balance_rows(
                placed, robot.masses, self._polygons, self._columns, self._dt
            )
        start = np.hstack([np.zeros((len(now.p), 6)), now.q])[:, self._columns]
        x = np.zeros((len(now.p), len(robot.free)))
        x[:, self._columns] = self._split.solve(normal, start, rows)
        return Postures(
            p=now.p + x[:, :3], R=exp_so3(x[:, 3:6]) @ now.R, q=now.q + x[:, 6:]
        )

    def _follow(self, normal: ClipNormal, placed: Placed) -> None:
        for link, wanted in zip(self._robot.links, self._wanted, strict=True):
            own = np.swapaxes(placed.R[link.body], 1, 2)
            root = link.root @ own
            error = (root @ log_so3(wanted @ own)[..., None])[..., 0]
            J = root @ turn_columns(placed, link.body)[..., self._columns]
            normal.add_rows(J, error)

    def _stay(self, normal: ClipNormal, now: Postures) -> None:
        given, w = self._given, self._settings
        turned = log_so3(given.R @ np.swapaxes(now.R, 1, 2))
        away = np.hstack([given.p - now.p, turned, given.q - now.q])
        weight = np.full(away.shape, w.joint)
        carried = self._stands.supported
        weight[:, :3] = np.where(carried, w.travel, w.flight)[:, None]
        normal.add_diagonal(weight[:, self._columns], away[:, self._columns])

    def _stand(self, normal: ClipNormal, placed: Placed) -> None:
        w = self._settings
        for k, sole in enumerate(self._robot.soles):
            corners, on = sole.at(placed), self._stands.on[k]
            air, still = ~on.any(axis=1), self._stands.still[k]
            edge = on.any(axis=1) & ~on.all(axis=1)
            middle = corners.mean(axis=1)
            error = self._stands.places[k].mean(axis=1) - middle
            root = np.zeros_like(error)
            root[still, :2] = np.sqrt(w.still)
            J = point_columns(placed, sole.body, middle)[..., self._columns]
            normal.add_rows(root[..., None] * J, root * error)
            for c in range(4):
                place = corners[:, c]
                error = self._stands.places[k, :, c] - place
                root = np.zeros_like(error)
                root[~on[:, c] & edge] = np.sqrt(w.tilt)
                root[on[:, c]] = np.sqrt(w.hold)
                root[air] = np.sqrt(w.swing / 4.0)
                deep = ~on[:, c] & (place[:, 2] < SUNK[0])
                root[deep, 2] = np.sqrt(w.floor)
                error[deep, 2] = SUNK[1] - place[deep, 2]
                J = point_columns(placed, sole.body, place)[..., self._columns]
                normal.add_rows(root[..., None] * J, root * error)

    def _keep_ties(self, normal: ClipNormal, now: Postures) -> None:
        """Keep joints where their leaders put them, and sums inside their limits."""
        roles = self._robot.roles
        if not len(roles.rows):
            return
        sums = now.q @ roles.rows.T
        error = np.clip(sums, roles.row_lower, roles.row_upper) - sums
        root = np.sqrt(self._settings.tied) * (
            (error != 0.0) | (roles.row_lower == roles.row_upper)
        )
        wide = np.hstack([np.zeros((len(roles.rows), 6)), roles.rows])
        J = root[..., None] * wide[:, self._columns]
        normal.add_rows(J, root * error)

    def _keep_speeds(self, normal: ClipNormal, now: Postures) -> None:
        speed = np.minimum(self._robot.roles.velocity, FASTEST)
        most = SPARE * speed * self._dt
        step = np.diff(now.q, axis=0)
        error, weight = (np.zeros((len(step), 6 + len(most))) for _ in range(2))
        error[:, 6:] = np.clip(step, -most, most) - step
        weight[:, 6:] = self._settings.fast * (np.abs(step) > most)
        at = self._columns
        normal.add_differences(weight[:, at], error[:, at], STEP)

    def _be_smooth(self, normal: ClipNormal, now: Postures) -> None:
        spin = log_so3(now.R[1:] @ np.swapaxes(now.R[:-1], 1, 2))
        third = np.hstack(
            [
                np.diff(now.p, n=3, axis=0),
                np.diff(spin, n=2, axis=0),
                np.diff(now.q, n=3, axis=0),
            ]
        )
        weight = 0.5 * self._smooth * (self.calm[1:-2] + self.calm[2:-1])
        at = self._columns
        normal.add_differences(weight[:, at], -third[:, at], THIRD)
