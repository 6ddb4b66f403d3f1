"""Nothing is loaded for the first time in a turn of the loop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from telexist.retarget.reach.choose import choose_retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.teleop.loop.operator_motion import Follower
from telexist.teleop.session.warm_up import HEADSET, warm_up


@pytest.mark.parametrize("name", ["icub", "g1", "baxter", "human48"])
def test_suits_and_headsets_are_followed_beforehand(
    name: str, body_of: Callable[[str], RobotBody]
) -> None:
    shown: list[tuple[str, ...]] = []

    def make(frame: HumanFrame) -> Follower:
        shown.append(frame.segments)
        size = builtin_clip().size
        return choose_retargeter(body_of(name), size, frame.segments, placed=True)

    warm_up(make)
    assert len(shown) == 2
    assert HEADSET in shown
