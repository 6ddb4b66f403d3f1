"""Which retargeter suits what a source shows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from telexist.retarget.follow import Retargeter
from telexist.retarget.human_size import HumanSize
from telexist.retarget.reach.upper_body_retargeter import UpperBodyRetargeter
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame, RobotFrame

__all__ = ["FrameRetargeter", "choose_retargeter"]


class FrameRetargeter(Protocol):
    """What both retargeters do."""

    body: RobotBody

    def step(self, frame: HumanFrame) -> RobotFrame:
        """Follow one frame; see `Retargeter.step`."""

    def reset(self) -> None:
        """Forget the motion so far."""


def choose_retargeter(
    body: RobotBody,
    size: HumanSize,
    segments: Collection[str],
    *,
    placed: bool = True,
) -> FrameRetargeter:
    """Return the retargeter for a source.

    One that shows upper arms is followed limb by limb. One that shows hands without
    the arms between, and where they are, is followed by reaching.

    Args:
        body: The robot.
        size: The operator's joints in N-pose.
        segments: What the source shows.
        placed: Whether it shows places too.
    """
    hands = {"LeftHand", "RightHand"} & set(segments)
    arms = {"LeftUpperArm", "RightUpperArm"} & set(segments)
    if hands and not arms and placed:
        return UpperBodyRetargeter(body, size)
    return Retargeter(body, size)
