"""Loads the compiled engine before the clock matters.

What is used first in a turn delays that turn: so a whole motion is followed, at limits
too, by what follows a suit and by what follows a headset and its controllers.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from telexist.retarget.errors import TelexistError
from telexist.retarget.follow import TremorFilter
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.signals import HumanFrame
from telexist.teleop.loop import Follower

__all__ = ["warm_up"]

STRIDE = 8  # frames of the built-in motion
HEADSET = ("Pelvis", "Head", "LeftHand", "RightHand")


def warm_up(make_follower: Callable[[HumanFrame], Follower]) -> None:
    """Follow the built-in motion with all that a source may show."""
    frames = [*builtin_clip().frames()][::STRIDE]
    _follow(make_follower, frames)
    with suppress(TelexistError):  # a robot without arms, which a suit still moves
        _follow(make_follower, [_headset(frame) for frame in frames])


def _follow(
    make_follower: Callable[[HumanFrame], Follower], frames: list[HumanFrame]
) -> None:
    follower, steady = make_follower(frames[0]), TremorFilter()
    for frame in frames:
        follower.step(steady.step(frame))


def _headset(frame: HumanFrame) -> HumanFrame:
    """Return what a headset with controllers and a tracker sees of a frame."""
    rows = [frame.segments.index(name) for name in HEADSET]
    p, v = frame.positions, frame.linear_velocities
    return HumanFrame(
        stamp=frame.stamp,
        segments=HEADSET,
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=None if p is None else p[rows],
        linear_velocities=None if v is None else v[rows],
    )
