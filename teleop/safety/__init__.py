"""What keeps a session safe: guards of its inputs, the supervisor, the reactions.

Samples and faults go in; what may happen next comes out.
"""

from telexist.teleop.safety.engage_conditions import EngageConditions
from telexist.teleop.safety.input_guard import FrameVerdict, InputGuard
from telexist.teleop.safety.robot_watch import LoopWatch, RobotWatch
from telexist.teleop.safety.stream_watch import DeviceEvent, StreamWatch
from telexist.teleop.safety.supervisor import Supervisor

__all__ = [
    "DeviceEvent",
    "EngageConditions",
    "FrameVerdict",
    "InputGuard",
    "LoopWatch",
    "RobotWatch",
    "StreamWatch",
    "Supervisor",
]
