"""The terminal's keys: walking commands and requests."""

from telexist.teleop.devices.keyboard.keyboard import Keyboard
from telexist.teleop.devices.keyboard.keys import KEYS
from telexist.teleop.devices.keyboard.make import make

__all__ = [
    "KEYS",
    "Keyboard",
    "make",
]
