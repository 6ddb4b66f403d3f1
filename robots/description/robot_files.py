"""A robot by its files, so that another process can load the very same one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from telexist.robots.description.library import load_spec
from telexist.robots.description.robot_model import RobotModel, build_robot, load_robot
from telexist.robots.mjcf import read_model

__all__ = ["RobotFiles", "load_again", "robot_files"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotFiles:
    """The `robot.toml`, and the URDF that was found for it."""

    robot_toml: str
    model: str


def robot_files(robot: RobotModel) -> RobotFiles:
    """Return the files of a loaded robot."""
    return RobotFiles(robot_toml=str(robot.path), model=str(robot.urdf.path))


def load_again(files: RobotFiles) -> RobotModel:
    """Load a robot from its files.

    Raises:
        BadInput: If they changed and can no longer be used.
    """
    path = Path(files.robot_toml)
    spec = load_spec(path)
    if spec.model.generated:
        return load_robot(path)
    return build_robot(spec, read_model(Path(files.model)), path=path)
