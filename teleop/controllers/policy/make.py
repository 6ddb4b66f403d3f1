"""Makes the controller `policy:FILE`."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadInput
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.controllers.policy.policy_controller import PolicyController
from telexist.teleop.controllers.policy.read_policy import Policy, read_policy

__all__ = ["make_policy", "policy_of_word"]

NO_FILE = "--controller policy needs a file: policy:FILE.onnx or .toml"


def policy_of_word(word: str) -> Policy | None:
    """Return the policy of a controller's word, or None if it asks for none.

    Raises:
        BadInput: If the word names no file, or one that cannot be used.
    """
    name, _, file = word.partition(":")
    if name != "policy":
        return None
    if not file:
        raise BadInput(NO_FILE)
    return read_policy(Path(file))


def make_policy(
    robot: RobotModel, posture: PostureSettings, file: str
) -> PolicyController:
    """Return the controller of a policy for its robot.

    Raises:
        BadInput: If the file cannot be used, or the robot is not its own.
    """
    if not file:
        raise BadInput(NO_FILE)
    return PolicyController(robot, read_policy(Path(file)))
