"""Whole clips in compiled loops: poses of links, turning rates, errors of following.

Stacks of rotations and motions of robots go in; arrays over all frames come out, equal
to what `so3.py` and `kinematics.py` give frame by frame, many times faster.
"""

from telexist.retarget.whole_clip.link_poses import link_poses
from telexist.retarget.whole_clip.rotation_stacks import (
    FollowedLimbs,
    FollowedLinks,
    following_errors,
    limb_angles,
    turned_stack,
    turning_rates,
)

__all__ = [
    "FollowedLimbs",
    "FollowedLinks",
    "following_errors",
    "limb_angles",
    "link_poses",
    "turned_stack",
    "turning_rates",
]
