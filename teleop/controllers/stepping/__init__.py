"""Feet and centre of mass: footsteps, the DCM through them, standing and walking."""

from telexist.teleop.controllers.stepping.footsteps import LEFT, RIGHT, clip_command
from telexist.teleop.controllers.stepping.standing import Standing
from telexist.teleop.controllers.stepping.walking import WALKING_SHARE, Walking

__all__ = ["LEFT", "RIGHT", "Standing", "WALKING_SHARE", "Walking", "clip_command"]
