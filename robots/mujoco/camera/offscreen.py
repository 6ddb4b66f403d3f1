"""MuJoCo's renderer without a screen, with a backend that is chosen late.

MuJoCo's own `Renderer` has its backend from the environment at the time of the first
import, which comes before anybody in our processes can choose.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import mujoco
import numpy as np

__all__ = ["Offscreen"]

MOST_SHAPES = 2000


class Offscreen:
    """Draws cameras beside each other into one picture."""

    def __init__(self, model: Any, *, width: int, height: int, backend: str) -> None:
        """Open the graphics.

        Args:
            model: What to draw; its offscreen buffer holds the whole picture.
            width: Of the whole picture [px].
            height: [px].
            backend: "egl" or "osmesa".
        """
        os.environ["PYOPENGL_PLATFORM"] = backend
        self._opengl = importlib.import_module(f"mujoco.{backend}").GLContext(
            width, height
        )
        self._opengl.make_current()
        self._model = model
        self._scene = mujoco.MjvScene(model, MOST_SHAPES)
        self._option, self._moved = mujoco.MjvOption(), mujoco.MjvPerturb()
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        flags = self._scene.flags
        flags[mujoco.mjtRndFlag.mjRND_SHADOW] = 0  # half of the time without a GPU
        flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
        size = mujoco.mjtFontScale.mjFONTSCALE_100
        self._context = mujoco.MjrContext(model, size.value)
        buffer = mujoco.mjtFramebuffer.mjFB_OFFSCREEN
        mujoco.mjr_setBuffer(buffer.value, self._context)
        self._pixels = np.zeros((height, width, 3), dtype=np.uint8)

    def draw(self, data: Any, camera: int, columns: tuple[int, int]) -> None:
        """Draw what a camera sees into columns (first, one after the last)."""
        self._camera.fixedcamid = camera
        mujoco.mjv_updateScene(
            self._model,
            data,
            self._option,
            self._moved,
            self._camera,
            mujoco.mjtCatBit.mjCAT_ALL.value,
            self._scene,
        )
        first, end = columns
        place = mujoco.MjrRect(first, 0, end - first, len(self._pixels))
        mujoco.mjr_render(place, self._scene, self._context)

    def picture(self) -> np.ndarray:
        """Return what was drawn (h, w, 3) uint8, good until the next call."""
        height, width, _ = self._pixels.shape
        whole = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_readPixels(self._pixels, None, whole, self._context)
        return self._pixels[::-1]  # rows come from below

    def close(self) -> None:
        """Let the graphics go."""
        self._context.free()
        self._opengl.free()
