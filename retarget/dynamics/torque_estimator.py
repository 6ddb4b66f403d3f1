"""What a person's joints and contacts do: the exact MAP over the whole body.

The maximum a-posteriori estimate of [L] (25), solved on the tree in O(links), with the
rigid-body equations held exactly. What goes in is believed as far as its variance says:
joint accelerations, external wrenches on every link, readings of accelerations. What
comes out has a covariance, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import Ints, Records, jit_hold_gil, jit_internal
from telexist.retarget.dynamics.covariances import covariances_down
from telexist.retarget.dynamics.link_motion import hang_on_base, move_links
from telexist.retarget.dynamics.link_records import LINK
from telexist.retarget.dynamics.messages import means_down, messages_up
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["BodyKnowledge", "TorqueEstimator"]

NO_WRENCH = 0.01  # [N], [N m] deviation of the wrench on a link that touches nothing
_DONE, _UP, _DOWN = 0, 1, 2

_Motion = tuple[Array, Array, Array, Array, Array]
_Answer = tuple[Array, Array, Array, Array]


@dataclass(frozen=True, slots=True)
class BodyKnowledge:
    """What is known of the body at one moment; the arrays are the caller's to fill.

    Wrenches and accelerations are in the link's axes at its origin, force first.

    Attributes:
        q: Joint positions (n,) [rad].
        dq: Joint velocities (n,) [rad/s].
        ddq: Joint accelerations, as expected (n,) [rad/s^2].
        ddq_variance: Their variances (n,).
        pelvis_w: Angular velocity of the pelvis in its own axes (3,) [rad/s].
        wrench: External wrench on each link, as expected (23, 6).
        wrench_cov: Its covariance (23, 6, 6), positive definite.
        information: Of readings of the proper accelerations (23, 6, 6).
        information_vector: The information times the reading (23, 6).
    """

    q: Array
    dq: Array
    ddq: Array
    ddq_variance: Array
    pelvis_w: Array
    wrench: Array
    wrench_cov: Array
    information: Array
    information_vector: Array


class TorqueEstimator:
    """Estimates torques, accelerations and wrenches; fill `known`, then `step`.

    The answer is in arrays that the next step overwrites:

    Attributes:
        known: What is known of the body; starts as a person at rest who touches
            nothing and of whose acceleration nothing is known.
        tau: Torques (n,) [N m]: of the parent on the link, along the axes.
        tau_cov: Covariance of the torques of one joint (23, 3, 3), order of its axes.
        ddq: Joint accelerations (n,) [rad/s^2].
        acceleration: Proper acceleration of each link (23, 6), linear first.
        internal: Wrench on each link from its neighbour towards the base (23, 6).
        internal_cov: Its covariance (23, 6, 6).
        wrench: External wrench on each link (23, 6).
        wrench_cov: Its covariance (23, 6, 6).
    """

    def __init__(self, person: PersonModel, *, base: str = "Pelvis") -> None:
        """Prepare for one person.

        Args:
            person: Size, masses and joints.
            base: Link from which the recursion starts; the answer does not depend
                on it.

        Raises:
            UnknownName: If there is no such link.
        """
        if base not in SEGMENT_INDEX:
            raise UnknownName("segment", base, SEGMENTS)
        self.person = person
        self._order = np.array(_hang(person, SEGMENT_INDEX[base])[0])
        self._links = _records(person, SEGMENT_INDEX[base])
        self._work = np.zeros((6, 6, 6))
        self._wide = np.zeros((3, 12, 12))
        n = person.n
        links = self._links
        self.known = BodyKnowledge(
            q=np.zeros(n),
            dq=np.zeros(n),
            ddq=np.zeros(n),
            ddq_variance=np.ones(n),
            pelvis_w=np.zeros(3),
            wrench=links["y"],
            wrench_cov=links["V"],
            information=links["known_Lam"],
            information_vector=links["known_eta"],
        )
        self.known.wrench_cov[:] = NO_WRENCH**2 * np.eye(6)
        self.tau, self.ddq = np.zeros(n), np.zeros(n)
        self.tau_variance, self.ddq_variance = np.zeros(n), np.zeros(n)
        self.tau_cov: Array = links["cov_tau"]
        self.acceleration: Array = links["a"]
        self.internal: Array = links["f"]
        self.internal_cov: Array = links["cov"][:, 6:, 6:]
        self.wrench: Array = links["fx"]
        self.wrench_cov: Array = links["cov_fx"]
        k = self.known
        self._motion = (k.q, k.dq, k.ddq, k.ddq_variance, k.pelvis_w)
        self._answer = (self.tau, self.tau_variance, self.ddq, self.ddq_variance)

    def step(self) -> None:
        """Estimate everything, with covariances, from `known`.

        Raises:
            BadInput: If something known is not finite, or a covariance not positive.
        """
        self._raise_on(
            _estimate(
                self._links,
                self._order,
                self._motion,
                (self._work, self._wide),
                self._answer,
            )
        )

    def step_means(self) -> None:
        """Estimate without covariances, in half the time.

        Raises:
            BadInput: As `step`.
        """
        self._raise_on(
            _estimate_means(
                self._links, self._order, self._motion, self._work, self._answer
            )
        )

    def _raise_on(self, link: int) -> None:
        if link < 0:
            return
        raise BadInput(
            f"{SEGMENTS[link]}: what is known of it is not finite, "
            "or the covariance of its wrench is not positive definite"
        )

    @property
    def rotations(self) -> Array:
        """Return `parent_R_link` of the last step (23, 3, 3)."""
        rotations: Array = self._links["R"]
        return rotations


def _hang(
    person: PersonModel, base: int
) -> tuple[list[int], NDArray[np.int64], NDArray[np.int64]]:
    """Return the order of links from the base, what each hangs on, by whose joint."""
    n = len(SEGMENTS)
    above, edge = np.full(n, -1), np.arange(n)
    order, seen = [base], {base}
    for link in order:
        near = [int(i) for i in np.flatnonzero(person.parent == link)]
        if person.parent[link] >= 0:
            near.append(int(person.parent[link]))
        for other in near:
            if other not in seen:
                seen.add(other)
                order.append(other)
                above[other] = link
                edge[other] = other if person.parent[other] == link else link
    return order, above, edge


def _records(person: PersonModel, base: int) -> NDArray[np.void]:
    links = np.zeros(len(SEGMENTS), LINK)
    _, links["above"], links["edge"] = _hang(person, base)
    links["parent"], links["axes"] = person.parent, person.axes
    links["first"], links["offset"] = person.first, person.offset
    links["mass"], links["com"] = person.link_mass, person.com
    links["inertia"] = person.inertia
    return links


@jit_hold_gil
def _estimate(
    links: Records,
    order: Ints,
    motion: _Motion,
    room: tuple[Array, Array],
    answer: _Answer,
) -> int:
    """Do a step with covariances; returns the link that made it fail, or -1."""
    failed = _do_means(links, order, motion, room[0], answer)
    if failed < 0:
        covariances_down(links, order, room[0], room[1])
        for i in range(len(links)):
            own = links[i]
            if own.above >= 0:
                edge = links[own.edge]
                for k in range(3):
                    if edge.axes[k] >= 0:
                        answer[1][edge.first + k] = own.cov_tau[k, k]
                        answer[3][edge.first + k] = own.cov_dds[k, k]
    return failed


@jit_hold_gil
def _estimate_means(
    links: Records,
    order: Ints,
    motion: _Motion,
    work: Array,
    answer: _Answer,
) -> int:
    """Do a step without covariances; returns the link that made it fail, or -1."""
    return _do_means(links, order, motion, work, answer)


@jit_internal
def _do_means(
    links: Records,
    order: Ints,
    motion: _Motion,
    work: Array,
    answer: _Answer,
) -> int:
    q, dq, ddq, variances, world_w_base = motion
    move_links(links, q, dq, world_w_base)
    hang_on_base(links, ddq, variances)
    failed = messages_up(links, order, work)
    if failed >= 0:
        return failed
    if not means_down(links, order, work):
        return order[0]
    for i in range(len(links)):
        own = links[i]
        for r in range(6):
            if not (np.isfinite(own.a[r]) and np.isfinite(own.fx[r])):
                return i
        if own.above >= 0:
            edge = links[own.edge]
            for k in range(3):
                if edge.axes[k] >= 0:
                    answer[0][edge.first + k] = own.tau[k]
                    answer[2][edge.first + k] = own.dds[k]
    return -1
