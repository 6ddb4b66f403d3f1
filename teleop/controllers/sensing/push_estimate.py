"""What pushes the robot: acceleration that neither floor nor own motion explains.

The whole-body QP asked for accelerations nu* and forces f* of the floor. The IMU
feels the base's acceleration a, the soles feel f. With M the mass matrix, J the soles'
Jacobians, B that of the base's origin and P that of the base link's centre of mass,

    a - B nu* = B M^-1 (J' (f - f*) + P' push),

and the same for forces felt at the hands, less those that were reckoned with.

Readings are averaged over some milliseconds; what may be noise, or a joint that lags,
counts as nothing, and so does what lasts. A push moves the base at least as it would
move the whole robot: what soles feel while the base does what was asked is none. A push
at another place is found as a greater or lesser one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.parameters import SensingParameters
from telexist.teleop.controllers.terms import AppliedForces

__all__ = ["PushEstimate"]


class PushEstimate:
    """Follows the push.

    Attributes:
        value: Horizontal force in body weights (2,), world axes; 0 if it may be noise.
    """

    def __init__(
        self, model: DynamicsModel, parameters: SensingParameters | None = None
    ) -> None:
        """Start without a push.

        Args:
            model: The robot, at its state of the step whenever one is taken.
            parameters: What counts as a push.
        """
        self._p = parameters or SensingParameters()
        self._model, self._weight = model, model.mass * GRAVITY
        self._base = np.eye(6 + model.n)[:, :3]
        self.reset()
        self._unexplained(
            np.eye(3), np.zeros(3), np.zeros((2, 6))
        )  # loads the compiled

    def reset(self) -> None:
        """Forget."""
        self._seen, self._lasting = np.zeros(2), np.zeros(2)
        self._known: AppliedForces | None = None
        self.value = np.zeros(2)
        self.expect(np.zeros(3), np.zeros((2, 6)))

    def expect(
        self, base_acc: Array, wrenches: Array, known: AppliedForces | None = None
    ) -> None:
        """Take what is asked for until the next reading.

        Args:
            base_acc: Acceleration of the base's origin, world axes (3,) [m/s^2].
            wrenches: On the soles, world axes (2, 6) [N], [N m].
            known: Forces besides that were reckoned with; None for none.
        """
        self._base_acc, self._wrenches, self._asked = base_acc, wrenches, known

    def step(
        self,
        state: RobotState,
        world_R_base: Array,
        dt: float,
        known: AppliedForces | None = None,
    ) -> Array:
        """Take a reading and return the push (2,).

        Args:
            state: What the sensors say.
            world_R_base: Orientation of the base (3, 3).
            dt: Since the last reading [s].
            known: Forces that are felt besides the floor's: no push; None for none.
        """
        p, self._known = self._p, known
        innovation = self._unexplained(
            world_R_base, state.imu_acceleration, state.foot_wrenches
        )
        self._seen = self._seen + dt / (dt + p.push_time) * (innovation - self._seen)
        old = self._lasting
        self._lasting = old + dt / (dt + p.push_lasting) * (self._seen - old)
        sudden = self._seen - self._lasting
        size = float(np.hypot(*sudden))
        share = min(max((size - p.push_least) / (p.push_sure - p.push_least), 0.0), 1.0)
        self.value = share * sudden
        return self.value

    def _unexplained(self, world_R_base: Array, imu: Array, wrenches: Array) -> Array:
        """Return the push (2,) that explains a reading, in body weights."""
        model = self._model
        innovation = world_R_base @ imu - self._base_acc
        innovation[2] -= GRAVITY
        mobility = np.linalg.solve(model.M, self._base)
        for sign, known in ((-1.0, self._known), (1.0, self._asked)):
            if known is not None:
                innovation += sign * (mobility.T @ known.generalized)
        force = _push(
            mobility,
            model.sole_J,
            model.sole_R,
            np.array(wrenches, dtype=float, order="C"),
            self._wrenches,
            innovation,
            world_R_base @ model.base_p_mass,
        )
        push = force / self._weight
        moved = float(innovation[:2] @ push) / GRAVITY / max(float(push @ push), 1e-9)
        return push * min(max(moved, 0.0), 1.0)


@jit_hold_gil
def _push(
    mobility: NDArray[np.floating],
    J: Array,
    R: Array,
    felt: Array,
    asked: Array,
    innovation: Array,
    lever: Array,
) -> NDArray[Any]:
    """Return the horizontal force on the base (2,) [N].

    Args:
        mobility: M^-1 B' (nv, 3).
        J: Jacobians of the soles (2, 6, nv).
        R: Axes of the soles (2, 3, 3).
        felt: Wrenches of the sensors, sole axes (2, 6).
        asked: Wrenches that were asked for, world axes (2, 6).
        innovation: Acceleration of the base less the one asked for (3,) [m/s^2].
        lever: From the base's origin to where the push acts, world axes (3,).
    """
    nv = len(mobility)
    left = innovation.copy()
    for i in range(2):
        for k in range(6):
            part = k - k % 3
            more = -asked[i, k]
            for m in range(3):
                more += R[i, k % 3, m] * felt[i, part + m]
            for a in range(3):
                gain = 0.0
                for j in range(nv):
                    gain += mobility[j, a] * J[i, k, j]
                left[a] -= gain * more
    give = np.empty((3, 3))  # acceleration of the base per force
    for a in range(3):
        for b in range(3):
            c, d = (b + 1) % 3, (b + 2) % 3
            # A force along b turns the base by lever x force.
            turn = mobility[3 + c, a] * lever[d] - mobility[3 + d, a] * lever[c]
            give[a, b] = mobility[b, a] + turn
    return np.linalg.solve(give, left)[:2]
