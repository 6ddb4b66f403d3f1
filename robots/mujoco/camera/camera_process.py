"""The process that renders what the robot's head sees, or the robot itself."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from telexist.robots.base import ignore_terminal
from telexist.robots.description import load_again
from telexist.robots.mujoco.camera.camera_settings import (
    FAILED,
    OPEN,
    PICTURE,
    CameraSettings,
)
from telexist.robots.mujoco.camera.modest_process import be_modest

__all__ = ["render_pictures"]

HIDDEN = 5  # group of shapes that are not drawn
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
    os.environ["MUJOCO_GL"] = os.environ["PYOPENGL_PLATFORM"] = backend
    os.environ.setdefault("LP_NUM_THREADS", "1")  # without a GPU: one core at most
    try:
        picture = _Picture(settings)
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
    def __init__(self, settings: CameraSettings) -> None:
        # Only after MUJOCO_GL is set.
        import mujoco
        from telexist.robots.mujoco import mujoco_spec

        robot = load_again(settings.files)
        spec = mujoco_spec(
            robot, mount=settings.mount, visuals=True, unlocked=settings.unlocked
        )
        _decorate(spec, mujoco)
        spec.geom("floor").quat = settings.floor_quat_wxyz
        if settings.view == "head" and "Head" in robot.spec.links:
            _hide(spec.body(robot.spec.links["Head"]))  # it sees out, not in
        self._mujoco, self._model = mujoco, spec.compile()
        self._data = mujoco.MjData(self._model)
        self._renderer = mujoco.Renderer(
            self._model, settings.height, settings.width, max_geom=2000
        )
        flags = self._renderer.scene.flags
        flags[mujoco.mjtRndFlag.mjRND_SHADOW] = 0  # half of the time without a GPU
        flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = 0
        self._camera = self._model.camera(settings.view).id
        self._groups = np.array(self._model.geom_group)
        up = np.tan(np.radians(self._model.cam_fovy[self._camera]) / 2.0)
        self._slopes = np.array([up * settings.width / settings.height, up])
        self.taken_at(np.array(self._data.qpos))

    def taken_at(self, qpos: np.ndarray) -> np.ndarray:
        """Return the picture (h, w, 3) uint8 in a posture."""
        self._data.qpos[:] = qpos
        self._mujoco.mj_kinematics(self._model, self._data)
        self._mujoco.mj_comPos(self._model, self._data)  # the side camera follows it
        self._mujoco.mj_camlight(self._model, self._data)
        self._model.geom_group[:] = np.where(self._in_view(), self._groups, HIDDEN)
        self._renderer.update_scene(self._data, camera=self._camera)
        return np.asarray(self._renderer.render())

    def _in_view(self) -> np.ndarray:
        """Return which shapes the camera may see (g,) bool; most it cannot."""
        model, data = self._model, self._data
        axes = data.cam_xmat[self._camera].reshape(3, 3)
        places = (data.geom_xpos - data.cam_xpos[self._camera]) @ axes
        radius, ahead = model.geom_rbound, -places[:, 2]
        beside = np.abs(places[:, :2]) - ahead[:, None] * self._slopes
        margin = radius[:, None] * np.sqrt(1.0 + self._slopes**2)
        seen = (beside <= margin).all(axis=1) & (ahead >= -radius)
        return seen | (radius == 0.0)  # the floor has no end

    def close(self) -> None:
        self._renderer.close()


def _hide(body: Any) -> None:
    for geom in body.geoms:
        geom.group = HIDDEN
    for child in body.bodies:
        _hide(child)


def _decorate(spec: Any, mujoco: Any) -> None:
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
