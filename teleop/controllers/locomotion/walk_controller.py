"""Balance and walk where a device, or the operator's own steps, say."""

from __future__ import annotations

from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.locomotion.locomotion import LocomotionController
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.controllers.stepping import PathFollower
from telexist.teleop.terms import ControllerEventKind, RobotReference, WalkCommand

__all__ = ["WalkController", "make_walk"]

BEHIND = 1.0  # [m] of way left: the operator is faster than the robot
CAUGHT_UP = 0.3  # [m]


class WalkController(LocomotionController):
    """Walks while a command is given, stands and balances otherwise."""

    _path: PathFollower | None = None  # made when somebody's own steps are followed
    _slower = False

    def _begin(self, state: RobotState) -> None:
        super()._begin(state)
        self._path, self._slower = None, False

    def walk_command(self, reference: RobotReference) -> WalkCommand:
        """Return the command to follow: as asked, or along the operator's path."""
        self._walking.end_centred(reference.path is not None)
        if reference.path is None:
            self._path = None
            return reference.walk
        if self._path is None:
            self._path = PathFollower(self.parameters)
        standing = self.mode == "standing"
        command = self._path.command(reference.path, *self._place(), standing=standing)
        self._tell_distance(self._path)
        return command

    def _place(self) -> tuple[Array, float]:
        """Return the middle between the feet (2,) [m] and the heading there [rad]."""
        if self.mode == "walking":
            return self._walking.middle
        return self.measured.sole_p[:, :2].mean(axis=0), self._standing.yaw

    def _tell_distance(self, path: PathFollower) -> None:
        slower = path.behind > (CAUGHT_UP if self._slower else BEHIND)
        if slower and not self._slower:
            text = (
                f"the operator walks faster than the robot can: it follows at "
                f"{path.speed:.2f} m/s"
            )
            self._tell(ControllerEventKind.WALK, text)
        elif self._slower and not slower:
            self._tell(ControllerEventKind.WALK, "it has caught up with the operator")
        self._slower = slower


def make_walk(robot: RobotModel, posture: PostureSettings) -> WalkController:
    """Return the controller for a robot with two feet.

    Raises:
        BadInput: If it has none.
    """
    return WalkController(robot, settings=posture)
