"""Walk where the operator walks: a path of places becomes walking commands.

The path is followed along its way, not across it, as fast as steps can and no faster
than what is left of it needs: with e the way that is left, v = e / T, with T two steps,
halves it in every step. Since the next foothold is planned from where the robot stands,
errors of the steps before do not add up.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping.footsteps import (
    clip_command,
    planar_rotation,
)
from telexist.teleop.terms import PathReference, WalkCommand

__all__ = ["PathFollower"]

SHARE = 0.8  # of what steps can do: the rest is for what pushes the robot
STEPS = 2.0  # in which the way that is left is gone, if the robot can
SPACING = 0.05  # [m] between two places that are kept
TURN = 0.1  # [rad] likewise
NEAR = 0.4  # [m] from a place at which the next one counts
START, START_YAW = 0.08, 0.12  # [m], [rad] of a way for which it is worth to walk
THERE, THERE_YAW = 0.025, 0.035  # [m], [rad] from the end: the robot is there


class PathFollower:
    """Turns the path and the place of the robot into a command.

    Attributes:
        behind: Way that is left [m].
    """

    def __init__(self, parameters: ControlParameters) -> None:
        """Take what the robot's steps can do."""
        self._time = STEPS * (parameters.single_support + parameters.double_support)
        most, _ = clip_command(WalkCommand(vx=9.0, vy=9.0, wz=9.0), parameters)
        least, _ = clip_command(WalkCommand(vx=-9.0), parameters)
        self._most = SHARE * np.array([most.vx, most.vy, most.wz])
        self._back = -SHARE * least.vx
        self.forget()

    def forget(self) -> None:
        """Leave the path: another one begins where the robot is then."""
        self._begin: tuple[Array, float] | None = None
        self._ways: deque[tuple[Array, float]] = deque()
        self._going, self.behind = False, 0.0
        self._ended = np.zeros(2), 0.0

    def command(
        self,
        path: PathReference | None,
        place: Array,
        yaw: float,
        *,
        standing: bool,
    ) -> WalkCommand:
        """Return where to walk now.

        Args:
            path: The operator's; None: nobody is followed.
            place: Middle between the feet, or between the last and the next one (2,)
                [m].
            yaw: Heading there [rad].
            standing: Whether the robot has come to rest.
        """
        if path is None:
            self.forget()
            return WalkCommand()
        if self._begin is None:
            self._begin = place.copy(), yaw
            self._ways.append(self._on_floor(path))
        self._extend(self._on_floor(path))
        while len(self._ways) > 1 and self._distance(place) < NEAR:
            self._ways.popleft()
        self.behind = self._left(place)
        aim, heading = self._ways[0]
        turn = _wrapped(heading - yaw)
        if not self._goes(path, turn, standing=standing):
            return WalkCommand()
        way = planar_rotation(-yaw - 0.5 * turn) @ (aim - place)
        far = float(np.linalg.norm(way))
        speed = self.behind / self._time
        ahead = way * (speed / far) if far > 1e-6 else np.zeros(2)
        return self._possible(np.array([*ahead, turn / self._time]))

    @property
    def speed(self) -> float:
        """Fastest that a path is followed straight ahead [m/s]."""
        return float(self._most[0])

    def _on_floor(self, path: PathReference) -> tuple[Array, float]:
        """Return a place of the operator's where the robot walks."""
        place, yaw = self._begin or (np.zeros(2), 0.0)
        return place + planar_rotation(yaw) @ path.place, yaw + path.yaw

    def _extend(self, goal: tuple[Array, float]) -> None:
        """Let the path end at a new place."""
        if len(self._ways) > 1:
            place, yaw = self._ways[-2]
            far = float(np.linalg.norm(goal[0] - place))
            if far < SPACING and abs(goal[1] - yaw) < TURN:
                self._ways[-1] = goal
                return
        elif (
            np.array_equal(goal[0], self._ways[-1][0]) and goal[1] == self._ways[-1][1]
        ):
            return
        self._ways.append(goal)

    def _distance(self, place: Array) -> float:
        return float(np.linalg.norm(self._ways[0][0] - place))

    def _left(self, place: Array) -> float:
        """Return how long the path is from a place to its end [m]."""
        points = np.array([place, *(way[0] for way in self._ways)])
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())

    def _goes(self, path: PathReference, turn: float, *, standing: bool) -> bool:
        """Return whether to walk: small ways are none, and the end is an end.

        Until it rests, a robot that has arrived goes on only if the path does: the
        last steps put the feet apart and tell no place.
        """
        last, (goal, heading) = len(self._ways) == 1, self._ways[-1]
        if self._going:
            there = last and self.behind < THERE and abs(turn) < THERE_YAW
            self._going = path.stepping or not there
            self._ended = goal, heading
            return self._going
        if standing:
            self._going = self.behind > START or abs(turn) > START_YAW
        else:
            gone = float(np.linalg.norm(goal - self._ended[0]))
            self._going = gone > START or abs(heading - self._ended[1]) > START_YAW
        return self._going

    def _possible(self, asked: Array) -> WalkCommand:
        """Return a command (3,) in its direction, as fast as steps can."""
        most = self._most.copy()
        if asked[0] < 0.0:
            most[0] = self._back
        share = float((np.abs(asked) / most).sum())
        vx, vy, wz = (asked / max(share, 1.0)).tolist()
        return WalkCommand(vx=vx, vy=vy, wz=wz)


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)
