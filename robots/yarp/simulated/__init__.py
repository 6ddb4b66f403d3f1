"""A name server and control boards without a robot: they speak YARP's own bytes.

A table of axes goes in; a robot that others find under YARP names comes out. It takes
what real boards take without a word, and has faults on request.
"""

from telexist.robots.yarp.simulated.axis_motion import AxisMotion
from telexist.robots.yarp.simulated.board_faults import (
    FAULTS,
    BoardFault,
    parse_board_faults,
    play_board_faults,
)
from telexist.robots.yarp.simulated.board_table import (
    TABLES,
    BoardTable,
    RobotTable,
    SimulatedAxis,
    load_table,
)
from telexist.robots.yarp.simulated.name_server import SimulatedNameServer
from telexist.robots.yarp.simulated.simulated_board import SimulatedBoard
from telexist.robots.yarp.simulated.simulated_robot import SimulatedYarpRobot
from telexist.robots.yarp.simulated.simulated_senses import SimulatedSenses

__all__ = [
    "AxisMotion",
    "BoardFault",
    "BoardTable",
    "FAULTS",
    "RobotTable",
    "SimulatedAxis",
    "SimulatedBoard",
    "SimulatedNameServer",
    "SimulatedSenses",
    "SimulatedYarpRobot",
    "TABLES",
    "load_table",
    "parse_board_faults",
    "play_board_faults",
]
