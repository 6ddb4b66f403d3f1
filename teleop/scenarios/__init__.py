"""Balance and walk in simulation: named, seeded, headless, measured."""

from telexist.teleop.scenarios.figure_words import figure_manual, summary_lines
from telexist.teleop.scenarios.figures import scenario_figures
from telexist.teleop.scenarios.on_step import OnStep, TimedOnStep
from telexist.teleop.scenarios.option_ranges import RANGES, flag_of
from telexist.teleop.scenarios.options import (
    DIRECTIONS,
    SCENARIOS,
    ScenarioOptions,
    option_defaults,
    option_help,
    scenario_options,
)
from telexist.teleop.scenarios.output_files import (
    ENDINGS,
    prepare_outputs,
    write_figures,
)
from telexist.teleop.scenarios.plot_sheet import save_plot_sheet
from telexist.teleop.scenarios.run_scenario import ScenarioRun, run_scenario
from telexist.teleop.scenarios.script import Script, script_of
from telexist.teleop.scenarios.speed_figures import speed_figures
from telexist.teleop.scenarios.trace import Trace
from telexist.teleop.scenarios.video import Video
from telexist.teleop.scenarios.world import (
    disturbances_of,
    noise_of,
    read_world,
    world_of,
)

__all__ = [
    "DIRECTIONS",
    "ENDINGS",
    "OnStep",
    "RANGES",
    "SCENARIOS",
    "ScenarioOptions",
    "ScenarioRun",
    "Script",
    "TimedOnStep",
    "Trace",
    "Video",
    "disturbances_of",
    "figure_manual",
    "flag_of",
    "noise_of",
    "option_defaults",
    "option_help",
    "prepare_outputs",
    "read_world",
    "run_scenario",
    "save_plot_sheet",
    "scenario_figures",
    "scenario_options",
    "script_of",
    "speed_figures",
    "summary_lines",
    "world_of",
    "write_figures",
]
