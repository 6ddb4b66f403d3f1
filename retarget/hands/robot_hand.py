"""What was found in a hand: a palm, fingers with a thumb, or jaws that open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.hands.linkage import HandLinkage
from telexist.retarget.so3 import Array

__all__ = ["FINGERS", "RobotFinger", "RobotGripper", "RobotHand", "open_and_closed"]

FINGERS = ("thumb", "index", "middle", "ring", "little")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotFinger:
    """One finger.

    Attributes:
        name: Which of a person's it follows, one of `FINGERS`.
        path: Its joints, from the palm on.
        base_body: Body on which it begins.
        base: Where, in axes of that body (3,) [m].
        tip_body: Its last body.
        tip: Its end, in axes of that body (3,) [m].
        length: From base to tip when straight [m].
        straight: Positions of all joints, of which only its own count (n,).
        curled: The same when it is closed (n,).
    """

    name: str
    path: tuple[int, ...]
    base_body: int
    base: Array
    tip_body: int
    tip: Array
    length: float
    straight: Array
    curled: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotHand:
    """A hand with fingers.

    Attributes:
        side: "left" or "right".
        linkage: Its joints, from the palm on; body 0 is the palm.
        palm: Body 0 seen from the palm's directions (3, 3): columns along the
            fingers, from the little finger to the thumb, and out of the back. It is a
            rotation for a right hand and mirrored for a left one, so that numbers
            along the columns mean the same on both.
        fingers: The thumb first, then from the thumb's side on.
    """

    side: str
    linkage: HandLinkage
    palm: Array
    fingers: tuple[RobotFinger, ...]

    @property
    def drives(self) -> tuple[str, ...]:
        """Names of the joints that follow nobody."""
        return tuple(self.linkage.joints[i] for i in self.linkage.drives)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotGripper:
    """A hand that can only open and close.

    Attributes:
        side: "left" or "right".
        linkage: Its joints.
        opened: Positions of all joints (n,) when it is open.
        closed: The same when it is closed.
    """

    side: str
    linkage: HandLinkage
    opened: Array
    closed: Array


def open_and_closed(hand: RobotHand | RobotGripper) -> tuple[Array, Array]:
    """Return the positions of all joints (n,) of the open and of the closed hand."""
    if isinstance(hand, RobotGripper):
        return hand.opened, hand.closed
    linkage = hand.linkage
    still = np.clip(np.zeros(len(linkage.joints)), linkage.lower, linkage.upper)
    opened, closed = still.copy(), still.copy()
    for finger in hand.fingers:
        for i in finger.path:
            leader = int(linkage.leader[i])
            opened[leader] = finger.straight[leader]
            closed[leader] = finger.curled[leader]
    return linkage.follow(opened), linkage.follow(closed)
