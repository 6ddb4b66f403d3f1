"""Walking commands: shaped from sticks, or read from a script."""

from telexist.teleop.devices.walk.walk_script import WalkScript
from telexist.teleop.devices.walk.walk_shaping import WalkLimits, WalkRamp, dead_zone

__all__ = ["WalkLimits", "WalkRamp", "WalkScript", "dead_zone"]
