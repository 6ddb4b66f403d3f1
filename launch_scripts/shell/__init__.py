"""What every sub-command shares: exit codes, usage errors, log lines; nothing heavy."""

from telexist.launch_scripts.shell.command_line import (
    FAILED,
    INTERRUPTED,
    OK,
    USAGE,
    Parser,
    comma_list,
    exit_code,
    number,
    whole_number,
)
from telexist.launch_scripts.shell.commands import COMMANDS
from telexist.launch_scripts.shell.log_lines import (
    log_lines_through,
    show_log_lines,
)

__all__ = [
    "COMMANDS",
    "FAILED",
    "INTERRUPTED",
    "OK",
    "Parser",
    "USAGE",
    "comma_list",
    "exit_code",
    "log_lines_through",
    "number",
    "show_log_lines",
    "whole_number",
]
