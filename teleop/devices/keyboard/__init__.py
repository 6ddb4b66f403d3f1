"""The terminal's keys: walking commands and requests."""

from telexist.teleop.devices.keyboard.keyboard import Keyboard
from telexist.teleop.devices.keyboard.keys import KEYS

__all__ = ["KEYS", "Keyboard"]
