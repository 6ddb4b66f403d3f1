"""Recordings as devices: clips and whole sessions, in real time."""

from telexist.teleop.devices.players.clip_player import ClipPlayer
from telexist.teleop.devices.players.make import make_builtin, make_player, make_session
from telexist.teleop.devices.players.played_device import PlayedDevice
from telexist.teleop.devices.players.session_player import SessionPlayer, turn_samples

__all__ = [
    "ClipPlayer",
    "PlayedDevice",
    "SessionPlayer",
    "make_builtin",
    "make_player",
    "make_session",
    "turn_samples",
]
