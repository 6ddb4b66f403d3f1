"""Watch a recording and its robots side by side in a browser.

CLIP is a recording or the word `builtin`; each RESULT is a .npz of `telexist retarget`.
Without RESULTs the clip is carried over to --robot first. Only this machine can see the
page, unless --host says otherwise, and only who has the address with its token.

Examples:
  telexist view builtin
  telexist view walk.bvh out/walk.icub.npz out/walk.g1.npz
  telexist view walk.bvh --robot icub,talos
  telexist view walk.bvh out/walk.mine.npz --robot my_robot/robot.toml
"""

from __future__ import annotations

import argparse
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from telexist.launch_scripts.arguments import source_options
from telexist.launch_scripts.shell import OK, Parser, comma_list, whole_number
from telexist.launch_scripts.shown_motions import shown_motions
from telexist.retarget.errors import BadInput, UsageError
from telexist.retarget.recordings import read_clip
from telexist.teleop.batch import find_clips
from telexist.teleop.viewers.clip import ClipPage
from telexist.teleop.viewers.figures import human_figure, robot_figure
from telexist.teleop.viewers.web import require_free_port

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Serve the page until interrupted; return the exit code."""
    parser = Parser("telexist view", __doc__ or "")
    _add_arguments(parser)
    args = parser.parse_args(argv)
    try:
        require_free_port(args.host, args.port)
    except BadInput as error:
        raise UsageError(str(error)) from error
    clip = read_clip(_one_clip(args.clip), source_options(args.source_config))
    figures = [human_figure(clip)]
    for robot, motion in shown_motions(
        clip, args.results, args.robot, folders=args.models, download=args.download
    ):
        print(f"drawing {robot.spec.name}", file=sys.stderr)
        figures.append(robot_figure(robot, motion, clip))
    page = ClipPage(figures, title=clip.name, host=args.host, port=args.port)
    _announce(args, page)
    try:
        page.run()
    finally:  # Ctrl-C
        page.close()
    return OK


def _one_clip(argument: str) -> str:
    clips = find_clips([argument])
    if len(clips) > 1:
        raise UsageError(f"{argument}: holds {len(clips)} recordings; name one")
    return clips[0].path


def _announce(args: argparse.Namespace, page: ClipPage) -> None:
    url, elsewhere = page.url, page.remote_url
    also = f", from another machine {elsewhere}" if elsewhere not in ("", url) else ""
    print(f"{url}{also}   (Ctrl-C ends it)", flush=True)
    if not args.no_open:
        webbrowser.open(url)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("clip", metavar="CLIP", help="a recording, or the word builtin")
    add("results", nargs="*", type=Path, metavar="RESULT", help="CLIP.ROBOT.npz")
    add("--robot", type=comma_list, default=(), metavar="A,B", help="names or files")
    add("--port", type=whole_number(0, 65535), default=8080, help="default: 8080")
    add("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only")
    add("--models", action="append", default=[], metavar="DIR", help="of robot models")
    add("--download", action="store_true", help="let robot_descriptions fetch models")
    add("--source-config", type=Path, metavar="FILE", help="facts on the clip (TOML)")
    add("--no-open", action="store_true", help="do not open a browser")
