"""What is written to the terminal: tables, summaries, errors, exit codes."""

from telexist.launch_scripts.terminal.calibration_shown import (
    CaptureShown,
    print_profile,
)
from telexist.launch_scripts.terminal.event_lines import EventLines
from telexist.launch_scripts.terminal.first_run import (
    announce_compilation,
    announce_controllers,
)
from telexist.launch_scripts.terminal.robot_tables import print_findings, print_robots
from telexist.launch_scripts.terminal.session_summary import print_summary
from telexist.launch_scripts.terminal.summary_file import (
    require_writable,
    write_summary,
)

__all__ = [
    "CaptureShown",
    "EventLines",
    "announce_compilation",
    "announce_controllers",
    "print_findings",
    "print_profile",
    "print_robots",
    "print_summary",
    "require_writable",
    "write_summary",
]
