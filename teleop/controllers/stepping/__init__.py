"""Feet and centre of mass: footsteps, the DCM through them, steps that change.

In: a command and where the feet stand. Out: where and when feet land, where the DCM is
to be then, and the path of the foot in the air. `walking` and `standing` use it.
"""

from telexist.teleop.controllers.stepping.command_ramp import CommandRamp
from telexist.teleop.controllers.stepping.dcm_plan import carried_over, caught_in_time
from telexist.teleop.controllers.stepping.footstep_plan import FootstepPlan
from telexist.teleop.controllers.stepping.footsteps import (
    LEFT,
    RIGHT,
    Foothold,
    clip_command,
    first_stance,
    nearer_foot,
    planar_rotation,
    side_of,
    standing_foothold,
    turned_towards,
)
from telexist.teleop.controllers.stepping.gait import stoop_at, timed
from telexist.teleop.controllers.stepping.path_follower import PathFollower
from telexist.teleop.controllers.stepping.step_pace import StepPace
from telexist.teleop.controllers.stepping.step_spacing import StepSpacing
from telexist.teleop.controllers.stepping.swing_foot import SwingFoot

__all__ = [
    "CommandRamp",
    "Foothold",
    "FootstepPlan",
    "LEFT",
    "PathFollower",
    "RIGHT",
    "StepPace",
    "StepSpacing",
    "SwingFoot",
    "carried_over",
    "caught_in_time",
    "clip_command",
    "first_stance",
    "nearer_foot",
    "planar_rotation",
    "side_of",
    "standing_foothold",
    "stoop_at",
    "timed",
    "turned_towards",
]
