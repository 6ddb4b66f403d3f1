"""From sensors to what is known: base, centre of mass, pushes, floor, falls."""

from telexist.teleop.controllers.sensing.base_estimator import BaseEstimator
from telexist.teleop.controllers.sensing.drive_lag import DriveLag, Underway
from telexist.teleop.controllers.sensing.fall import fall_reason, limp_torques
from telexist.teleop.controllers.sensing.floor_estimate import FloorEstimate
from telexist.teleop.controllers.sensing.foot_forces import FootForces
from telexist.teleop.controllers.sensing.hand_forces import HandForces
from telexist.teleop.controllers.sensing.pivot_bias import PivotBias
from telexist.teleop.controllers.sensing.push_estimate import PushEstimate
from telexist.teleop.controllers.sensing.state_estimator import StateEstimator

__all__ = [
    "BaseEstimator",
    "DriveLag",
    "FloorEstimate",
    "FootForces",
    "HandForces",
    "PivotBias",
    "PushEstimate",
    "StateEstimator",
    "Underway",
    "fall_reason",
    "limp_torques",
]
