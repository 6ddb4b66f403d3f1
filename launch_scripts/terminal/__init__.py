"""What is written to the terminal: tables, summaries, errors, exit codes."""

from telexist.launch_scripts.terminal.any_session import AnySession
from telexist.launch_scripts.terminal.calibration_shown import (
    CaptureShown,
    print_profile,
)
from telexist.launch_scripts.terminal.control_table import print_control
from telexist.launch_scripts.terminal.dynamics_shown import print_dynamics
from telexist.launch_scripts.terminal.event_lines import EventLines
from telexist.launch_scripts.terminal.first_run import (
    announce_compilation,
    announce_controllers,
)
from telexist.launch_scripts.terminal.operator_side import REMOTE, run_operator_side
from telexist.launch_scripts.terminal.robot_tables import print_findings, print_robots
from telexist.launch_scripts.terminal.session_run import run_session
from telexist.launch_scripts.terminal.session_summary import summary_lines
from telexist.launch_scripts.terminal.summary_file import (
    require_writable,
    write_summary,
)

__all__ = [
    "AnySession",
    "CaptureShown",
    "EventLines",
    "REMOTE",
    "announce_compilation",
    "announce_controllers",
    "print_control",
    "print_dynamics",
    "print_findings",
    "print_profile",
    "print_robots",
    "require_writable",
    "run_operator_side",
    "run_session",
    "summary_lines",
    "write_summary",
]
