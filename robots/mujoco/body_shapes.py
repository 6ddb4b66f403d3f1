"""What a robot falls on: one ellipsoid a link, of its mass and inertia.

Soles alone touch the floor while a robot stands and walks. Once its base is low, its
links do too, so that a fallen robot lies on the floor. Links do not touch each other.
A robot that sits is not low as long as its base is over the seat.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)

__all__ = ["SMALLEST", "BodyShapes", "add_body_shapes", "ellipsoid_of"]

PREFIX = "body of "
GROUP = 4  # of shapes, not drawn
SMALLEST = 0.01  # of the robot's mass that a link with a shape has
DENSITY = 300.0  # [kg/m^3] least of a shape: some models have dummy inertias
LOW = 0.6  # of the base's height when standing, below which the links touch the floor
FLOOR_TOUCHES, LINKS_TOUCH = 3, 2  # bits of contacts; the soles' is 1


def add_body_shapes(spec: Any, feet: frozenset[str]) -> None:
    """Give every link but the feet a shape that touches nothing yet.

    Args:
        spec: MuJoCo's model before it is compiled.
        feet: Links with soles.
    """
    total = sum(body.mass for body in spec.bodies)
    for body in spec.bodies:
        if body.name in feet or body.mass < SMALLEST * total or body.name == "world":
            continue
        sizes, link_R_shape = ellipsoid_of(body)
        body.add_geom(
            name=PREFIX + body.name,
            type=mujoco.mjtGeom.mjGEOM_ELLIPSOID,
            size=sizes,
            pos=body.ipos,
            quat=quat_wxyz_from_rotation(link_R_shape),
            mass=0.0,
            contype=0,
            conaffinity=0,
            group=GROUP,
        )


def ellipsoid_of(body: Any) -> tuple[Array, Array]:
    """Return half axes (3,) [m] inside the box of a link's inertia, and their axes."""
    xx, yy, zz, xy, xz, yz = body.fullinertia
    link_R_inertia = rotation_from_quat_wxyz(body.iquat)
    moments, axes = np.linalg.eigh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    squares = 1.5 / body.mass * (moments.sum() - 2.0 * moments)
    sizes = np.sqrt(np.maximum(squares, 1e-6))
    density = body.mass / (4.0 / 3.0 * np.pi * sizes.prod())
    return sizes * min(1.0, np.cbrt(density / DENSITY)), link_R_inertia @ axes


class BodyShapes:
    """Lets links touch the floor while the robot is low."""

    def __init__(
        self,
        model: Any,
        data: Any,
        bodies: np.ndarray,
        *,
        base: slice,
        base_height: float,
        normal: Array,
        seat_height: float | None = None,
    ) -> None:
        """Look at a robot in a compiled model.

        Args:
            model: MuJoCo's.
            data: MuJoCo's.
            bodies: The robot's.
            base: Where its free base is in `qpos`.
            base_height: Of the base over the floor when standing [m].
            normal: Of the floor, which goes through the world's origin (3,).
            seat_height: Of what the robot may sit on [m]; None for nothing.
        """
        self._model, self._data, self._normal = model, data, normal
        self._low, self._base = LOW * base_height, base.start
        if seat_height is not None:
            self._low = min(self._low, seat_height)
        shapes = [i for i in range(model.ngeom) if PREFIX in model.geom(i).name]
        self._all = np.array(shapes, dtype=int)
        own = np.isin(model.geom_bodyid[self._all], bodies)
        self._geoms = self._all[own]
        self._floor = model.geom("floor").id
        self._before = int(model.geom_contype[self._floor])
        self._floor_body = int(model.body_contype[0])
        self._bodies = model.geom_bodyid[self._geoms]
        self._touch_else = np.array(model.body_conaffinity[self._bodies])
        self._touching = False

    def update(self) -> None:
        """Look whether the base is low; cheap while nothing changes."""
        p, k = self._data.qpos, self._base
        n = self._normal
        low = bool(n[0] * p[k] + n[1] * p[k + 1] + n[2] * p[k + 2] < self._low)
        if low != self._touching and len(self._geoms):
            self._touching = low
            self._switch()

    def _switch(self) -> None:
        model, geoms = self._model, self._geoms
        touch = self._above_floor() if self._touching else np.zeros(len(geoms), bool)
        model.geom_conaffinity[geoms] = LINKS_TOUCH * touch
        model.body_conaffinity[self._bodies] = LINKS_TOUCH * touch | self._touch_else
        anybody = self._touching or model.geom_conaffinity[self._all].any()
        more = FLOOR_TOUCHES if anybody else 0
        model.geom_contype[self._floor] = self._before | more
        model.body_contype[0] = self._floor_body | more

    def _above_floor(self) -> np.ndarray:
        """Return which shapes are not in the floor now (g,): those would be thrown."""
        axes = self._data.geom_xmat[self._geoms].reshape(-1, 3, 3)
        sizes = self._model.geom_size[self._geoms]
        reach = np.linalg.norm(sizes * (self._normal @ axes), axis=1)
        return self._data.geom_xpos[self._geoms] @ self._normal > reach
