"""A person from a headset's frames: head and hands, grips, sticks and requests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.hands import hand_closing
from telexist.retarget.segments import SIDES
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz
from telexist.robots.base import HandCommand
from telexist.teleop.devices.base import FrameBuilder
from telexist.teleop.devices.webxr.wire import Held, XrFrame
from telexist.teleop.terms import Request

__all__ = ["XrTracking"]

OURS_R_XR = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""WebXR's axes are x right, y up, z back."""

BUTTONS = {
    ("right", 4): Request.ENGAGE,
    ("right", 5): Request.HOLD,
    ("left", 4): Request.CALIBRATE,
    ("left", 5): Request.STOP,
    ("right", 3): Request.CHANGE,
}
"""A, B, X and Y; the right stick pressed."""
TRIGGER, SQUEEZE, STICK_X, STICK_Y = 0, 1, 2, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class XrLook:
    """What a frame said.

    Attributes:
        human: Head and both hands; None while one of them is not tracked or seen.
        hands: How far they are closed.
        requests: Of buttons that went down.
        missing: What is not tracked.
    """

    human: HumanFrame | None
    hands: HandCommand | None
    requests: tuple[Request, ...]
    missing: tuple[str, ...]


class XrTracking:
    """Reads one frame after the other."""

    def __init__(self) -> None:
        self._frames = FrameBuilder()
        self._down: dict[str, int] = {}
        self._closed = dict.fromkeys(SIDES, 0.0)

    def look(self, frame: XrFrame, stamp: float) -> XrLook:
        """Return what a frame says that arrived at `stamp` [s]."""
        poses = {"Head": frame.head}
        for side in SIDES:
            poses[f"{side.capitalize()}Hand"] = frame.held[side].pose
        found = {name: pose for name, pose in poses.items() if pose is not None}
        missing = tuple(name for name in poses if name not in found)
        if not frame.visible:
            missing = ("page",)
        human = None
        if not missing:
            human = self._frames.build(
                tuple(found),
                np.array([_rotation(pose[3:]) for pose in found.values()]),
                np.array([OURS_R_XR @ pose[:3] for pose in found.values()]),
                stamp=stamp,
                sequence=frame.sequence,
                source_time=frame.time,
                hand_points=_hand_points(frame),
            )
            human.require_finite()
        else:
            self._frames.reset()
        for side in SIDES:
            self._closed[side] = _closing(side, frame.held[side], self._closed[side])
        requests = tuple(r for side in SIDES for r in self._pressed(side, frame))
        hands = HandCommand(left=self._closed["left"], right=self._closed["right"])
        return XrLook(human=human, hands=hands, requests=requests, missing=missing)

    def _pressed(self, side: str, frame: XrFrame) -> list[Request]:
        """Return what goes down; what is down when it is first seen does not count.

        First, too, after the page or the controller was away: a button that was held
        meanwhile must not engage.
        """
        if not (frame.visible and frame.held[side].there):
            self._down.pop(side, None)
            return []
        now = frame.held[side].pressed
        new = now & ~self._down.get(side, now)
        self._down[side] = now
        return [r for (of, k), r in BUTTONS.items() if of == side and new >> k & 1]


def _hand_points(frame: XrFrame) -> Array | None:
    """Return the joints of bare hands (2, 25, 3) [m]; None with two controllers."""
    joints = [frame.held[side].joints for side in SIDES]
    if all(hand is None for hand in joints):
        return None
    unseen = np.full((25, 3), np.nan)
    return np.array([unseen if hand is None else hand @ OURS_R_XR.T for hand in joints])


def _closing(side: str, held: Held, before: float) -> float:
    """Return how far a hand is closed; one that is not seen stays as it was."""
    if held.joints is not None:
        closed = hand_closing(held.joints, side)
        return before if closed is None else closed
    if held.pose is None:
        return before
    return float(np.clip(max(held.buttons[TRIGGER], held.buttons[SQUEEZE]), 0.0, 1.0))


def _rotation(quat_xyzw: Array) -> Array:
    R = rotation_from_quat_wxyz(quat_xyzw[[3, 0, 1, 2]] / np.linalg.norm(quat_xyzw))
    return OURS_R_XR @ R @ OURS_R_XR.T
