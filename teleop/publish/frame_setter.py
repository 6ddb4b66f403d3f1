"""Sets an operator's frames in YARP's transform server, as a headset's driver does."""

from __future__ import annotations

import logging

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, rotation_z, yaw_of
from telexist.robots.yarp.iit import FRAME_SERVER, frame_items
from telexist.robots.yarp.network import NameClient, PortLink
from telexist.robots.yarp.wire import Dialect

__all__ = ["FrameSetter", "operator_frames"]

ORIGIN = "openxr_origin"
FRAMES = {"Head": "openxr_head", "LeftHand": "left_glove", "RightHand": "right_glove"}
ROOT = "root_link_desired"
SEGMENT_R_OPENXR = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""OpenXR's axes (x right, y up, z back) in those of a segment in N-pose."""
ANSWER = 0.2  # [s]
AGAIN = 1.0  # [s] until the server is looked for again

_log = logging.getLogger(__name__)


def operator_frames(
    frame: HumanFrame, *, root_turned: bool
) -> dict[str, tuple[Array, Array]]:
    """Return name to rotation (3, 3) and origin (3,) [m], in axes with z up.

    Head and hands have OpenXR's axes. The root is upright, below the pelvis' heading;
    its x points ahead, or back if it is turned.
    """
    found = {}
    for segment, name in FRAMES.items():
        if segment in frame.segments and frame.positions is not None:
            k = frame.segments.index(segment)
            R = frame.rotations[k] @ SEGMENT_R_OPENXR
            found[name] = (R, np.array(frame.positions[k]))
    if "Pelvis" in frame.segments and frame.positions is not None:
        k = frame.segments.index("Pelvis")
        yaw = yaw_of(frame.rotations[k]) + (np.pi if root_turned else 0.0)
        found[ROOT] = (rotation_z(yaw), np.array(frame.positions[k]))
    return found


class FrameSetter:
    """One connection to the transform server, made again when it is lost."""

    def __init__(self, names: NameClient, own_name: str, dialect: Dialect) -> None:
        """State where; nothing is reached yet."""
        self._names, self._own_name, self._dialect = names, own_name, dialect
        self._link: PortLink | None = None
        self._again = float("-inf")
        self.set = 0
        """How many frames were set."""

    def put(
        self, frames: dict[str, tuple[Array, Array]], wall: float, now: float
    ) -> None:
        """Set frames.

        Args:
            frames: As of `operator_frames`.
            wall: Wall clock [s].
            now: Monotonic clock [s].
        """
        if self._link is None and now < self._again:
            return
        try:
            if self._link is None:
                self._link = self._connect()
            for name, (R, p) in frames.items():
                items = frame_items((ORIGIN, name), R, p, wall)
                self._link.ask(items, self._dialect)
                self.set += 1
        except RobotLost as error:
            _log.warning("frames: %s", error)
            self.close()
            self._again = now + AGAIN

    def close(self) -> None:
        """End the connection; may be called twice."""
        if self._link is not None:
            self._link.drop()
            self._link = None

    def _connect(self) -> PortLink:
        contact = self._names.query(FRAME_SERVER)
        if contact is None:
            raise RobotLost(f"there is no {FRAME_SERVER}: start frameTransformServer")
        return PortLink(contact, self._own_name, timeout=ANSWER)
