"""Palm, fingers and thumb of any hand, from its links and joints alone.

No name is looked at. The palm is where the hand first branches; a finger is a chain of
joints from there on; the thumb is the finger unlike the others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.hands.finger_reach import (
    FingerChain,
    closing_postures,
    find_tip,
    opening_ends,
)
from telexist.retarget.hands.linkage import HandLinkage
from telexist.retarget.hands.robot_hand import (
    FINGERS,
    RobotFinger,
    RobotGripper,
    RobotHand,
)
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array

__all__ = ["find_hand"]

SHORT = 0.4  # of the longest chain: what is shorter is a drive or a link of a linkage
FAR_BASE = 1.4  # times the others' length: the finger begins at a later joint
FEWEST_DRIVES = 3  # with less, fingers cannot be told what to do one by one
FEWEST_TURNS = 2  # revolute drives without which there is no finger
ALONG = 0.15  # of its length lies a row of bases at least apart


def find_hand(linkage: HandLinkage, side: str) -> RobotHand | RobotGripper | None:
    """Find what a hand is.

    Args:
        linkage: Everything that the hand's link carries.
        side: "left" or "right".

    Returns:
        A hand with fingers, jaws that open, or None where nothing moves.

    Raises:
        BadInput: If `side` is neither.
    """
    if side not in SIDES:
        raise BadInput(f"side of a hand '{side}': left or right")
    palm = _palm(linkage)
    if not len(palm.drives):
        return None
    chains = _chains(palm)
    turning = np.count_nonzero(~palm.slides[palm.drives])
    if (
        len(chains) < 2
        or len(palm.drives) < FEWEST_DRIVES
        or turning < FEWEST_TURNS
        or len({chain.drives for chain in chains}) < 2
    ):
        opened, closed = opening_ends(palm, chains)
        return RobotGripper(side=side, linkage=palm, opened=opened, closed=closed)
    return _hand(palm, chains, side)


def _palm(linkage: HandLinkage) -> HandLinkage:
    """Descend while only one branch goes on."""
    body = 0
    while len(on := linkage.joints_on(body)) == 1 and linkage.joints_on(on[0] + 1):
        body = on[0] + 1
    if not on or len(on) == 1:
        return linkage  # it never branches
    return linkage.beyond(body)


def _chains(palm: HandLinkage) -> list[FingerChain]:
    """Return the chains that are fingers, with their tips."""
    bodies = [body for joint in palm.joints_on(0) for body in _ends(palm, joint + 1)]
    found = []
    for body in bodies:
        path = palm.path(body)
        drives = tuple(sorted({int(palm.leader[i]) for i in path} & {*palm.drives}))
        if drives:
            tip = find_tip(palm, body)
            found.append(
                FingerChain(
                    path=path, drives=drives, tip_body=body, tip=tip, begins=path[0]
                )
            )
    reach = [chain.extent(palm) for chain in found]
    longest = max(reach, default=0.0)
    return [c for c, r in zip(found, reach, strict=True) if r > SHORT * longest > 0.0]


def _ends(palm: HandLinkage, body: int) -> list[int]:
    """Return the last bodies of the fingers that begin with a body.

    Where a chain splits, short branches are parts of a drive and are left out.
    """
    ends = []
    for joint in palm.joints_on(body):
        ends.extend(_ends(palm, joint + 1))
    if not ends:
        return [body]
    reach = [_length(palm, body, end) for end in ends]
    return [e for e, r in zip(ends, reach, strict=True) if r > SHORT * max(reach)]


def _length(palm: HandLinkage, body: int, end: int) -> float:
    """Return the way from a body to the tip of a later one [m]."""
    beyond = [i for i in palm.path(end) if i not in palm.path(body)]
    links = float(np.linalg.norm(palm.position[beyond], axis=1).sum())
    return links + float(np.linalg.norm(find_tip(palm, end)))


def _hand(palm: HandLinkage, chains: list[FingerChain], side: str) -> RobotHand:
    """Tell thumb, directions and order of the fingers."""
    fingers = [_finger(palm, chain) for chain in _begin_together(palm, chains)]
    thumb = _thumb([_View(palm, finger) for finger in fingers])
    fingers[thumb] = _finger(palm, chains[thumb])  # its first joint is its own
    views = [_View(palm, finger) for finger in fingers]
    others = [k for k in range(len(fingers)) if k != thumb]
    axes = _palm_axes([views[k] for k in others], views[thumb], side)
    others.sort(key=lambda k: -float(views[k].base @ axes[:, 1]))
    row = [fingers[k] for k in (thumb, *others)]
    named = tuple(
        replace(finger, name=FINGERS[min(k, len(FINGERS) - 1)])
        for k, finger in enumerate(row)
    )
    return RobotHand(side=side, linkage=palm, palm=axes, fingers=named)


def _begin_together(palm: HandLinkage, chains: list[FingerChain]) -> list[FingerChain]:
    """Let fingers begin at a later joint where the first is one of the palm."""
    lengths = [_finger(palm, chain).length for chain in chains]
    begun = []
    for k, chain in enumerate(chains):
        others = float(np.median(lengths[:k] + lengths[k + 1 :]))
        length = lengths[k]
        while length > FAR_BASE * others and len(chain.own) > 2:
            chain = replace(chain, begins=chain.own[1])
            length = _finger(palm, chain).length
        begun.append(chain)
    return begun


def _finger(palm: HandLinkage, chain: FingerChain) -> RobotFinger:
    straight, curled = closing_postures(palm, chain)
    return RobotFinger(
        name="",
        path=chain.path,
        base_body=int(palm.parent[chain.begins]),
        base=palm.position[chain.begins],
        tip_body=chain.tip_body,
        tip=chain.tip,
        length=chain.length(palm, straight),
        straight=straight,
        curled=curled,
    )


class _View:
    """A finger seen from the palm: where it begins, points and goes."""

    def __init__(self, palm: HandLinkage, finger: RobotFinger) -> None:
        first = finger.path.index(_first(palm, finger))
        origins, straight = palm.place(finger.path, finger.straight, finger.tip)
        _, curled = palm.place(finger.path, finger.curled, finger.tip)
        self.base: Array = origins[first]
        self.tip: Array = straight
        self.direction = _unit(straight - self.base)
        self.closing = _unit(curled - straight)


def _first(palm: HandLinkage, finger: RobotFinger) -> int:
    return next(i for i in finger.path if palm.parent[i] == finger.base_body)


def _thumb(views: list[_View]) -> int:
    """Return which finger agrees least with the others."""
    bases = np.array([view.base for view in views])
    far = np.linalg.norm(bases[:, None] - bases, axis=-1).sum(axis=1)
    score = far / max(float(far.max()), 1e-9)
    for directions in (
        np.array([view.direction for view in views]),
        np.array([view.closing for view in views]),
    ):
        score = score - (directions @ directions.T).sum(axis=1) / (len(views) - 1)
    return int(np.argmax(np.round(score, 6)))


def _palm_axes(others: list[_View], thumb: _View, side: str) -> Array:
    """Return the palm's directions as columns (3, 3); see `RobotHand.palm`."""
    x = _unit(np.sum([view.direction for view in others], axis=0))
    closing = np.sum([view.closing for view in others], axis=0)
    closing = closing - x * (closing @ x)
    bases = np.array([view.base for view in others])
    row = bases - bases.mean(axis=0)
    row = row - np.outer(row @ x, x)
    spread, along = np.linalg.svd(row)[1:]
    length = float(np.mean([np.linalg.norm(v.tip - v.base) for v in others]))
    if spread[0] > ALONG * length:
        z = _unit(np.cross(x, along[0]))
        z = -z if z @ closing > 0.0 else z
    elif np.linalg.norm(closing) > 1e-6:
        z = -_unit(closing)
    else:  # they cannot close: the thumb lies before the palm
        ahead = thumb.tip - bases.mean(axis=0)
        z = -_unit(ahead - x * (ahead @ x))
    y = np.cross(z, x) if side == "right" else np.cross(x, z)
    return np.stack([x, y, z], axis=1)


def _unit(v: Array) -> Array:
    return v / max(float(np.linalg.norm(v)), 1e-12)
