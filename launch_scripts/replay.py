"""Look at a recorded session again.

SESSION is a .mcap file that `telexist teleoperate --record` wrote, also one that was
cut off. Without options: who drove what, rates, latency of each stage, how well the
robot followed, and every event. To look at its curves, open it in Foxglove or Rerun.

Examples:
  telexist replay session.mcap
  telexist replay session.mcap --text calibration      the operator's profile
  telexist replay session.mcap --text configuration    the settings
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from launch_scripts.command_line import OK, Parser
from teleop.recording.session_reader import SessionReader
from teleop.recording.session_summary import summary_lines

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Show a session; return the exit code."""
    parser = Parser("telexist replay", __doc__ or "")
    parser.add_argument("session", type=Path, metavar="SESSION", help="a .mcap file")
    parser.add_argument("--text", choices=("calibration", "configuration"))
    args = parser.parse_args(argv)
    reader = SessionReader(args.session)
    if args.text:
        print(reader.text(args.text), end="")
        return OK
    for line in summary_lines(reader):
        print(line)
    return OK
