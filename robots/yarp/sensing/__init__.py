"""What a robot behind YARP sees and feels: pictures, forces at its hands, an IMU.

Names of ports go in; pictures, forces and angular velocities come out, newest only.
"""

from telexist.robots.yarp.sensing.analog_message import (
    AnalogSensors,
    ImuReading,
    read_imu,
    read_sensor_names,
)
from telexist.robots.yarp.sensing.hand_force_stream import HandForceStream
from telexist.robots.yarp.sensing.imu_stream import ImuStream
from telexist.robots.yarp.sensing.picture_message import picture_message, read_picture
from telexist.robots.yarp.sensing.picture_stream import PictureStream
from telexist.robots.yarp.sensing.robot_senses import RobotSenses

__all__ = [
    "AnalogSensors",
    "HandForceStream",
    "ImuReading",
    "ImuStream",
    "PictureStream",
    "RobotSenses",
    "picture_message",
    "read_imu",
    "read_picture",
    "read_sensor_names",
]
