"""Masses, forces and the postures in which a robot stands and sits.

A configuration goes in; mass matrix, bias forces, Jacobians and momentum come out, from
pinocchio and from MuJoCo's own inertias.
"""

from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.robots.dynamics.reaching_posture import reaching_posture
from telexist.robots.dynamics.simulation_urdf import simulation_urdf
from telexist.robots.dynamics.sitting_posture import PlantedLegs, sitting_posture
from telexist.robots.dynamics.standing_posture import leg_joints, standing_posture
from telexist.robots.dynamics.thighs import (
    SEATED_SHANK,
    SEATED_THIGH,
    LegShape,
    leg_shape,
    thigh_patches,
)
from telexist.robots.dynamics.touching import touching_agent

__all__ = [
    "BodyState",
    "DynamicsModel",
    "LegShape",
    "PlantedLegs",
    "SEATED_SHANK",
    "SEATED_THIGH",
    "leg_joints",
    "leg_shape",
    "reaching_posture",
    "simulation_urdf",
    "sitting_posture",
    "standing_posture",
    "thigh_patches",
    "touching_agent",
]
