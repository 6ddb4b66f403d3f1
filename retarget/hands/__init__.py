"""Fingers: what any robot's hand is, and how it follows a person's.

Joints of a robot's hand come in as arrays, a person's as points; which finger is which
comes out once, and joint positions for every sample.
"""

from telexist.retarget.hands.find_hand import find_hand
from telexist.retarget.hands.finger_chains import (
    MVN_HAND,
    finger_tips,
    hand_of_chains,
    hand_of_mvn,
)
from telexist.retarget.hands.follow_clip import follow_hands
from telexist.retarget.hands.hand_follower import HandFollower
from telexist.retarget.hands.linkage import HandLinkage
from telexist.retarget.hands.person_hand import hand_closing
from telexist.retarget.hands.robot_hand import (
    FINGERS,
    RobotFinger,
    RobotGripper,
    RobotHand,
    open_and_closed,
)
from telexist.retarget.hands.standard_hand import OPEN_HAND, standard_hand

__all__ = [
    "FINGERS",
    "HandFollower",
    "HandLinkage",
    "MVN_HAND",
    "OPEN_HAND",
    "RobotFinger",
    "RobotGripper",
    "RobotHand",
    "find_hand",
    "finger_tips",
    "follow_hands",
    "hand_closing",
    "hand_of_chains",
    "hand_of_mvn",
    "open_and_closed",
    "standard_hand",
]
