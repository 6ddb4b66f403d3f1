"""Makes one controller, or several that take turns, of the words for them."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadInput
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.base import Controller, TakesOver, make_controller
from telexist.teleop.controllers.hand_over.hand_over import HandOver
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.controllers.policy import Policy, policy_of_word

__all__ = ["controller_words", "make_controllers", "policies_of_words"]


def controller_words(words: str) -> tuple[str, ...]:
    """Return the words between commas.

    Raises:
        BadInput: If there is nothing between two of them.
    """
    found = tuple(word.strip() for word in words.split(","))
    if not all(found):
        raise BadInput(f"--controller '{words}': expected words between commas")
    return found


def policies_of_words(words: str) -> tuple[Policy, ...]:
    """Return the policies among some controllers.

    Raises:
        BadInput: If one names no file, or one that cannot be used.
    """
    found = (policy_of_word(word) for word in controller_words(words))
    return tuple(policy for policy in found if policy is not None)


def make_controllers(
    words: str,
    robot: RobotModel,
    posture: PostureSettings | None = None,
    *,
    by_rule: bool = True,
) -> Controller:
    """Make what words ask for: one controller, or several that take turns.

    Args:
        words: "walk", "policy:FILE", or several with commas; the first leads.
        robot: The robot.
        posture: How firmly its joints follow the operator while it balances.
        by_rule: Whether one that goes leads while the operator goes.

    Raises:
        UnknownName: If there is no such controller.
        BadPlugin: If it is another package's, and broken.
        BadInput: If the robot cannot be controlled like that, or by them in turns.
    """
    named = controller_words(words)
    if len(named) == 1:
        return make_controller(named[0], robot, posture)
    made: list[tuple[str, TakesOver]] = []
    for word in named:
        controller = make_controller(word, robot, posture)
        if not isinstance(controller, TakesOver):
            raise BadInput(
                f"--controller {words}: {word} cannot take a robot over that another "
                "one moves"
            )
        made.append((_name(word), controller))
    return HandOver(robot, made, by_rule=by_rule)


def _name(word: str) -> str:
    """Return what a controller is called: its word, or the name of a policy's file."""
    kind, _, file = word.partition(":")
    return Path(file).stem if kind == "policy" else word
