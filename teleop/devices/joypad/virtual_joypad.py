"""A joypad that SDL, and so pygame, takes for a real one; on Linux.

It lives in the process that reads it, and needs `pygame.joystick` to be running.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

from telexist.retarget.errors import DeviceLost

__all__ = ["FLIGHT_STICK", "GAME_CONTROLLER", "VirtualJoypad"]

GAME_CONTROLLER, FLIGHT_STICK = 1, 4  # SDL_JoystickType; SDL names the first's parts
_FULL = 32767  # of an axis
_MAPS = Path("/proc/self/maps")


class VirtualJoypad:
    """Six axes and 15 buttons in SDL's order, plugged in by its construction."""

    def __init__(self, kind: int = GAME_CONTROLLER) -> None:
        """Plug in.

        Args:
            kind: SDL's type of it; the names of parts are known of game controllers.

        Raises:
            DeviceLost: If SDL is not running here, or has no virtual joypads.
        """
        self._sdl = ctypes.CDLL(_library())
        self._sdl.SDL_JoystickOpen.restype = ctypes.c_void_p
        self._index = self._sdl.SDL_JoystickAttachVirtual(kind, 6, 15, 1)
        if self._index < 0:
            raise DeviceLost("no virtual joypad: call pygame.joystick.init() first")
        self._handle = ctypes.c_void_p(self._sdl.SDL_JoystickOpen(self._index))

    @property
    def number(self) -> int:
        """Which of the joypads it is."""
        return int(self._index)

    def axis(self, number: int, value: float) -> None:
        """Deflect an axis, -1 to 1."""
        raw = ctypes.c_int16(round(min(max(value, -1.0), 1.0) * _FULL))
        self._sdl.SDL_JoystickSetVirtualAxis(self._handle, number, raw)

    def press(self, number: int) -> None:
        """Press a button and keep it down."""
        self._set_button(number, 1)

    def release(self, number: int) -> None:
        """Let a button go."""
        self._set_button(number, 0)

    def unplug(self) -> None:
        """Pull it out, whatever is pressed."""
        self._sdl.SDL_JoystickDetachVirtual(self._index)

    def _set_button(self, number: int, state: int) -> None:
        value = ctypes.c_uint8(state)
        self._sdl.SDL_JoystickSetVirtualButton(self._handle, number, value)


def _library() -> str:
    """Return the file of the SDL that pygame has loaded into this process."""
    lines = _MAPS.read_text(encoding="utf-8").splitlines() if _MAPS.is_file() else []
    for line in lines:
        if "libSDL2-2" in line:
            return line.split(maxsplit=5)[-1]
    raise DeviceLost("no virtual joypad: pygame has not loaded SDL 2 here")
