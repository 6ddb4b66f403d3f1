"""Messages of IIT's stack: a person's state, wearables, wrenches, torques.

A class is a tuple of fields: nested structs are flattened, a map is a list of pairs. No
library of theirs is needed, and any part of their stack can be exchanged for ours.
"""

from telexist.robots.yarp.iit.human_messages import (
    HumanState,
    human_dynamics_items,
    human_state_items,
    human_wrench_items,
    read_human_state,
)
from telexist.robots.yarp.iit.wearable_data import (
    SENSOR_KINDS,
    SensorStatus,
    WearableSensor,
    read_wearable_data,
    wearable_data_items,
)

__all__ = [
    "HumanState",
    "SENSOR_KINDS",
    "SensorStatus",
    "WearableSensor",
    "human_dynamics_items",
    "human_state_items",
    "human_wrench_items",
    "read_human_state",
    "read_wearable_data",
    "wearable_data_items",
]
