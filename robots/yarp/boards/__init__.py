"""Control boards: what they are asked, what they tell, and references as bytes.

Names of ports go in; axes with limits, states in radians and ready messages come out.
"""

from telexist.robots.yarp.boards.axis_map import (
    NO_JOINT,
    AxisMap,
    BoardJoint,
    map_axes,
)
from telexist.robots.yarp.boards.board_finder import FoundBoard, find_boards
from telexist.robots.yarp.boards.board_rpc import BoardAxis, BoardRpc, open_board_rpc
from telexist.robots.yarp.boards.board_state import BoardState, read_board_state
from telexist.robots.yarp.boards.hand_axes import HandAxes
from telexist.robots.yarp.boards.reference_bytes import ReferenceBytes
from telexist.robots.yarp.boards.robot_clock import RobotClock

__all__ = [
    "AxisMap",
    "BoardAxis",
    "BoardJoint",
    "BoardRpc",
    "BoardState",
    "FoundBoard",
    "HandAxes",
    "NO_JOINT",
    "ReferenceBytes",
    "RobotClock",
    "find_boards",
    "map_axes",
    "open_board_rpc",
    "read_board_state",
]
