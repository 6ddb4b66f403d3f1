"""Joypads: sticks and buttons in, walking commands and requests out."""

from telexist.teleop.devices.joypad.joypad import Joypad
from telexist.teleop.devices.joypad.make import make
from telexist.teleop.devices.joypad.settings import JoypadSettings, load_joypad
from telexist.teleop.devices.joypad.simulated_joypad import SimulatedJoypad

__all__ = [
    "Joypad",
    "JoypadSettings",
    "SimulatedJoypad",
    "load_joypad",
    "make",
]
