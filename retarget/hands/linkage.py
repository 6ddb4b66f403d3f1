"""The links and joints below a robot's wrist, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.compiled import Ints
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["HandLinkage"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandLinkage:
    """Bodies and joints of a hand, parents before children.

    Body 0 is the hand's own link, joint i moves body i + 1. Joints without a leader
    lead themselves: `q = multiplier * q[leader] + offset` holds for all.

    Attributes:
        joints: Names (n).
        parent: Body that carries each joint (n,).
        rotation: Orientation of the joint on that body at zero (n, 3, 3).
        position: Place of the joint on that body (n, 3) [m].
        axis: Direction in its own axes (n, 3).
        slides: Whether it is prismatic (n,).
        lower: Lowest positions (n,) [rad] or [m].
        upper: Highest positions (n,).
        velocity: Greatest speeds (n,) [rad/s] or [m/s]; inf where unknown.
        leader: Whom it follows (n,), in the end.
        multiplier: Of the leader's position (n,).
        offset: Added to that (n,).
        points: Corners and frames of each body in its axes, n + 1 of (k, 3) [m].
        com: Centres of mass (n + 1, 3) [m].
    """

    joints: tuple[str, ...]
    parent: Ints
    rotation: Array
    position: Array
    axis: Array
    slides: np.ndarray
    lower: Array
    upper: Array
    velocity: Array
    leader: Ints
    multiplier: Array
    offset: Array
    points: tuple[Array, ...]
    com: Array

    @property
    def drives(self) -> Ints:
        """Joints that follow nobody and can move (m,)."""
        n = len(self.joints)
        leads = self.leader == np.arange(n)
        return np.flatnonzero(leads & (self.upper > self.lower))

    def joints_on(self, body: int) -> tuple[int, ...]:
        """Return the joints that a body carries."""
        return tuple(int(i) for i in np.flatnonzero(self.parent == body))

    def path(self, body: int) -> tuple[int, ...]:
        """Return the joints from body 0 to a body."""
        path: list[int] = []
        while body > 0:
            path.append(body - 1)
            body = int(self.parent[body - 1])
        return tuple(reversed(path))

    def leaves(self, body: int) -> Iterator[int]:
        """Yield the bodies beyond a body that carry no joint."""
        above = self.joints_on(body)
        if not above:
            yield body
        for joint in above:
            yield from self.leaves(joint + 1)

    def follow(self, q: Array) -> Array:
        """Return positions (..., n) in which the followers follow their leaders."""
        return self.multiplier * q[..., self.leader] + self.offset

    def place(
        self, path: Sequence[int], q: Array, body_p_point: Array
    ) -> tuple[Array, Array]:
        """Return where the joints of a path and a point on its last body are.

        Args:
            path: Joints from body 0.
            q: Positions of all joints (..., n).
            body_p_point: In axes of the last body (3,) [m].

        Returns:
            The joints' origins (len(path), ..., 3) and the point (..., 3) in axes of
            body 0.
        """
        shape = q.shape[:-1]
        R = np.broadcast_to(np.eye(3), (*shape, 3, 3))
        p = np.zeros((*shape, 3))
        origins = []
        for i in path:
            p = p + R @ self.position[i]
            R = R @ self.rotation[i]
            origins.append(p)
            along = q[..., i, None] * self.axis[i]
            if self.slides[i]:
                p = p + np.einsum("...ij,...j->...i", R, along)
            else:
                R = R @ exp_so3(along)
        origins_ = np.array(origins).reshape(len(path), *shape, 3)
        return origins_, p + R @ body_p_point

    def beyond(self, body: int) -> HandLinkage:
        """Return what a body carries, with that body as body 0.

        A joint whose leader stays behind stands where the leader's zero has it.
        """
        kept = [i for i in range(len(self.joints)) if body in self._bodies(i)]
        number = {i: k for k, i in enumerate(kept)}
        bodies = {body: 0} | {i + 1: k + 1 for i, k in number.items()}
        leader = [number.get(int(self.leader[i]), number[i]) for i in kept]
        lost = np.array([int(self.leader[i]) not in number for i in kept], dtype=bool)
        stand = self.offset[kept]
        return HandLinkage(
            joints=tuple(self.joints[i] for i in kept),
            parent=np.array([bodies[int(self.parent[i])] for i in kept], dtype=int),
            rotation=self.rotation[kept],
            position=self.position[kept],
            axis=self.axis[kept],
            slides=self.slides[kept],
            lower=np.where(lost, stand, self.lower[kept]),
            upper=np.where(lost, stand, self.upper[kept]),
            velocity=self.velocity[kept],
            leader=np.array(leader, dtype=int),
            multiplier=np.where(lost, 0.0, self.multiplier[kept]),
            offset=self.offset[kept],
            points=tuple(self.points[b] for b in bodies),
            com=self.com[list(bodies)],
        )

    def _bodies(self, joint: int) -> tuple[int, ...]:
        """Return the bodies from which a joint hangs."""
        return (0, *(i + 1 for i in self.path(int(self.parent[joint]))))
