"""What floor and seat do to a simulated robot, from MuJoCo's contacts."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.so3 import Array
from telexist.robots.mujoco.model import MujocoModel

__all__ = ["SoleWrenches"]


class SoleWrenches:
    """Adds up the contacts between floor and soles, and between seat and thighs."""

    def __init__(self, index: MujocoModel, model: Any, data: Any) -> None:
        """Look at a world.

        Args:
            index: Which shapes are floor and soles, and whether there is a seat.
            model: MuJoCo's model.
            data: MuJoCo's state.
        """
        self._model, self._data = model, data
        geoms = [index.sole_geoms.get(side, -1) for side in ("left", "right")]
        self._row_of = {
            (index.floor_geom, geom): row for row, geom in enumerate(geoms) if geom >= 0
        }
        # Views: they see every step. A missing sole is never touched.
        self._p = [data.geom_xpos[geom] for geom in geoms]
        self._R = [data.geom_xmat[geom].reshape(3, 3) for geom in geoms]
        self._depth = [float(model.geom_size[geom, 2]) for geom in geoms]
        if index.seat is not None:
            self._add_thighs(index.prefix, model, data)
        self._load_compiled()

    def _add_thighs(self, prefix: str, model: Any, data: Any) -> None:
        """Let rows 2 and 3 be the thighs, in the axes of the lines they sit on."""
        seat = model.geom(f"{prefix}seat").id
        for side in ("left", "right"):
            site, row = model.site(f"{prefix}{side}_thigh").id, len(self._p)
            self._p.append(data.site_xpos[site])
            self._R.append(data.site_xmat[site].reshape(3, 3))
            self._depth.append(0.0)
            for i in range(2):
                # A sphere comes before a box, and the force is what the box feels.
                self._row_of[model.geom(f"{prefix}{side}_thigh_{i}").id, seat] = row

    def _load_compiled(self) -> None:
        """Add nothing: what is compiled is loaded before time matters."""
        place, wrench = np.zeros(3), np.zeros(6)
        _add_contact(
            wrench, np.zeros(9), place, self._p[0], self._R[0], 0.0, wrench.copy()
        )

    def middle(self, row: int) -> Array:
        """Return where the left (0) or the right (1) sole's middle is (3,) [m]."""
        return self._p[row] - self._depth[row] * self._R[row][:, 2]

    def read(self) -> Array:
        """Return the wrenches on soles and, with a seat, thighs (2 or 4, 6).

        In the axes of the soles and of the thighs' lines, at their middles.
        """
        found = np.zeros((len(self._p), 6))
        if not self._data.ncon:
            return found
        contact, local = self._data.contact, np.zeros(6)
        rows = [self._row_of.get((a, b), -1) for a, b in contact.geom.tolist()]
        frames, places = contact.frame, contact.pos
        for i, row in enumerate(rows):
            if row < 0:
                continue
            mujoco.mj_contactForce(self._model, self._data, i, local)
            if row > 1:
                np.negative(local, out=local)
            p, R, depth = self._p[row], self._R[row], self._depth[row]
            _add_contact(local, frames[i], places[i], p, R, depth, found[row])
        return found


@jit_hold_gil
def _add_contact(
    local: Array,
    frame: Array,
    place: Array,
    p: Array,
    R: Array,
    depth: float,
    wrench: Array,
) -> None:
    """Add a contact's force to the wrench on a sole.

    Args:
        local: Force on the sole in the contact's axes (6,) [N].
        frame: Those axes as rows, one after the other (9,).
        place: Where it acts (3,) [m].
        p: Middle of the sole's box (3,) [m].
        R: Axes of the sole (3, 3).
        depth: Of the sole's middle below that of the box [m].
        wrench: Is changed: in sole axes at the sole's middle (6,).
    """
    force, arm = np.zeros(3), np.zeros(3)
    for i in range(3):
        for k in range(3):
            force[i] += local[k] * frame[3 * k + i]
        arm[i] = place[i] - (p[i] - R[i, 2] * depth)
    for i in range(3):
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            wrench[i] += force[k] * R[k, i]
            wrench[3 + i] += (arm[a] * force[b] - arm[b] * force[a]) * R[k, i]
