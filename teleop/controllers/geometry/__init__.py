"""Polygons, small rotations, smooth curves: the mathematics controllers share."""

from telexist.teleop.controllers.geometry.bounded_follower import BoundedFollower
from telexist.teleop.controllers.geometry.joint_room import joint_room
from telexist.teleop.controllers.geometry.leg_reach import LegReach
from telexist.teleop.controllers.geometry.minimum_jerk import (
    Blend,
    QuinticPoint,
    at_rest,
    quintic_step,
)
from telexist.teleop.controllers.geometry.small_rotations import (
    about_z,
    rotation_vector,
    turned_by,
)
from telexist.teleop.controllers.geometry.support_polygon import (
    SupportPolygon,
    sole_corners_on_floor,
    support_corners,
)

__all__ = [
    "Blend",
    "BoundedFollower",
    "LegReach",
    "QuinticPoint",
    "SupportPolygon",
    "about_z",
    "at_rest",
    "joint_room",
    "quintic_step",
    "rotation_vector",
    "sole_corners_on_floor",
    "support_corners",
    "turned_by",
]
