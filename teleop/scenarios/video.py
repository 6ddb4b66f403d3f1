"""A small moving picture of a scenario, rendered without a screen.

A process of its own renders, as for the head camera: the graphics must be chosen before
MuJoCo is loaded, and the physics is the same with a video as without.
"""

from __future__ import annotations

import io
import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
from telexist.retarget.errors import CannotWrite, MissingDependency
from telexist.retarget.files import write_bytes
from telexist.retarget.so3 import quat_wxyz_from_rotation
from telexist.robots.description import robot_files
from telexist.robots.mujoco import Simulation
from telexist.robots.mujoco.camera import (
    BACKENDS,
    FAILED,
    OPEN,
    CameraSettings,
    render_pictures,
)

__all__ = ["Video"]

SIZE = (320, 240)  # [px]; software rendering is slow
RATE = 12.5  # [Hz]
START_PATIENCE = 120.0  # [s] to load meshes, on a busy machine
PATIENCE = 60.0  # [s] for one picture


class Video:
    """Takes a picture now and then; `save` writes them as an animated GIF."""

    def __init__(self) -> None:
        """Prepare without a world yet."""
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._pictures: list[np.ndarray] = []

    def on_step(self, simulation: Simulation, time: float) -> None:
        """Take a picture if it is time.

        Raises:
            MissingDependency: At the first picture, if nothing here can render.
            CannotWrite: If the process that renders has ended.
        """
        if time * RATE < len(self._pictures):
            return
        if self._pipe is None:
            self._pipe = self._open(_settings(simulation))
        try:
            self._pipe.send_bytes(np.array(simulation.data.qpos).tobytes())
            if not self._pipe.poll(PATIENCE):
                raise OSError("no picture came")
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise CannotWrite(f"no video: rendering has ended: {error}") from error
        image = np.frombuffer(answer, dtype=np.uint8, offset=1)
        self._pictures.append(image.reshape(SIZE[1], SIZE[0], 3))

    def save(self, path: Path) -> None:
        """Write the pictures.

        Raises:
            CannotWrite: If that fails.
        """
        from PIL import Image

        frames = [Image.fromarray(picture) for picture in self._pictures]
        if not frames:
            raise CannotWrite(f"{path}: the run was too short for a picture")
        file = io.BytesIO()
        frames[0].save(
            file,
            format="GIF",
            save_all=True,
            append_images=frames[1:],
            duration=round(1e3 / RATE),
            loop=0,
        )
        write_bytes(path, file.getvalue())

    def close(self) -> None:
        """End the process that renders; may be called twice."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process = None

    def _open(self, settings: CameraSettings) -> Connection:
        """Start a process with the first graphics that work."""
        reasons = []
        for backend in BACKENDS:
            spawn = multiprocessing.get_context("spawn")
            pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(
                target=render_pictures, args=(settings, backend, theirs), daemon=True
            )
            self._process.start()
            theirs.close()
            answer = _answer(pipe)
            if answer[:1] == OPEN:
                return pipe
            self.close()
            pipe.close()
            reason = answer.removeprefix(FAILED).decode(errors="replace")
            reasons.append(f"{backend}: {reason}")
        raise MissingDependency(
            f"what renders without a screen ({'; '.join(reasons)})",
            "apt install libegl1 or libosmesa6",
        )


def _settings(simulation: Simulation) -> CameraSettings:
    w, x, y, z = quat_wxyz_from_rotation(simulation.disturbances.world_R_floor)
    return CameraSettings(
        files=robot_files(simulation.mujoco_model.robot),
        mount=simulation.mujoco_model.mount,
        width=SIZE[0],
        height=SIZE[1],
        view="side",
        floor_quat_wxyz=(float(w), float(x), float(y), float(z)),
    )


def _answer(pipe: Connection) -> bytes:
    try:
        if pipe.poll(START_PATIENCE):
            return pipe.recv_bytes(1000)
    except (EOFError, OSError):
        return FAILED + b"rendering ended at its start"
    return FAILED + b"rendering did not start in time"
