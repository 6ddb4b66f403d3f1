"""A robot's physics in MuJoCo: model, sensors, pushes, disturbances.

A description goes in; a simulation comes out that takes torques or servo targets.
"""

from telexist.robots.mujoco.disturbances import Disturbances
from telexist.robots.mujoco.drive_accelerations import drive_bounds
from telexist.robots.mujoco.dynamics import ModelAgreement, model_agreement
from telexist.robots.mujoco.model import Mount, MujocoModel, build_mujoco, mujoco_spec
from telexist.robots.mujoco.push import Push
from telexist.robots.mujoco.seat import Seat, seat_for
from telexist.robots.mujoco.sensors import NO_NOISE, SensorNoise
from telexist.robots.mujoco.simulation import HOLD_AFTER, Simulation, hold_gains

__all__ = [
    "Disturbances",
    "HOLD_AFTER",
    "ModelAgreement",
    "Mount",
    "MujocoModel",
    "NO_NOISE",
    "Push",
    "Seat",
    "SensorNoise",
    "Simulation",
    "build_mujoco",
    "drive_bounds",
    "hold_gains",
    "model_agreement",
    "mujoco_spec",
    "seat_for",
]
