"""Look at a recorded session again, repeat it, or drive a robot with it.

SESSION is a .mcap file that `telexist teleoperate --record` wrote, also one that was
cut off. Without options: who drove what, rates, latency of each stage, how well the
robot followed, and every event. --view plays it on the page of a session. To look at
its curves, open it in Foxglove or Rerun.

--check runs the recorded input through retargeting, safety and smoothing again, at the
recorded times, and says how equal the references are; exit code 1 if they differ.
--feed teleoperates live with the recorded input as source: the same samples with the
same spacing, the same operator, settings and requests; what follows -- goes to
`telexist teleoperate`.

Examples:
  telexist replay session.mcap
  telexist replay session.mcap --view                  on the page, in real time
  telexist replay session.mcap --text calibration      the operator's profile
  telexist replay session.mcap --text configuration    the settings
  telexist replay session.mcap --check
  telexist replay session.mcap --feed -- --no-view --record again
"""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from telexist.launch_scripts.replay_actions import (
    check_references,
    feed_session,
    view_session,
)
from telexist.launch_scripts.shell import OK, Parser, whole_number
from telexist.retarget.errors import UsageError
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.replay import summary_lines

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Show, check or feed a session; return the exit code."""
    parser = Parser("telexist replay", __doc__ or "")
    parser.add_argument("session", type=Path, metavar="SESSION", help="a .mcap file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--text", choices=("calibration", "configuration"))
    what.add_argument("--view", action="store_true", help="play it on the page")
    what.add_argument("--check", action="store_true", help="run it again and compare")
    what.add_argument("--feed", action="store_true", help="drive a robot with it")
    parser.add_argument("--robot", default="", help="if the recorded name is not found")
    parser.add_argument("--models", action="append", default=[], metavar="DIR")
    parser.add_argument("--no-open", action="store_true", help="no browser for --view")
    parser.add_argument("--port", type=whole_number(0, 65535), default=8080)
    words = list(sys.argv[1:] if argv is None else argv)
    end = words.index("--") if "--" in words else len(words)
    args, options = parser.parse_args(words[:end]), words[end + 1 :]
    if options and not args.feed:
        raise UsageError(f"what is {options[0]}? options after -- need --feed")
    reader = SessionReader(args.session)
    robot = args.robot or reader.header.robot
    if args.text:
        print(reader.text(args.text), end="")
        return OK
    if args.view:
        browse: Callable[[str], object] = webbrowser.open
        if args.no_open:
            browse = str  # looks at the address and does nothing
        return view_session(reader, robot, args.models, args.port, browse=browse)
    if args.check:
        return check_references(reader, robot, args.models)
    if args.feed:
        models = [word for folder in args.models for word in ("--models", folder)]
        return feed_session(reader, ["--robot", robot, *models, *options])
    for line in summary_lines(reader):
        print(line)
    return OK
