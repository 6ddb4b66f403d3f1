"""Makes players of recordings: `builtin`, `player:FILE`, `session:FILE`."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadInput
from telexist.retarget.recordings import BUILTIN
from telexist.teleop.devices.base import Device, DeviceOptions
from telexist.teleop.devices.players.clip_player import ClipPlayer
from telexist.teleop.devices.players.session_player import SessionPlayer

__all__ = ["make_builtin", "make_player", "make_session"]


def make_builtin(text: str, options: DeviceOptions) -> Device:
    """Make `builtin`.

    Raises:
        BadInput: If there is more text.
    """
    if text:
        raise BadInput(f"builtin takes no further words, such as '{text}'")
    return ClipPlayer(BUILTIN, loop=options.loop, start=options.start)


def make_player(text: str, options: DeviceOptions) -> Device:
    """Make `player:FILE`.

    Raises:
        BadInput: If the file cannot be read.
    """
    if not text:
        raise BadInput("which recording? write player:FILE, such as player:walk.bvh")
    return ClipPlayer(
        text, loop=options.loop, start=options.start, options=options.reading
    )


def make_session(text: str, options: DeviceOptions) -> Device:
    """Make `session:FILE`.

    Raises:
        BadInput: If no file is named, or it is no session.
    """
    if not text:
        raise BadInput("which session? write session:FILE, such as session:a.mcap")
    return SessionPlayer(Path(text))
