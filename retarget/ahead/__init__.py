"""Clips see ahead: a second pass over a whole retargeted motion.

A `RobotMotion` as the engine gives it goes in, with the robot's masses; out comes one
that is as near to it as can be and smooth, with soles that stay and a ZMP inside them.
"""

from telexist.retarget.ahead.body_motion import Placed, place_bodies, point_columns
from telexist.retarget.ahead.even_motion import Postures, even_times, postures_at
from telexist.retarget.ahead.forces import (
    GRAVITY,
    AskedForces,
    ask_forces,
    joint_torques,
    moments_of,
)
from telexist.retarget.ahead.see_ahead import see_ahead
from telexist.retarget.ahead.settings import AheadSettings
from telexist.retarget.ahead.stands import runs, sole_corners

__all__ = [
    "AheadSettings",
    "AskedForces",
    "GRAVITY",
    "Placed",
    "Postures",
    "ask_forces",
    "even_times",
    "joint_torques",
    "moments_of",
    "place_bodies",
    "point_columns",
    "postures_at",
    "runs",
    "see_ahead",
    "sole_corners",
]
