"""Random models with every kind of joint, and targets with general weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.lm_pfd.model import (
    JOINT_DOFS,
    Link,
    LinkModel,
    Loop,
    PoseTarget,
    Posture,
    ViaPoint,
    Wire,
)
from telexist.retarget.so3 import Array, exp_so3


class RandomModels:
    """Models, postures and targets of one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def model(self, count: int, *, wires: int = 0, loops: int = 0) -> LinkModel:
        links = self.links(count)
        return LinkModel(
            links=links,
            wires=tuple(self.wire(links, k) for k in range(wires)),
            loops=self.loops(links)[:loops],
        )

    def links(self, count: int) -> tuple[Link, ...]:
        """Return a branched tree; every kind of joint occurs."""
        kinds, rng = list(JOINT_DOFS), self.rng
        return tuple(
            Link(
                name=f"link{i}",
                parent=None if i == 0 else f"link{rng.integers(max(0, i - 4), i)}",
                joint=kinds[(i + 3) % len(kinds)],
                rest_p=0.3 * rng.normal(size=3),
                rest_R=exp_so3(rng.normal(size=3)),
                axis=rng.normal(size=3),
            )
            for i in range(count)
        )

    def posture(self, model: LinkModel, size: float = 1.0) -> Posture:
        """Turn and slide the joints along what they allow."""
        rng, n = self.rng, len(model.links)
        turns, slides = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))
        for i, link in enumerate(model.links):
            if link.joint == "revolute":
                turns[i] = exp_so3(size * rng.normal() * link.axis)
            if link.joint == "prismatic":
                slides[i] = 0.3 * size * rng.normal() * link.axis
            if link.joint in ("spherical", "free"):
                turns[i] = exp_so3(size * rng.normal(size=3))
            if link.joint == "free":
                slides[i] = 0.3 * size * rng.normal(size=3)
        return Posture(turns=turns, slides=slides)

    def targets(self, model: LinkModel) -> list[PoseTarget]:
        """Return full weights, weights of low rank, and none on some links."""
        rng, targets = self.rng, []
        for i, link in enumerate(model.links):
            if i % 3 == 1:
                continue
            A = rng.normal(size=(6, 6 if i % 2 else 3))
            targets.append(
                PoseTarget(
                    link=link.name,
                    world_p_goal=rng.normal(size=3),
                    world_R_goal=exp_so3(rng.normal(size=3)),
                    weight=0.5 * (A @ A.T + (A @ A.T).T),
                    link_p_point=0.1 * rng.normal(size=3) * (i % 4 != 0),
                )
            )
        return targets

    def reachable(
        self, model: LinkModel, posture: Posture, weight: float = 1.0
    ) -> list[PoseTarget]:
        """Return pose targets on every link that a posture meets."""
        R, p = place(model, posture)
        return [
            PoseTarget(
                link=link.name,
                world_p_goal=p[i],
                world_R_goal=R[i],
                weight=weight * np.eye(6),
            )
            for i, link in enumerate(model.links)
        ]

    def wire(self, links: tuple[Link, ...], number: int) -> Wire:
        """Return a wire over two to five points; most are too short."""
        rng = self.rng
        path = tuple(
            ViaPoint(
                link=links[rng.integers(len(links))].name,
                link_p_point=0.2 * rng.normal(size=3),
            )
            for _ in range(rng.integers(2, 6))
        )
        length, weight = rng.uniform(0.1, [4.0, 2.0])
        return Wire(
            name=f"wire{number}", path=path, length=float(length), weight=float(weight)
        )

    def loops(self, links: tuple[Link, ...]) -> tuple[Loop, ...]:
        """Return one loop of points and one of poses."""
        rng = self.rng
        names = (links[1].name, links[-1].name, links[len(links) // 2].name)
        a, b, c, d = (
            ViaPoint(link=names[k], link_p_point=0.2 * rng.normal(size=3))
            for k in (0, 1, 1, 2)
        )
        R = exp_so3(rng.normal(size=3))
        return (
            Loop(first=a, second=b),
            Loop(first=c, second=d, first_R_second=R),
        )


def place(model: LinkModel, posture: Posture) -> tuple[Array, Array]:
    """Return the rotations and positions of all links, by plain numpy."""
    index, n = model.index(), len(model.links)
    R, p = np.empty((n, 3, 3)), np.empty((n, 3))
    for i, link in enumerate(model.links):
        R_on, p_on = np.eye(3), np.zeros(3)
        if link.parent is not None:
            R_on, p_on = R[index[link.parent]], p[index[link.parent]]
        base = R_on @ link.rest_R
        R[i] = base @ posture.turns[i]
        p[i] = p_on + R_on @ link.rest_p + base @ posture.slides[i]
    return R, p


@pytest.fixture
def random_models() -> Callable[[int], RandomModels]:
    return RandomModels


@pytest.fixture
def plain_place() -> Callable[[LinkModel, Posture], tuple[Array, Array]]:
    return place
