"""Learned controllers and walking controllers that take a motion live.

Commands go in, bounded; the messages that SONIC, TWIST2 or IIT's walking controllers
read come out. None of them is a drive: they keep the robot on its feet themselves.
"""

from telexist.robots.consumers.consumer_robot import ConsumerRobot, Outlet
from telexist.robots.consumers.iit_outlet import make_iit
from telexist.robots.consumers.sonic_outlet import (
    ISAAC_ORDER,
    make_sonic,
    sonic_message,
)
from telexist.robots.consumers.twist2_outlet import make_twist2

__all__ = [
    "ConsumerRobot",
    "ISAAC_ORDER",
    "Outlet",
    "make_iit",
    "make_sonic",
    "make_twist2",
    "sonic_message",
]
