"""The head camera of a simulated robot, rendered in a process of its own.

The physics offers its posture; a thread hands the newest one to the process and waits
for the picture, so that nothing queues up. The process may be slow or die: the robot
goes on without pictures, and `take_end` says why.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Literal

import numpy as np
from telexist.robots.base import CameraWishes, RobotFeedback
from telexist.robots.description import RobotModel, robot_files
from telexist.robots.drives import grip_joints
from telexist.robots.mujoco.camera.camera_process import render_pictures
from telexist.robots.mujoco.camera.camera_settings import FAILED, OPEN, CameraSettings

__all__ = ["BACKENDS", "HeadCamera"]

BACKENDS = ("egl", "osmesa")
START_PATIENCE = 120.0  # [s] to load meshes, on a busy machine
PATIENCE = 10.0  # [s] for one picture
MAX_SHARE = 0.9  # of one core that rendering without a GPU may take, when it is idle


class HeadCamera:
    """Gives the newest picture of a robot's head camera.

    Attributes:
        settings: Size and rate.
        problem: Why there are no pictures; "" while all is well.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        now: Callable[[], float],
        mount: Literal["free", "fixed", "pole"] = "pole",
        wishes: CameraWishes | None = None,
    ) -> None:
        """Describe the camera; `start` opens it.

        Args:
            robot: Whose head it is on.
            now: The host's clock [s].
            mount: How the robot's base is held.
            wishes: Size, rate and eyes of the pictures.
        """
        wishes = CameraWishes() if wishes is None else wishes
        self.settings = CameraSettings(
            files=robot_files(robot),
            mount=mount,
            unlocked=grip_joints(robot),
            width=wishes.width,
            height=wishes.height,
            rate=wishes.rate,
            stereo=wishes.stereo,
        )
        self.problem = ""
        self._now = now
        self._end = ""
        self._due = 0.0
        self._offered: tuple[np.ndarray, float] | None = None
        self._wanted = threading.Event()
        self._ending = threading.Event()
        self._newest: RobotFeedback | None = None
        self._thread: threading.Thread | None = None
        self._process: BaseProcess | None = None

    @property
    def process_id(self) -> int | None:
        """Number of the process that renders, once it runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Open the camera; returns at once, pictures come seconds later."""
        if self._thread is None:
            self.problem = ""
            self._ending.clear()
            self._thread = threading.Thread(
                target=self._run, name="head camera", daemon=True
            )
            self._thread.start()

    def due(self, stamp: float) -> bool:
        """Return whether a posture would be drawn now [s]."""
        return stamp >= self._due and not self._wanted.is_set()

    def offer(self, qpos: np.ndarray, stamp: float) -> None:
        """Offer a posture; costs nothing unless a picture is due."""
        if self.due(stamp):
            self._due = stamp + 1.0 / self.settings.rate
            self._offered = (np.array(qpos, dtype=np.float64), stamp)
            self._wanted.set()

    def take(self) -> RobotFeedback | None:
        """Return the newest picture since the last call, or None."""
        newest, self._newest = self._newest, None
        return newest

    def take_end(self) -> str:
        """Return, once, why no more pictures come; "" while they may."""
        end, self._end = self._end, ""
        return end

    def stop(self) -> None:
        """Close the camera; may be called twice."""
        self._ending.set()
        self._wanted.set()
        self._end_process()
        if self._thread is not None:
            self._thread.join(5.0)
            self._thread = None
        self._wanted.clear()

    def _run(self) -> None:
        pipe = self._open()
        if pipe is None:
            self._say_problem()
            return
        try:
            while self._wait_for_posture():
                self._take_picture(pipe)
        except (EOFError, OSError):
            if not self._ending.is_set():
                self.problem = "the process that renders has ended"
            self._say_problem()
        finally:
            pipe.close()

    def _say_problem(self) -> None:
        if not self._ending.is_set():
            self._end = self.problem

    def _wait_for_posture(self) -> bool:
        self._wanted.wait()
        return not self._ending.is_set()

    def _take_picture(self, pipe: Connection) -> None:
        if self._offered is not None:
            qpos, stamp = self._offered
            start = self._now()
            pipe.send_bytes(qpos.tobytes())
            if not pipe.poll(PATIENCE):
                raise OSError("no picture came")
            self._store(pipe.recv_bytes(), stamp)
            took = self._now() - start
            rest = max(1.0 / self.settings.rate, took / MAX_SHARE)
            self._due = max(self._due, start + rest)
        self._wanted.clear()

    def _store(self, answer: bytes, stamp: float) -> None:
        pixels = np.frombuffer(answer, dtype=np.uint8, offset=1)
        self._newest = RobotFeedback(
            stamp=stamp,
            image=pixels.reshape(self.settings.shape),
            stereo=self.settings.stereo,
        )

    def _open(self) -> Connection | None:
        """Start a process with the first backend that works."""
        for backend in BACKENDS:
            spawn = multiprocessing.get_context("spawn")
            pipe, theirs = spawn.Pipe()
            process = spawn.Process(
                target=render_pictures,
                args=(self.settings, backend, theirs),
                name="head camera",
                daemon=True,
            )
            process.start()
            theirs.close()
            self._process = process
            answer = _answer(pipe)
            if answer[:1] == OPEN:
                return pipe
            self._end_process()
            pipe.close()
            reason = answer.removeprefix(FAILED).decode(errors="replace")
            self.problem = f"{backend}: {reason}"
            if self._ending.is_set():
                break
        return None

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            process.join(5.0)
            if process.is_alive():
                process.kill()
                process.join()


def _answer(pipe: Connection) -> bytes:
    try:
        if pipe.poll(START_PATIENCE):
            return pipe.recv_bytes(1000)
    except (EOFError, OSError):
        return FAILED + b"the process that renders ended at its start"
    return FAILED + b"the process that renders did not start in time"
