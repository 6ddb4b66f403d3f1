"""What a robot is: its `robot.toml`, its model, limits, links and stance.

A name or a file goes in; the description comes out, with the body that the
engine moves.
"""

from telexist.robots.description.find import find_model
from telexist.robots.description.joint_groups import JointGroup, joint_groups
from telexist.robots.description.joint_sides import leg_joints
from telexist.robots.description.library import (
    DEFAULT_ROBOT,
    list_robots,
    load_spec,
    spec_path,
)
from telexist.robots.description.limits import (
    BodyLimits,
    joint_limits,
    keep_followers_inside,
)
from telexist.robots.description.mimics import resolve_mimics
from telexist.robots.description.model_tree import model_tree
from telexist.robots.description.robot_files import RobotFiles, load_again, robot_files
from telexist.robots.description.robot_model import RobotModel, load_body, load_robot
from telexist.robots.description.skeleton import (
    LIMB_CHAINS,
    TWIST,
    Skeleton,
    joint_centres,
    nearest_point,
)
from telexist.robots.description.spec import ActuatorSpec, LimitSpec
from telexist.robots.description.stance import facing_rotation, sole_corners, standing

__all__ = [
    "ActuatorSpec",
    "BodyLimits",
    "DEFAULT_ROBOT",
    "JointGroup",
    "LIMB_CHAINS",
    "LimitSpec",
    "RobotFiles",
    "RobotModel",
    "Skeleton",
    "TWIST",
    "facing_rotation",
    "find_model",
    "joint_centres",
    "joint_groups",
    "joint_limits",
    "keep_followers_inside",
    "leg_joints",
    "list_robots",
    "load_again",
    "load_body",
    "load_robot",
    "load_spec",
    "model_tree",
    "nearest_point",
    "resolve_mimics",
    "robot_files",
    "sole_corners",
    "spec_path",
    "standing",
]
