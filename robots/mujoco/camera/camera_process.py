"""The process that renders what the robot's head sees, or the robot itself."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.so3 import rotation_from_quat_wxyz
from telexist.robots.base import ignore_terminal
from telexist.robots.description import RobotModel, load_again
from telexist.robots.mujoco import mujoco_spec
from telexist.robots.mujoco.camera.camera_settings import (
    FAILED,
    OPEN,
    PICTURE,
    CameraSettings,
)
from telexist.robots.mujoco.camera.coarse_meshes import coarsen_meshes
from telexist.robots.mujoco.camera.eyes import eye_places
from telexist.robots.mujoco.camera.modest_process import be_modest
from telexist.robots.mujoco.camera.offscreen import Offscreen

__all__ = ["render_pictures"]

HIDDEN = 5  # group of shapes that are not drawn
EYES_APART = 0.063  # [m] a person's, where the model tells nothing
TILT = np.radians(25.0)  # down, so that the hands are in view


def render_pictures(settings: CameraSettings, backend: str, pipe: Connection) -> None:
    """Answer each posture (qpos, float64) with a picture until the pipe is closed.

    Args:
        settings: The robot and the size of the picture.
        backend: Of MuJoCo's renderer: "egl" or "osmesa".
        pipe: To the session.
    """
    ignore_terminal(but=("SIGTERM",))
    be_modest()
    os.environ.setdefault("LP_NUM_THREADS", "1")  # without a GPU: one core at most
    try:
        picture = _Picture(settings, backend)
    except Exception as error:  # graphics fail in many ways; the session goes on
        pipe.send_bytes(FAILED + str(error).encode()[:500])
        return
    pipe.send_bytes(OPEN)
    try:
        while True:
            qpos = np.frombuffer(pipe.recv_bytes(), dtype=np.float64)
            pipe.send_bytes(PICTURE + picture.taken_at(qpos).tobytes())
    except (EOFError, OSError):
        picture.close()  # the session has ended


class _Picture:
    def __init__(self, settings: CameraSettings, backend: str) -> None:
        robot = load_again(settings.files)
        spec = mujoco_spec(
            robot, mount=settings.mount, visuals=True, unlocked=settings.unlocked
        )
        _decorate(spec)
        spec.geom("floor").quat = settings.floor_quat_wxyz
        names: list[str] = [settings.view]
        if settings.stereo and settings.view == "head":
            names = _add_eyes(spec, robot)
        if settings.view == "head" and "Head" in robot.spec.links:
            _hide(spec.body(robot.spec.links["Head"]))  # it sees out, not in
        spec.visual.quality.offsamples = 0  # two thirds of the time without a GPU
        height, width, _ = settings.shape
        spec.visual.global_.offwidth = max(width, spec.visual.global_.offwidth)
        spec.visual.global_.offheight = max(height, spec.visual.global_.offheight)
        self._model = spec.compile()
        coarsen_meshes(self._model)
        self._data = mujoco.MjData(self._model)
        self._offscreen = Offscreen(
            self._model, width=width, height=height, backend=backend
        )
        self._width = settings.width
        self._cameras = [self._model.camera(name).id for name in names]
        self._groups = np.array(self._model.geom_group)
        up = np.tan(np.radians(self._model.cam_fovy[self._cameras[0]]) / 2.0)
        self._slopes = np.array([up * settings.width / settings.height, up])
        self.taken_at(np.array(self._data.qpos))

    def taken_at(self, qpos: np.ndarray) -> np.ndarray:
        """Return the picture (h, w, 3) uint8 in a posture, of all eyes."""
        self._data.qpos[:] = qpos
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)  # the side camera follows it
        mujoco.mj_camlight(self._model, self._data)
        for k, camera in enumerate(self._cameras):
            shown = self._in_view(camera)
            self._model.geom_group[:] = np.where(shown, self._groups, HIDDEN)
            columns = (k * self._width, (k + 1) * self._width)
            self._offscreen.draw(self._data, camera, columns)
        return self._offscreen.picture()

    def _in_view(self, camera: int) -> np.ndarray:
        """Return which shapes the camera may see (g,) bool; most it cannot."""
        model, data = self._model, self._data
        axes = data.cam_xmat[camera].reshape(3, 3)
        places = (data.geom_xpos - data.cam_xpos[camera]) @ axes
        radius, ahead = model.geom_rbound, -places[:, 2]
        beside = np.abs(places[:, :2]) - ahead[:, None] * self._slopes
        margin = radius[:, None] * np.sqrt(1.0 + self._slopes**2)
        seen = (beside <= margin).all(axis=1) & (ahead >= -radius)
        return seen | (radius == 0.0)  # the floor has no end

    def close(self) -> None:
        self._offscreen.close()


def _hide(body: Any) -> None:
    for geom in body.geoms:
        geom.group = HIDDEN
    for child in body.bodies:
        _hide(child)


def _add_eyes(spec: Any, robot: RobotModel) -> list[str]:
    """Put two cameras where the head's one is, or where the model has eyes."""
    head, names = spec.camera("head"), ["left eye", "right eye"]
    link_R_camera = rotation_from_quat_wxyz(np.array(head.quat))
    places = eye_places(robot, head.parent.name)
    if places is None:
        half = 0.5 * EYES_APART * link_R_camera[:, 0]
        places = (head.pos - half, head.pos + half)
    for name, place in zip(names, places, strict=True):
        head.parent.add_camera(
            name=name, pos=place, quat=np.array(head.quat), fovy=head.fovy
        )
    return names


def _decorate(spec: Any) -> None:
    """Give the world a floor with tiles and a sky, and turn the camera to the hands."""
    kinds, builtins = mujoco.mjtTexture, mujoco.mjtBuiltin
    spec.add_texture(
        name="sky",
        type=kinds.mjTEXTURE_SKYBOX,
        builtin=builtins.mjBUILTIN_GRADIENT,
        rgb1=[0.85, 0.92, 1.0],
        rgb2=[0.55, 0.65, 0.8],
        width=128,
        height=128,
    )
    spec.add_texture(
        name="tiles",
        type=kinds.mjTEXTURE_2D,
        builtin=builtins.mjBUILTIN_CHECKER,
        rgb1=[0.86, 0.88, 0.9],
        rgb2=[0.7, 0.74, 0.78],
        mark=mujoco.mjtMark.mjMARK_EDGE,
        markrgb=[0.45, 0.5, 0.55],
        width=256,
        height=256,
    )
    material = spec.add_material(name="tiles", texrepeat=[1.0, 1.0], texuniform=True)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "tiles"
    floor = spec.geom("floor")
    floor.material, floor.rgba = "tiles", [1.0, 1.0, 1.0, 1.0]
    camera = spec.camera("head")
    down = np.array([np.cos(TILT / 2.0), -np.sin(TILT / 2.0), 0.0, 0.0])
    turned = np.zeros(4)
    mujoco.mju_mulQuat(turned, np.array(camera.quat), down)
    camera.quat = turned
    spec.visual.headlight.ambient = [0.35, 0.35, 0.35]
    spec.visual.headlight.diffuse = [0.5, 0.5, 0.5]
