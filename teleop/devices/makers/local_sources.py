"""Devices of this machine from the text that a user writes after their name."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.retarget.recordings import BUILTIN
from telexist.teleop.devices.base import Device, DeviceOptions
from telexist.teleop.devices.players import ClipPlayer

__all__ = ["builtin_source", "player_source"]


def player_source(text: str, options: DeviceOptions) -> Device:
    """Make `player:FILE`.

    Raises:
        BadInput: If the file cannot be read.
    """
    if not text:
        raise BadInput("which recording? write player:FILE, such as player:walk.bvh")
    return ClipPlayer(
        text, loop=options.loop, start=options.start, options=options.reading
    )


def builtin_source(text: str, options: DeviceOptions) -> Device:
    """Make `builtin`.

    Raises:
        BadInput: If there is more text.
    """
    if text:
        raise BadInput(f"builtin takes no further words, such as '{text}'")
    return ClipPlayer(BUILTIN, loop=options.loop, start=options.start)
