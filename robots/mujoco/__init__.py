"""A robot's physics in MuJoCo: model, sensors, pushes, disturbances.

A description goes in; a simulation comes out that takes torques or servo targets.
"""

from telexist.robots.mujoco.disturbances import Disturbances, disturb
from telexist.robots.mujoco.drive_accelerations import drive_bounds
from telexist.robots.mujoco.dynamics import ModelAgreement, model_agreement
from telexist.robots.mujoco.hand_spring import HandSpring
from telexist.robots.mujoco.model import (
    MujocoModel,
    build_mujoco,
    compile_spec,
    find_robot,
)
from telexist.robots.mujoco.physics import Physics
from telexist.robots.mujoco.push import Push
from telexist.robots.mujoco.robot_place import RobotPlace
from telexist.robots.mujoco.robot_spec import (
    Mount,
    add_stage,
    mujoco_spec,
    robot_spec,
)
from telexist.robots.mujoco.seat import Seat, seat_for
from telexist.robots.mujoco.sensors import NO_NOISE, SensorNoise
from telexist.robots.mujoco.simulation import HOLD_AFTER, Simulation, hold_gains

__all__ = [
    "Disturbances",
    "HOLD_AFTER",
    "HandSpring",
    "ModelAgreement",
    "Mount",
    "MujocoModel",
    "NO_NOISE",
    "Physics",
    "Push",
    "RobotPlace",
    "Seat",
    "SensorNoise",
    "Simulation",
    "add_stage",
    "build_mujoco",
    "compile_spec",
    "disturb",
    "drive_bounds",
    "find_robot",
    "hold_gains",
    "model_agreement",
    "mujoco_spec",
    "robot_spec",
    "seat_for",
]
