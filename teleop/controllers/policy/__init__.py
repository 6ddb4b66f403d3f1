"""Learned policies: an ONNX file and what is known of it in, a controller out.

`read_policy` reads, `policy_robot` loads the robot that belongs to it.
"""

from telexist.teleop.controllers.policy.make import make_policy, policy_of_word
from telexist.teleop.controllers.policy.policy_controller import PolicyController
from telexist.teleop.controllers.policy.policy_robot import policy_robot
from telexist.teleop.controllers.policy.read_policy import Policy, read_policy
from telexist.teleop.controllers.policy.vocabulary import roll_pitch_of

__all__ = [
    "Policy",
    "PolicyController",
    "make_policy",
    "policy_of_word",
    "policy_robot",
    "read_policy",
    "roll_pitch_of",
]
