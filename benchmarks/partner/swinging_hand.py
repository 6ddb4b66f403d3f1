"""A hand that swings while a partner pulls: the thesis' Figs 9.5 and 9.7.

The path is that of section 9.4: 5 cm at 0.1 Hz along x, less where the arm is short. It
begins at rest at its near end, 1.15 mm beside the hand. Forces are those of Table 9.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from telexist.retarget.advance import PathPoint, swinging_path
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.mujoco import NO_NOISE, Disturbances
from telexist.teleop.scenarios.hand import HandPull, HandReach, HandWorld, run_hand

__all__ = ["CLASSES", "real_robot", "simulated_robot"]

CLASSES: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "a": (10.0, 0.0, 0.0),
        "b": (5.0, 10.0, 0.0),
        "c": (5.0, 0.0, 10.0),
        "d": (-10.0, 0.0, 0.0),
        "e": (0.0, -10.0, 0.0),
        "f": (0.0, 0.0, 10.0),
    }
)
"""Table 9.1: forces [N]; a to c help while the hand goes ahead, d to f do not."""

AMPLITUDE, FREQUENCY = 0.05, 0.1  # [m], [Hz]
BESIDE = 0.00115  # [m]
PULSE = 0.75  # [s]
LAWS = ("advance", "printed")
FRICTION = 0.1  # [N m] of the joints of the real robot's stand-in


def simulated_robot(robot: RobotModel) -> list[dict[str, Any]]:
    """Return a row for each law and force: Fig. 9.5, sensors without noise."""
    world = HandWorld(robot=robot, noise=NO_NOISE)
    rows = []
    for law in LAWS:
        for name, force in CLASSES.items():
            start = 0.25 / FREQUENCY - 0.5 * PULSE  # it goes ahead fastest
            pull = HandPull(
                force=np.array(force),
                start=start,
                let_go=start + PULSE,
                ramp=0.5 * PULSE,
            )
            rows.append(
                {"law": law, "force": name} | _row(world, law, pull, duration=4.5)
            )
    return rows


def real_robot(robot: RobotModel) -> list[dict[str, Any]]:
    """Return a row for each law: Fig. 9.7, with noise and friction in the joints.

    Nobody pulls in the first swing. Then somebody pulls along x without an end: help
    while the hand goes ahead, none while it comes back.
    """
    world = HandWorld(robot=robot, disturbances=Disturbances(joint_friction=FRICTION))
    period = 1.0 / FREQUENCY
    rows = []
    for law in LAWS:
        pull = HandPull(force=np.array([10.0, 0.0, 0.0]), start=period)
        run = run_hand(world, law, pull, duration=2.0 * period, path_of=_swing)
        time, psi = run.trace.array("time"), run.trace.array("psi")
        gained = np.diff(psi) - np.diff(time)
        forth = np.mod(psi[:-1] * FREQUENCY, 1.0) < 0.5
        nobody, pulled = time[:-1] < period, time[:-1] >= period
        rows.append(
            {
                "law": law,
                "psi_ahead_alone_s": float(gained[nobody].sum()),
                "psi_ahead_with_s": float(gained[pulled & forth].sum()),
                "psi_ahead_against_s": float(gained[pulled & ~forth].sum()),
                "error_max_mm": 1e3 * float(run.trace.array("error").max()),
            }
        )
    return rows


def _row(
    world: HandWorld, law: str, pull: HandPull, *, duration: float
) -> dict[str, Any]:
    run = run_hand(world, law, pull, duration=duration, path_of=_swing)
    trace = run.trace
    energy = trace.array("energy")
    return {
        "psi_ahead_s": float(trace.array("psi")[-1] - trace.array("time")[-1]),
        "rate_max": float(trace.array("rate").max()),
        "error_max_mm": 1e3 * float(trace.array("error").max()),
        "v_over_start": float(energy.max() / energy[0]),
    }


def _swing(
    reach: HandReach, start: Array
) -> tuple[Callable[[float], PathPoint], Array | None]:
    size = min(AMPLITUDE, 0.5 * float(np.linalg.norm(reach.way)))
    amplitude = size * reach.way / float(np.linalg.norm(reach.way))
    middle = start + amplitude + np.array([0.0, BESIDE, 0.0])
    path, early = swinging_path(middle, amplitude, FREQUENCY), 0.25 / FREQUENCY
    return lambda psi: path(max(psi, 0.0) - early), None
