"""Balance and walk in simulation: named, seeded, headless, measured."""

from telexist.teleop.scenarios.figure_words import figure_manual
from telexist.teleop.scenarios.figures import scenario_figures
from telexist.teleop.scenarios.figures_file import write_figures
from telexist.teleop.scenarios.option_ranges import RANGES, flag_of
from telexist.teleop.scenarios.options import (
    SCENARIOS,
    ScenarioOptions,
    option_defaults,
    option_help,
    scenario_options,
)
from telexist.teleop.scenarios.output_files import ENDINGS, prepare_outputs
from telexist.teleop.scenarios.plot_sheet import save_plot_sheet
from telexist.teleop.scenarios.run_scenario import ScenarioRun, run_scenario
from telexist.teleop.scenarios.summary import summary_lines
from telexist.teleop.scenarios.video import Video

__all__ = [
    "ENDINGS",
    "RANGES",
    "SCENARIOS",
    "ScenarioOptions",
    "ScenarioRun",
    "Video",
    "figure_manual",
    "flag_of",
    "option_defaults",
    "option_help",
    "prepare_outputs",
    "run_scenario",
    "save_plot_sheet",
    "scenario_figures",
    "scenario_options",
    "summary_lines",
    "write_figures",
]
