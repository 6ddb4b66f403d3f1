"""What standing and walking both decide in one control step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.terms.measured import Measured
from telexist.teleop.controllers.terms.whole_body_tasks import FootTask

__all__ = ["Intent", "dcm_feedback", "stay"]

STANCE_DAMPING = 40.0  # [1/s] of a standing foot
FLATTENING = 100.0  # [1/s^2] of a standing foot that tips


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """How to keep or move the balance now.

    Attributes:
        zmp: Where the centre of pressure should be (2,) [m].
        zmp_plan: Where the plan has it (2,) [m].
        dcm_plan: Where the plan has the DCM (2,) [m].
        feet: What the left and the right foot do.
        yaw: Heading of the base [rad].
        floor: Height of the floor below the centre of mass [m].
        footholds: Steps to come: x, y, yaw, foot (k, 4).
    """

    zmp: Array
    zmp_plan: Array
    dcm_plan: Array
    feet: tuple[FootTask, FootTask]
    yaw: float
    floor: float
    footholds: Array = field(default_factory=lambda: np.zeros((0, 4)))


def dcm_feedback(
    dcm: Array, dcm_plan: Array, zmp_plan: Array, *, gain: float, omega: float
) -> Array:
    """Return zmp = zmp_plan + (1 + k / omega)(xi - xi_plan) (2,) [m].

    As a law for the centre of mass it is B.11a of the thesis with kp = k omega and
    kd = k + omega.
    """
    return zmp_plan + (1.0 + gain / omega) * (dcm - dcm_plan)


def stay(measured: Measured, foot: int, normal: Array, load: float = 2.0) -> FootTask:
    """Return the task of a foot that stands: no velocity, flat on the floor.

    Args:
        measured: The robot.
        foot: Which.
        normal: Of the floor (3,).
        load: Greatest vertical force, in body weights.
    """
    acc = -STANCE_DAMPING * measured.sole_v[foot]
    x, y, z = measured.sole_up[foot].tolist()
    a, b, c = normal.tolist()
    acc[3] += FLATTENING * (y * c - z * b)
    acc[4] += FLATTENING * (z * a - x * c)
    return FootTask(load=load, acc=acc)
