"""The options of sub-commands, and what they mean."""

from telexist.launch_scripts.arguments.dataset_arguments import add_dataset_arguments
from telexist.launch_scripts.arguments.retarget_arguments import add_retarget_arguments
from telexist.launch_scripts.arguments.scenario_arguments import (
    add_scenario_arguments,
    given_options,
)
from telexist.launch_scripts.arguments.simulate_arguments import (
    add_simulate_arguments,
    simulator_options,
)
from telexist.launch_scripts.arguments.source_options import source_options
from telexist.launch_scripts.arguments.teleoperate_arguments import (
    add_session_arguments,
    session_plan,
)
from telexist.launch_scripts.arguments.watch_arguments import (
    add_watch_arguments,
    watch_plan,
)

__all__ = [
    "add_dataset_arguments",
    "add_retarget_arguments",
    "add_scenario_arguments",
    "add_session_arguments",
    "add_simulate_arguments",
    "add_watch_arguments",
    "given_options",
    "session_plan",
    "simulator_options",
    "source_options",
    "watch_plan",
]
