"""Devices of this machine from the text that a user writes after their name."""

from __future__ import annotations

from retarget.errors import BadInput
from retarget.recordings.format import BUILTIN
from teleop.devices.clip_player import ClipPlayer
from teleop.devices.interface import Device
from teleop.devices.options import DeviceOptions

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
