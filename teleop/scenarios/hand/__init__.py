"""A hand goes its way while a partner pulls at it: `telexist scenario hand`.

A robot on a pole and a force go in; how fast, how exactly and how calmly the hand came
to the end of its path comes out.
"""

from telexist.teleop.scenarios.hand.hand_controller import HandController, HandSight
from telexist.teleop.scenarios.hand.hand_figures import hand_figures
from telexist.teleop.scenarios.hand.hand_laws import (
    LAWS,
    HandAsked,
    HandLaw,
    make_hand_law,
)
from telexist.teleop.scenarios.hand.hand_reach import HandReach, find_hand_reach
from telexist.teleop.scenarios.hand.hand_run import (
    HandPull,
    HandRun,
    HandWorld,
    run_hand,
)
from telexist.teleop.scenarios.hand.hand_scenario import hand_scenario
from telexist.teleop.scenarios.hand.hand_sheet import save_hand_sheet

__all__ = [
    "HandAsked",
    "HandController",
    "HandLaw",
    "HandPull",
    "HandReach",
    "HandRun",
    "HandSight",
    "HandWorld",
    "LAWS",
    "find_hand_reach",
    "hand_figures",
    "hand_scenario",
    "make_hand_law",
    "run_hand",
    "save_hand_sheet",
]
