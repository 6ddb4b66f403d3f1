"""The floor's forces tell where the centre of mass is, whatever the arms do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from telexist.robots.drives.actuators import GRAVITY
from telexist.teleop.controllers.sensing.com_bias import ComBias
from telexist.teleop.controllers.terms.measured import Measured

MASS, HEIGHT, DT = 30.0, 0.5, 0.005  # [kg], [m], [s]
CLOSE = 4e-4  # [m]; a tenth of the errors that are looked for
CLOSE_VELOCITY = 1e-4  # [m/s]


@dataclass(frozen=True, kw_only=True)
class Body:
    """A mass over one sole, and a momentum about it that goes to and fro.

    Attributes:
        make: Makes what is computed.
        error: Of the computed centre of mass (2,) [m].
        velocity_error: Of its computed velocity (2,) [m/s].
        swing: Greatest angular momentum about y and x (2,) [kg m^2/s].
    """

    make: Callable[..., Measured]
    error: np.ndarray = field(default_factory=lambda: np.zeros(2))
    velocity_error: np.ndarray = field(default_factory=lambda: np.zeros(2))
    swing: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def reading(self, time: float, push: float = 0.0) -> tuple[Measured, np.ndarray]:
        """Return what is computed and felt; the true centre of mass stays at zero.

        A momentum that rises slowly and falls fast: pressure far on one side for a
        short time, near on the other for long.
        """
        w = 2.0 * np.pi
        momentum = self.swing * (np.sin(w * time) + 0.5 * np.sin(2.0 * w * time))
        rate = self.swing * w * (np.cos(w * time) + np.cos(2.0 * w * time))
        # At rest over the origin: moment of the floor about it = rate of momentum.
        wrench = np.zeros((2, 6))
        wrench[0, 2] = MASS * GRAVITY
        wrench[0, 4], wrench[0, 3] = rate[0], -rate[1]
        wrench[0, 4] -= push * HEIGHT
        computed = self.make(
            com=np.array([*self.error, HEIGHT]),
            com_vel=np.array([*self.velocity_error, 0.0]),
            angular_momentum=np.array([-momentum[1], momentum[0], 0.0]),
            sole_p=np.zeros((2, 3)),
        )
        return computed, wrench


def learnt(body: Body, duration: float, *, standing: bool = True) -> ComBias:
    bias = ComBias(MASS)
    for k in range(round(duration / DT)):
        bias.step(*body.reading(k * DT), DT, learn=standing)
    return bias


@pytest.mark.parametrize("swing", [0.0, 1.0, 3.0])
def test_the_error_is_found_while_arms_swing(swing: float, measured: Callable) -> None:
    """A swing of 3 moves the pressure by 13 cm on one side and 6 on the other."""
    error = np.array([0.004, -0.003])
    body = Body(make=measured, error=error, swing=np.array([swing, 0.5 * swing]))
    assert np.abs(learnt(body, 15.0).value - error).max() < CLOSE


def test_an_error_of_the_velocity_is_found(measured: Callable) -> None:
    error = np.array([0.003, -0.002])
    bias = learnt(Body(make=measured, velocity_error=error), 15.0)
    assert np.abs(bias.velocity - error).max() < CLOSE_VELOCITY


def test_nothing_is_learnt_from_walking(measured: Callable) -> None:
    body = Body(
        make=measured,
        error=np.full(2, 0.01),
        velocity_error=np.ones(2),
        swing=np.ones(2),
    )
    bias = learnt(body, 3.0, standing=False)
    assert not bias.value.any()
    assert not bias.velocity.any()


def test_a_push_teaches_little(measured: Callable) -> None:
    """Half a body weight for 0.2 s would be 25 cm of pressure."""
    body = Body(make=measured)
    bias = learnt(body, 1.0)
    for k in range(40):
        bias.step(*body.reading(k * DT, 0.5 * MASS * GRAVITY), DT, learn=True)
    assert 0.0 < np.abs(bias.value).max() < 0.003


def test_without_load_nothing_is_learnt(measured: Callable) -> None:
    body, bias = Body(make=measured, error=np.full(2, 0.01)), ComBias(MASS)
    for k in range(200):
        computed, wrench = body.reading(k * DT)
        bias.step(computed, 0.1 * wrench, DT, learn=True)
    assert not bias.value.any()
