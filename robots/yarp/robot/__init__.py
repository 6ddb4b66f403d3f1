"""A robot behind YARP as the loop sees it: connect, arm, send, hold, let go.

Commands in radians go in; the boards' state comes out, with faults by joint name.
"""

from telexist.robots.yarp.robot.make import make
from telexist.robots.yarp.robot.yarp_robot import YarpRobot
from telexist.robots.yarp.robot.yarp_settings import YarpSettings

__all__ = [
    "YarpRobot",
    "YarpSettings",
    "make",
]
