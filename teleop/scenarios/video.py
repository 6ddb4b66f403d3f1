"""A small moving picture of a scenario, rendered without a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco

from retarget.errors import MissingDependency
from robots.simulation import Simulation

__all__ = ["Video"]

SIZE = (320, 240)  # [px]; software rendering is slow
RATE = 12.5  # [Hz]


class Video:
    """Takes a picture now and then; `save` writes them as an animated GIF."""

    def __init__(self) -> None:
        """Prepare without a world yet."""
        self._renderer: Any = None
        self._pictures: list[Any] = []

    def on_step(self, simulation: Simulation, time: float) -> None:
        """Take a picture if it is time."""
        if time * RATE < len(self._pictures):
            return
        if self._renderer is None:
            self._renderer = mujoco.Renderer(simulation.model, SIZE[1], SIZE[0])
        self._renderer.update_scene(simulation.data, camera="side")
        self._pictures.append(self._renderer.render().copy())

    def save(self, path: Path) -> None:
        """Write the pictures and free the renderer.

        Raises:
            MissingDependency: If Pillow is absent.
        """
        if self._renderer is not None:
            self._renderer.close()
        try:
            from PIL import Image
        except ImportError as error:
            raise MissingDependency("pillow", "pip install pillow") from error
        frames = [Image.fromarray(picture) for picture in self._pictures]
        if frames:
            frames[0].save(
                path,
                save_all=True,
                append_images=frames[1:],
                duration=round(1e3 / RATE),
                loop=0,
            )
