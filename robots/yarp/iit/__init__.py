"""Messages of IIT's stack: a person's state, wearables, wrenches, goals, frames.

A class is a tuple of fields: nested structs are flattened, a map is a list of pairs. No
library of theirs is needed, and any part of their stack can be exchanged for ours.
"""

from telexist.robots.yarp.iit.frame_messages import (
    FRAME_SERVER,
    frame_items,
    read_frames,
)
from telexist.robots.yarp.iit.human_messages import (
    HumanState,
    human_dynamics_items,
    human_state_items,
    human_wrench_items,
    read_human_state,
)
from telexist.robots.yarp.iit.person_model import (
    PERSON_JOINTS,
    n_pose_to_t_pose,
    person_angles,
    person_torques,
)
from telexist.robots.yarp.iit.suit_sensors import (
    IFEEL_NODES,
    NODE_R_SEGMENT,
    SuitPose,
    read_shoes,
    read_suit,
    suit_sensors,
)
from telexist.robots.yarp.iit.walk_goal import (
    GoalScale,
    read_walk_goal,
    walk_goal_items,
)
from telexist.robots.yarp.iit.wearable_data import (
    SENSOR_KINDS,
    SensorStatus,
    WearableSensor,
    read_wearable_data,
    wearable_data_items,
)

__all__ = [
    "FRAME_SERVER",
    "GoalScale",
    "HumanState",
    "IFEEL_NODES",
    "NODE_R_SEGMENT",
    "PERSON_JOINTS",
    "SENSOR_KINDS",
    "SensorStatus",
    "SuitPose",
    "WearableSensor",
    "frame_items",
    "human_dynamics_items",
    "human_state_items",
    "human_wrench_items",
    "n_pose_to_t_pose",
    "person_angles",
    "person_torques",
    "read_frames",
    "read_human_state",
    "read_shoes",
    "read_suit",
    "read_walk_goal",
    "read_wearable_data",
    "suit_sensors",
    "walk_goal_items",
    "wearable_data_items",
]
