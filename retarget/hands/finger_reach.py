"""How far a chain of joints reaches: its tip, and where it is straight and curled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from telexist.retarget.hands.linkage import HandLinkage
from telexist.retarget.so3 import Array

__all__ = ["FingerChain", "closing_postures", "find_tip", "opening_ends"]

END = 0.97  # of the farthest point's distance: these points together are the tip
GRID = np.linspace(0.0, 1.0, 33)  # of a joint's range
SWEEPS = 3
MOST_CORNERS = 8  # joints of a finger whose ends are tried in all combinations
NEAR_ZERO = 2e-3  # of the length per rad^2: a joint that does not matter stands at 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FingerChain:
    """Joints that end in a tip.

    Attributes:
        path: From the palm on.
        drives: The joints that move them.
        tip_body: The last body.
        tip: Its end, in its axes (3,) [m].
        begins: The joint at which the finger begins.
    """

    path: tuple[int, ...]
    drives: tuple[int, ...]
    tip_body: int
    tip: Array
    begins: int

    @property
    def own(self) -> tuple[int, ...]:
        """The joints from which on it is a finger."""
        return self.path[self.path.index(self.begins) :]

    def extent(self, linkage: HandLinkage) -> float:
        """Return the length along its links [m]."""
        links = np.linalg.norm(linkage.position[list(self.own[1:])], axis=1).sum()
        return float(links + np.linalg.norm(self.tip))

    def length(self, linkage: HandLinkage, q: Array) -> float:
        """Return the distance from its begin to its tip at `q` (n,) [m]."""
        return float(self._distances(linkage, q))

    def _distances(self, linkage: HandLinkage, q: Array) -> Array:
        origins, tips = linkage.place(self.path, q, self.tip)
        return np.linalg.norm(tips - origins[self.path.index(self.begins)], axis=-1)


def find_tip(linkage: HandLinkage, body: int) -> Array:
    """Return the end of a body, in its axes (3,) [m]: what is farthest from its joint.

    Without shapes and frames it is twice as far as the centre of mass, and without
    that the link is as long as the one before, if it is not the first.
    """
    points = linkage.points[body]
    distances = np.linalg.norm(points, axis=1)
    if len(points) and distances.max() > 1e-3:
        return points[distances >= END * distances.max()].mean(axis=0)
    com = linkage.com[body]
    if np.linalg.norm(com) > 1e-3:
        return 2.0 * com
    if linkage.parent[body - 1] == 0:
        return np.zeros(3)
    return linkage.rotation[body - 1].T @ linkage.position[body - 1]


def closing_postures(linkage: HandLinkage, chain: FingerChain) -> tuple[Array, Array]:
    """Return the joint positions (n,) at which a finger is longest and shortest."""

    def reach(q: Array) -> Array:
        return chain._distances(linkage, q)

    own = {int(linkage.leader[i]) for i in chain.own} & set(chain.drives)
    ends = []
    for sign in (1.0, -1.0):
        ends.append(_best(linkage, sorted(own), lambda q, s=sign: s * reach(q)))  # type: ignore[misc]
    return ends[0], ends[1]


def opening_ends(
    linkage: HandLinkage, chains: Sequence[FingerChain]
) -> tuple[Array, Array]:
    """Return the joint positions (n,) at which jaws are widest and narrowest.

    Wide is where their tips are far from each other, and from where they begin.
    """

    def width(q: Array) -> Array:
        tips = [linkage.place(c.path, q, c.tip)[1] for c in chains]
        apart = [np.linalg.norm(a - b, axis=-1) for a, b in combinations(tips, 2)]
        reach = [chain._distances(linkage, q) for chain in chains]
        return np.sum([*apart, *(0.5 * r for r in reach)], axis=0) + np.zeros(len(q))

    drives = [int(i) for i in linkage.drives]
    opened = _best(linkage, drives, width)
    closed = _best(linkage, drives, lambda q: -width(q))
    return opened, closed


def _best(
    linkage: HandLinkage, drives: Sequence[int], value: Callable[[Array], Array]
) -> Array:
    """Return joint positions (n,) of greatest value: the best corner, then sweeps."""
    n = len(linkage.joints)
    middle = np.clip(np.zeros(n), linkage.lower, linkage.upper)
    ends = [(linkage.lower[i], linkage.upper[i]) for i in drives]
    corners = list(product(*ends[:MOST_CORNERS]))
    starts = np.tile(middle, (len(corners) + 1, 1))
    starts[1:, list(drives[:MOST_CORNERS])] = corners
    scale = float(np.max(np.abs(value(linkage.follow(starts)))))

    def score(q: Array) -> Array:
        off = q[:, list(drives)] - middle[list(drives)]
        return value(linkage.follow(q)) - NEAR_ZERO * scale * np.sum(off**2, axis=1)

    best = starts[int(np.argmax(score(starts)))]
    for _ in range(SWEEPS):
        for i in drives:
            tried = np.tile(best, (len(GRID) + 1, 1))
            tried[1:, i] = linkage.lower[i] + GRID * (
                linkage.upper[i] - linkage.lower[i]
            )
            tried[0, i] = middle[i]
            best = tried[int(np.argmax(score(tried)))]
    return linkage.follow(best)
