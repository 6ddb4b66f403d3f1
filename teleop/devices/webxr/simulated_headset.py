"""A headset without one: a client that opens the page's socket and sends its frames.

A person stands in N-pose, long enough to be calibrated, then performs the built-in
motion for ever, with controllers or with bare hands.
"""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

import numpy as np
from telexist.retarget.errors import DeviceLost
from telexist.retarget.hands import OPEN_HAND, standard_hand
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX, SIDES
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.teleop import clock
from telexist.teleop.devices.base import Worker
from telexist.teleop.devices.person import OperatorPose, SimulatedOperator
from telexist.teleop.devices.walk import WalkLimits
from telexist.teleop.devices.webxr.headset import WebXrHeadset
from telexist.teleop.devices.webxr.page_server import SOCKET_PATH
from telexist.teleop.devices.webxr.tracking import OURS_R_XR
from telexist.teleop.devices.webxr.wire import Held, XrFrame, pack_frame
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

__all__ = ["PlayedHeadset", "SimulatedHeadset"]

N_POSE = 12.0  # [s] to be calibrated in
NOISE = 3e-4  # [rad] of the sensors
RATE = 72.0  # [Hz]
CLOSING = 4.0  # [s] in which a bare hand closes and opens
FIST = np.array([[0.3, 0.6, 0.8, 0.9]] + 4 * [[0.0, 1.5, 1.7, 1.0]])  # [rad]
EYES = np.array([0.1, 0.0, 0.08])  # [m] from the head's joint to the headset
HAND_AXES = {
    "left": np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]]),
    "right": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]]),
}
"""`hand_R_palm` of `standard_hand`: in N-pose fingers point down and palms in."""


class SimulatedHeadset:
    """The page's end of the wire."""

    def __init__(self, url: str, authority: bytes) -> None:
        """Connect as the page at an address would; its certificate is verified.

        Raises:
            DeviceLost: If there is no such page, or it lets nobody in.
        """
        place = urlsplit(url)
        trust = ssl.create_default_context(cadata=authority.decode())
        try:
            self._socket: ClientConnection = connect(
                f"wss://{place.netloc}{SOCKET_PATH}",
                ssl=trust,
                origin=f"https://{place.netloc}",  # type: ignore[arg-type]
                compression=None,
                proxy=None,
            )
            self._socket.send(json.dumps({"token": place.fragment}))
            self._socket.recv(timeout=10.0)
        except (OSError, WebSocketException) as error:
            raise DeviceLost(f"{place.netloc}: no page for us: {error}") from error

    def send(self, frame: XrFrame) -> None:
        """Send a frame."""
        self._socket.send(pack_frame(frame))

    def tell(self, event: str) -> None:
        """Tell what has happened in the headset."""
        self._socket.send(json.dumps({"event": event}))

    def send_raw(self, message: bytes | str) -> None:
        """Send anything."""
        self._socket.send(message)

    def close(self) -> None:
        """Close the page."""
        self._socket.close()


class PlayedHeadset(WebXrHeadset):
    """A headset's browser whose headset is simulated, over the real socket."""

    def __init__(self, *, bare: bool, walk: WalkLimits | None = None) -> None:
        """Let the person have controllers, or bare hands."""
        name = "headset's browser (simulated)"
        super().__init__(host="127.0.0.1", port=0, walk=walk, name=name)
        self._bare = bare
        self._player = Worker("simulated headset", self._play)

    def open(self, wake: Callable[[], None]) -> None:
        """Serve the page and open it."""
        super().open(wake)
        self._player.start()

    def close(self) -> None:
        """Close both ends."""
        self._player.stop()
        super().close()

    def _play(self, stop: threading.Event) -> None:
        operator = SimulatedOperator(
            read_clip("builtin"), frames="n-pose", noise=NOISE, n_pose=N_POSE
        )
        headset = SimulatedHeadset(self.url, self.authority)
        begin = clock.now()
        with contextlib.suppress(WebSocketException), contextlib.closing(headset):
            for k, pose in enumerate(operator.poses(RATE)):
                if stop.wait(max(0.0, begin + pose.time - clock.now())):
                    return
                headset.send(worn_frame(pose, k + 1, bare=self._bare))


def worn_frame(pose: OperatorPose, sequence: int, *, bare: bool) -> XrFrame:
    """Return what a headset sees of a person."""
    head = SEGMENT_INDEX["Head"]
    R = pose.rotations[head]
    held = {}
    for side in SIDES:
        k = SEGMENT_INDEX[f"{side.capitalize()}Hand"]
        p, world_R_hand = pose.positions[k], pose.rotations[k]
        joints = None
        if bare:
            closed = 0.5 - 0.5 * np.cos(2.0 * np.pi * pose.time / CLOSING)
            points = standard_hand(OPEN_HAND + closed * (FIST - OPEN_HAND), side)
            joints = (p + points @ (world_R_hand @ HAND_AXES[side]).T) @ OURS_R_XR
        held[side] = Held(pose=_xr_pose(p, world_R_hand), joints=joints)
    return XrFrame(
        sequence=sequence,
        time=pose.time,
        now=pose.time,
        visible=True,
        head=_xr_pose(pose.positions[head] + R @ EYES, R),
        held=held,
    )


def _xr_pose(p: Array, R: Array) -> Array:
    w, x, y, z = quat_wxyz_from_rotation(OURS_R_XR.T @ R @ OURS_R_XR)
    return np.array([*(OURS_R_XR.T @ p), x, y, z, w])
