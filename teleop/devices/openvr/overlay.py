"""The robot's camera in the headset: a picture that hangs in front of the eyes."""

from __future__ import annotations

import ctypes
import logging
import threading
from typing import Any

import numpy as np
from telexist.teleop import clock
from telexist.teleop.devices.base import Worker

__all__ = ["CameraOverlay"]

logger = logging.getLogger(__name__)

_PERIOD = 1.0 / 15.0  # [s] between two pictures: SteamVR copies each of them twice
_WIDTH, _DISTANCE = 1.6, 1.5  # [m]
_MAX_WIDTH = 1280  # pixels; larger pictures are thinned out
_KEY, _NAME = "telexist.camera", "Telexist camera"


class CameraOverlay:
    """Shows the newest picture from a thread of its own, at most 15 in a second."""

    def __init__(self, openvr: Any) -> None:
        """Take the library; SteamVR is running."""
        self._openvr = openvr
        self._lock = threading.Lock()
        self._newest: np.ndarray | None = None
        self._arrived = threading.Event()
        self._worker = Worker("headset's picture", self._work)

    def start(self) -> None:
        """Begin to show."""
        self._worker.start()

    def put(self, image: np.ndarray) -> None:
        """Leave a picture (h, w, 3) uint8; returns at once."""
        with self._lock:
            self._newest = image
        self._arrived.set()

    def stop(self) -> None:
        """Take the picture away."""
        self._arrived.set()
        self._worker.stop()

    def _work(self, stop: threading.Event) -> None:
        overlays = self._openvr.VROverlay()
        handle: int | None = None
        try:
            while not stop.is_set():
                if not self._arrived.wait(0.1):
                    continue
                self._arrived.clear()
                with self._lock:
                    image, self._newest = self._newest, None
                if image is None:
                    continue
                begin = clock.now()
                handle = self._create(overlays) if handle is None else handle
                _show(overlays, handle, image)
                stop.wait(max(0.0, begin + _PERIOD - clock.now()))
        except self._openvr.OpenVRError as error:
            logger.warning("headset: no picture: %s", error or type(error).__name__)
        finally:
            if handle is not None:
                overlays.destroyOverlay(handle)

    def _create(self, overlays: Any) -> int:
        handle = overlays.createOverlay(_KEY, _NAME)
        overlays.setOverlayWidthInMeters(handle, _WIDTH)
        place = self._openvr.HmdMatrix34_t()
        for k in range(3):
            place.m[k][k] = 1.0
        place.m[2][3] = -_DISTANCE
        overlays.setOverlayTransformTrackedDeviceRelative(
            handle, self._openvr.k_unTrackedDeviceIndex_Hmd, place
        )
        overlays.showOverlay(handle)
        return int(handle)


def _show(overlays: Any, handle: int, image: np.ndarray) -> None:
    step = -(-image.shape[1] // _MAX_WIDTH)
    small = image[::step, ::step]
    height, width = small.shape[:2]
    rgba = np.full((height, width, 4), 255, dtype=np.uint8)
    rgba[..., :3] = small
    buffer = (ctypes.c_ubyte * rgba.size).from_buffer_copy(rgba.tobytes())
    overlays.setOverlayRaw(handle, buffer, width, height, 4)
