"""Controllers that take turns in simulation: changes at random moments, measured."""

from telexist.teleop.scenarios.hand_over.hand_over_figures import hand_over_figures
from telexist.teleop.scenarios.hand_over.hand_over_run import (
    AskedChange,
    HandOverRun,
    run_hand_over,
)
from telexist.teleop.scenarios.hand_over.hand_over_scenario import hand_over_scenario

__all__ = [
    "AskedChange",
    "HandOverRun",
    "hand_over_figures",
    "hand_over_scenario",
    "run_hand_over",
]
