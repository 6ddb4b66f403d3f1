"""Masses, forces and the posture in which a robot stands.

A configuration goes in; mass matrix, bias forces, Jacobians and momentum come out, from
pinocchio and from MuJoCo's own inertias.
"""

from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.robots.dynamics.simulation_urdf import simulation_urdf
from telexist.robots.dynamics.standing_posture import standing_posture
from telexist.robots.dynamics.touching import touching_agent

__all__ = [
    "BodyState",
    "DynamicsModel",
    "simulation_urdf",
    "standing_posture",
    "touching_agent",
]
