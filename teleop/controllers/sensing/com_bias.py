"""How far the computed centre of mass is from where the floor's forces say it is.

An IMU that is tilted by a tenth of a degree, a floor that is not level, or masses that
are not as modelled put the balance millimetres off. The floor's pressure knows better.
With S = m z v + (L_y, -L_x) the momentum about the point under the centre of mass,

    m g (com - pressure) = dS/dt

whatever arms and trunk do. What is left of this balance is averaged over seconds of
standing and kept while walking. Momentum is looked at over some tenths of a second, in
which its noise is small. In the same way the computed velocity is compared with the
way that the computed centre of mass goes: a gyro or an accelerometer that is off makes
the two differ.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array
from telexist.robots.drives import GRAVITY
from telexist.teleop.controllers.terms import Measured

__all__ = ["ComBias"]

TIME = 2.0  # [s] of averaging
LOOK = 0.1  # [s] over which pressure and momentum are compared
SURPRISE = 0.02  # [m] beyond which one look does not count more: a push
LARGEST = 0.04  # [m]
LOADED = 0.3  # of body weight below which forces say nothing
FASTEST = 0.02  # [m/s] of an error of the velocity


class ComBias:
    """Learns the errors of the computed centre of mass and of its velocity.

    Attributes:
        value: Computed less true, world axes (2,) [m].
        velocity: The same of the velocity (2,) [m/s].
    """

    def __init__(self, mass: float) -> None:
        """Start without an error.

        Args:
            mass: Of the robot [kg].
        """
        self._mass = mass
        self.reset()
        _look(  # loads what is compiled before time matters
            np.zeros(3),
            np.zeros(3),
            np.zeros(3),
            np.zeros((2, 3)),
            np.zeros((2, 3, 3)),
            np.zeros((2, 6)),
            mass,
            1.0,
            False,
            np.zeros(2),
            *self._kept,
        )

    def reset(self) -> None:
        """Forget."""
        self.value, self.velocity = np.zeros(2), np.zeros(2)
        self._kept = self.value, self.velocity, np.zeros(2), np.zeros(2), np.zeros(2)
        self._begun = False

    def step(
        self,
        measured: Measured,
        foot_wrenches: Array,
        dt: float,
        *,
        learn: bool,
        shift: Array | None = None,
    ) -> None:
        """Take a reading.

        Args:
            measured: The robot; its centre of mass is the computed one.
            foot_wrenches: In sole axes (2, 6) [N], [N m].
            dt: Since the last reading [s].
            learn: Whether the robot stands; if not, the errors stay as they are.
            shift: Of the balance by forces at the hands (2,) [m]; None for none.
        """
        wrenches = np.array(foot_wrenches, dtype=float, order="C")
        _look(
            measured.com,
            measured.com_vel,
            measured.angular_momentum,
            measured.sole_p,
            measured.sole_R,
            wrenches,
            self._mass,
            dt,
            learn and self._begun,
            np.zeros(2) if shift is None else shift,
            *self._kept,
        )
        self._begun = True


@jit_internal
def _pressure(p: Array, R: Array, wrenches: Array, place: Array) -> float:
    """Write where the floor presses (2,) and return its force [N]; 0: nothing known."""
    force, moment = np.zeros(3), np.zeros(2)
    for i in range(2):
        f, m = np.zeros(3), np.zeros(3)
        for a in range(3):
            for b in range(3):
                f[a] += R[i, a, b] * wrenches[i, b]
                m[a] += R[i, a, b] * wrenches[i, 3 + b]
        force += f
        # Moment about the origin of the floor's plane, for the pressure's centre.
        moment[0] += p[i, 0] * f[2] - p[i, 2] * f[0] - m[1]
        moment[1] += p[i, 1] * f[2] - p[i, 2] * f[1] + m[0]
    floor = min(p[0, 2], p[1, 2])
    for a in range(2):
        place[a] = (moment[a] + floor * force[a]) / max(force[2], 1.0)
    return force[2]


@jit_hold_gil
def _look(
    com: Array,
    com_vel: Array,
    angular: Array,
    p: Array,
    R: Array,
    wrenches: Array,
    mass: float,
    dt: float,
    learn: bool,
    shift: Array,
    value: Array,
    velocity: Array,
    *kept: Array,
) -> None:
    """Compare pressure with momentum, and velocity with the way that was gone.

    Args:
        com: Centre of mass as computed (3,) [m].
        com_vel: Its velocity as computed (3,) [m/s].
        angular: Momentum about it (3,) [kg m^2/s].
        p: Middles of the soles (2, 3) [m].
        R: Axes of the soles (2, 3, 3).
        wrenches: On the soles, in their axes (2, 6).
        mass: Of the robot [kg].
        dt: Since the last reading [s].
        learn: Whether the errors are to change.
        shift: Of the balance by forces at the hands (2,) [m].
        value: Error of the centre of mass (2,) [m]; is changed, as all that follows.
        velocity: Error of its velocity (2,) [m/s].
        kept: Lever of the pressure, momentum over weight, both smoothed (2,), and
            where the centre of mass was (2,).
    """
    lever, momentum, before = kept
    place, now = np.empty(2), np.empty(2)
    force = _pressure(p, R, wrenches, place)
    height = com[2] - min(p[0, 2], p[1, 2])
    now[0] = (height * com_vel[0] + angular[1] / mass) / GRAVITY
    now[1] = (height * com_vel[1] - angular[0] / mass) / GRAVITY
    share, slow = dt / (dt + LOOK), dt / (dt + TIME)
    known = learn and force > LOADED * mass * GRAVITY
    for a in range(2):
        if force > LOADED * mass * GRAVITY:
            arm = force / (mass * GRAVITY) * (com[a] + shift[a] - place[a])
            lever[a] += share * (arm - lever[a])
        momentum[a] += share * (now[a] - momentum[a])
        if known:
            # The smoothed momentum grows at the smoothed rate.
            left = lever[a] - (now[a] - momentum[a]) / LOOK - value[a]
            value[a] += slow * min(max(left, -SURPRISE), SURPRISE)
            value[a] = min(max(value[a], -LARGEST), LARGEST)
            went = (com[a] - before[a]) / dt
            faster = com_vel[a] - went - velocity[a]
            velocity[a] += slow * faster
            velocity[a] = min(max(velocity[a], -FASTEST), FASTEST)
        before[a] = com[a]
