"""Compiled functions are loaded when a controller is made, not in a step.

A function that meets a new type of argument is compiled anew, for a second: in a
control step the robot would fall.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from telexist.robots.mujoco.push import Push
from telexist.teleop.terms.walk_command import WalkCommand

PACKAGES = ("telexist.robots.", "telexist.teleop.controllers.")


def compiled() -> dict[str, int]:
    """Return how many versions there are of each function of control and simulation."""
    return {
        f"{name}.{key}": len(value.signatures)
        for name, module in list(sys.modules.items())
        if name.startswith(PACKAGES)
        for key, value in vars(module).items()
        if isinstance(value, Dispatcher)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1"])
def test_no_step_compiles_anything(name: str, world: Callable) -> None:
    w = world(name)
    before = compiled()
    assert len(before) > 15
    n = w.controller.model.n
    wave = np.full(n, 0.1)
    wave.setflags(write=False)  # references come read-only, or as parts of others
    w.run(0.5, dq=wave, ddq=np.zeros((n, 2))[:, 0])
    w.run(3.0, planted=(True, False))
    w.run(3.0)
    weight = w.controller.qp.weight
    force = np.array([0.0, 0.3 * weight, 0.0, 0.0, 0.0, 0.0])
    w.simulation.push(Push(world_f=force, start=w.simulation.time, duration=0.1))
    w.run(3.0, walk=WalkCommand(vx=0.1, wz=0.1))
    w.run(3.0)
    assert w.controller.mode != "fallen"
    assert "walk: started" in w.events
    assert compiled() == before
