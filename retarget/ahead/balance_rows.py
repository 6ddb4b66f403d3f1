"""Balance as linear rows: what the floor must give, and what it can.

For each inner frame three numbers, in body weights: the toppling moment about the
middle of what stands, as the offset of the ZMP times the vertical force [m], and that
force times `LIFT`. The first two must stay in the polygon of the soles, less a margin,
times the force; the third above `LEAST`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ahead.body_motion import Placed
from telexist.retarget.ahead.forces import GRAVITY, ask_forces, moments_of
from telexist.retarget.ahead.stands import FREE, Stands
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.so3 import Array

__all__ = ["BalanceRows", "Polygons", "balance_rows", "inside", "polygons_of"]

LEAST = 0.3  # body weights that press on the floor while anything stands
LIFT = 0.1  # [m] weight of the vertical force beside the offsets
SWEEPS = 4  # of alternating projections: corners of a polygon need some


class Polygons(NamedTuple):
    """Where the ZMP may be at the inner frames, about the middle of what stands.

    Attributes:
        middle: Of what stands (t - 2, 2) [m].
        normals: Of the edges, outwards (t - 2, k, 2).
        far: How far away they are (t - 2, k) [m].
        on: Whether anything stands (t - 2,).
    """

    middle: Array
    normals: Array
    far: Array
    on: NDArray[np.bool_]


class BalanceRows(NamedTuple):
    """Rows J x + now, to be `inside`.

    Attributes:
        J: By the columns of three frames (t - 2, 3, 3 m).
        now: What is now (t - 2, 3).
        polygons: What the first two must stay in, times the share.
        share: Vertical force, in body weights (t - 2,).
    """

    J: Array
    now: Array
    polygons: Polygons
    share: Array


def polygons_of(stands: Stands) -> Polygons:
    """Return where the ZMP may be."""
    inner = slice(1, -1)
    on, places = stands.on[:, inner], stands.places[:, inner, :, :2]
    count = np.maximum(on.sum(axis=(0, 2)), 1)
    middle = np.einsum("ktc,ktci->ti", on, places) / count[:, None]
    normals, limits = stands.normals[inner], stands.limits[inner]
    real = limits < FREE
    far = np.where(real, limits - np.einsum("tki,ti->tk", normals, middle), FREE)
    return Polygons(
        middle=middle,
        normals=np.where(real[..., None], normals, 0.0),
        far=far,
        on=stands.supported[inner],
    )


def balance_rows(
    placed: Placed,
    masses: RobotMasses,
    polygons: Polygons,
    columns: NDArray[np.int64],
    dt: float,
) -> BalanceRows:
    """Linearise what the floor must give.

    Args:
        placed: Where the robot is.
        masses: Of its bodies.
        polygons: Where it stands.
        columns: Those that may move (m,).
        dt: Between two frames [s].
    """
    asked = ask_forces(placed, masses, dt)
    moments = moments_of(placed, masses, asked, dt)
    weight = masses.total * GRAVITY
    counts = np.array([1.0, -2.0, 1.0])[:, None, None]
    when = np.arange(len(polygons.on))
    lifts = moments.com[:, 2][:, columns]
    rise = counts * np.stack([lifts[when + i] for i in range(3)])
    rise *= masses.total / dt**2
    moment, F = moments.moment[..., columns], asked.F[:, 2]
    rows, now = [], np.empty((len(when), 3))
    for axis, (row, sign) in enumerate(((1, -1.0), (0, 1.0))):
        middle = polygons.middle[:, axis]
        rows.append(sign * moment[:, :, row] - middle[:, None] * rise)
        now[:, axis] = sign * asked.M[:, row] - middle * F
    rows.append(LIFT * rise)
    now[:, 2] = LIFT * F
    J = np.concatenate(np.moveaxis(np.array(rows), 0, 2), axis=-1)
    J *= polygons.on[:, None, None] / weight
    return BalanceRows(J, now / weight, polygons, np.maximum(F / weight, LEAST))


def inside(points: Array, rows: BalanceRows) -> Array:
    """Return the nearest points (t - 2, 3) that the floor can give.

    By Dykstra's alternating projections; where nothing stands points stay.
    """
    normals, far = rows.polygons.normals, rows.polygons.far * rows.share[:, None]
    out = points.copy()
    out[:, 2] = np.maximum(out[:, 2], LIFT * LEAST)
    flat, beyond = out[:, :2], np.zeros(far.shape)
    for _ in range(SWEEPS):
        for k in range(far.shape[1]):
            a = normals[:, k]
            back = flat + beyond[:, k, None] * a
            beyond[:, k] = np.maximum(np.sum(back * a, axis=1) - far[:, k], 0.0)
            flat = back - beyond[:, k, None] * a
    out[:, :2] = flat
    return np.where(rows.polygons.on[:, None], out, points)
