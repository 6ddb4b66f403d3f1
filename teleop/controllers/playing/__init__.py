"""Playing a given motion on a robot's own feet: sampled motion in, torques out."""

from telexist.teleop.controllers.playing.motion_player import MotionPlayer
from telexist.teleop.controllers.playing.played_motion import (
    PlayedFrame,
    PlayedMotion,
    play_motion,
)
from telexist.teleop.controllers.playing.sampled_motion import (
    SampledMotion,
    sample_motion,
)

__all__ = [
    "MotionPlayer",
    "PlayedFrame",
    "PlayedMotion",
    "SampledMotion",
    "play_motion",
    "sample_motion",
]
