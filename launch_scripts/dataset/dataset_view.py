"""`telexist dataset view`: serve the page of a set until interrupted."""

from __future__ import annotations

import argparse
import webbrowser

from telexist.launch_scripts.shell import OK
from telexist.retarget.errors import BadInput, UsageError
from telexist.retarget.robot_body import RobotBody
from telexist.robots.description import load_body
from telexist.teleop.dataset import DatasetPlace
from telexist.teleop.viewers.dataset import DatasetPage
from telexist.teleop.viewers.web import require_free_port

__all__ = ["show_dataset"]


def show_dataset(args: argparse.Namespace, place: DatasetPlace) -> int:
    """Serve the page; return the exit code."""
    try:
        require_free_port(args.host, args.port)
    except BadInput as error:
        raise UsageError(str(error)) from error
    robots = place.read_settings().robots
    folders = tuple(args.models)

    def body_of(name: str) -> RobotBody:
        """Load a robot of the set, by its file if it was given as one."""
        for argument in robots:
            if argument != name and load_body(argument, folders).name == name:
                return load_body(argument, folders)
        return load_body(name, folders)

    page = DatasetPage(place, body_of, host=args.host, port=args.port)
    url, elsewhere = page.url, page.remote_url
    also = f", from another machine {elsewhere}" if elsewhere not in ("", url) else ""
    print(f"{url}{also}   (Ctrl-C ends it)", flush=True)
    if not args.no_open:
        webbrowser.open(url)
    try:
        page.run()
    finally:  # Ctrl-C
        page.close()
    return OK
