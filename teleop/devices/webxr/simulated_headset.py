"""A headset without one: a client that opens the page's socket and sends its frames.

A person stands in N-pose, long enough to be calibrated, then performs the built-in
motion for ever, with controllers or with bare hands.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
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
from telexist.teleop.devices.webxr.picture_wire import SentPicture, unpack_picture
from telexist.teleop.devices.webxr.tracking import OURS_R_XR
from telexist.teleop.devices.webxr.wire import Held, XrFrame, pack_frame
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

__all__ = ["PlayedHeadset", "SimulatedHeadset"]

Anything = TypeVar("Anything")

PATIENCE = 10.0  # [s] for what must come at once
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
    """The page's end of the wire, in a thread of its own; others may call it.

    Attributes:
        pictures: Those that came last.
        messages: Words that came, oldest first.
        draws: Whether it tells that it has drawn what comes.
    """

    def __init__(self, url: str, authority: bytes, role: str = "headset") -> None:
        """Connect as the page at an address would; its certificate is verified.

        Args:
            url: Of the page, with its token.
            authority: Whose certificates are believed.
            role: "headset", or "viewer" to look on.

        Raises:
            DeviceLost: If there is no such page, or it lets nobody in.
        """
        self.pictures: deque[SentPicture] = deque(maxlen=100)
        self.messages: deque[dict[str, Any]] = deque(maxlen=1000)
        self.draws = True
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._socket = self._do(self._connect(url, authority, role))
        except (OSError, WebSocketException) as error:
            self._end()
            place = urlsplit(url).netloc
            raise DeviceLost(f"{place}: no page for us: {error}") from error
        self._listener = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)

    def send(self, frame: XrFrame) -> None:
        """Send a frame."""
        self.send_raw(pack_frame(frame))

    def tell(self, event: str) -> None:
        """Tell what has happened in the headset."""
        self.send_raw(json.dumps({"event": event}))

    def send_raw(self, message: bytes | str) -> None:
        """Send anything."""
        self._do(self._socket.send(message))

    def close(self) -> None:
        """Close the page; may be called twice."""
        if self._thread.is_alive():
            self._do(self._socket.close())
            self._listener.result(PATIENCE)
            self._end()

    def _do(self, work: Coroutine[Any, Any, Anything]) -> Anything:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _connect(self, url: str, authority: bytes, role: str) -> ClientConnection:
        place = urlsplit(url)
        trust = ssl.create_default_context(cadata=authority.decode())
        connection = await connect(
            f"wss://{place.netloc}{SOCKET_PATH}",
            ssl=trust,
            origin=f"https://{place.netloc}",  # type: ignore[arg-type]
            compression=None,
            proxy=None,
        )
        await connection.send(json.dumps({"token": place.fragment, "role": role}))
        async with asyncio.timeout(PATIENCE):
            await connection.recv()
        return connection

    async def _listen(self) -> None:
        """Take what comes, as the page does: answer pings, draw pictures at once."""
        with contextlib.suppress(WebSocketException, OSError):
            async for data in self._socket:
                got = clock.now()
                if isinstance(data, str):
                    await self._hear(json.loads(data), got)
                    continue
                picture = unpack_picture(data)
                self.pictures.append(picture)
                times = dict.fromkeys(("got", "decoded", "drawn"), got)
                if self.draws:
                    shown = {"shown": picture.number, **times}
                    await self._socket.send(json.dumps(shown))

    async def _hear(self, message: dict[str, Any], got: float) -> None:
        if "ping" in message:
            pong = {"pong": message["ping"], "now": got}
            await self._socket.send(json.dumps(pong))
        else:
            self.messages.append(message)


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
