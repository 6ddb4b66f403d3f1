"""What the packages log is shown, each message as one line."""

from __future__ import annotations

import logging

import pytest
from telexist.launch_scripts.shell.log_lines import show_log_lines


def test_our_own_messages_are_shown_once_and_on_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_log_lines()
    show_log_lines()
    logging.getLogger("telexist.teleop.devices.x").info(
        "xsens: positions in %s", "centimetres"
    )
    logging.getLogger("telexist.robots.y").warning("two\nlines")
    logging.getLogger("telexist.teleop.devices.x").debug("a traceback")
    logging.getLogger("somebody.else").info("chatter")
    assert capsys.readouterr().err == (
        "telexist: xsens: positions in centimetres\ntelexist: two lines\n"
    )
