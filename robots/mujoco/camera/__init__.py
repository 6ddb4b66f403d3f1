"""The eyes of a simulated robot, drawn in a process of their own."""

from telexist.robots.mujoco.camera.camera_process import render_pictures
from telexist.robots.mujoco.camera.camera_settings import FAILED, OPEN, CameraSettings
from telexist.robots.mujoco.camera.head_camera import BACKENDS, HeadCamera

__all__ = [
    "BACKENDS",
    "CameraSettings",
    "FAILED",
    "HeadCamera",
    "OPEN",
    "render_pictures",
]
