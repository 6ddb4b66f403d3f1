"""What `telexist replay` does with a session; each loads only what it needs."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Callable
from pathlib import Path

from telexist.launch_scripts.shell import FAILED, OK
from telexist.teleop.recording import SessionReader

LOOK = 0.2  # [s] between two looks at the page

__all__ = ["check_references", "feed_session", "view_session"]


def view_session(
    reader: SessionReader,
    robot: str,
    models: list[str],
    port: int,
    *,
    browse: Callable[[str], object] = webbrowser.open,
) -> int:
    """Play a session on the page, in real time, once a browser is there.

    Args:
        reader: The session.
        robot: Name or file of its robot.
        models: Folders of robot models.
        port: Of the page.
        browse: Opens a browser at an address.
    """
    from telexist.robots.description import load_robot
    from telexist.teleop import clock
    from telexist.teleop.recording.export import decode_picture
    from telexist.teleop.recording.replay import play_ticks, recorded_ticks
    from telexist.teleop.viewers.live import LivePage

    page = LivePage(load_robot(robot, models), port=port, title=reader.path.stem)
    try:
        page.open()
        print(f"page: {page.url}; Ctrl-C ends", flush=True)
        browse(page.url)
        while page.alive and not page.wait_for_browser(LOOK):
            pass
        count = play_ticks(recorded_ticks(reader, decode_picture), page.sink)
        print(f"{count} turns shown; Ctrl-C ends", flush=True)
        while page.alive:  # to be looked at
            clock.sleep(LOOK)
    finally:
        page.close()
    return OK


def check_references(reader: SessionReader, robot: str, models: list[str]) -> int:
    """Run a session again and print how equal its references are."""
    from telexist.robots.description import load_robot
    from telexist.teleop.recording.replay import check_session

    found = check_session(reader, load_robot(robot, models))
    print(f"{found.turns} turns run again, {found.missing} missing")
    print(f"same state:      {found.same_states} turns")
    print(f"same references: {found.same_references} turns to the last bit")
    print(f"largest difference: targets {found.targets:.3g}, ", end="")
    print(f"references {found.references:.3g} rad")
    if found.first is not None:
        print(f"first difference in turn {found.first}")
    return OK if found.exact else FAILED


def feed_session(reader: SessionReader, options: list[str]) -> int:
    """Teleoperate with a session as source; `options` go to `teleoperate`."""
    from telexist.launch_scripts.teleoperate import main as teleoperate

    words = ["--source", f"session:{reader.path}"]
    with tempfile.TemporaryDirectory() as folder:
        text = reader.text("configuration")
        if text:
            path = Path(folder) / "configuration.toml"
            path.write_text(text, encoding="utf-8")
            words += ["--config", str(path)]
        return teleoperate([*words, *options])
