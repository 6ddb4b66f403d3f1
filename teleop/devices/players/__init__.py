"""Recordings as devices: clips and whole sessions, in real time."""

from telexist.teleop.devices.players.clip_player import ClipPlayer
from telexist.teleop.devices.players.session_player import SessionPlayer, turn_samples

__all__ = ["ClipPlayer", "SessionPlayer", "turn_samples"]
