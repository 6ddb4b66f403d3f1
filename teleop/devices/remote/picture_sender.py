"""The robot's eyes for an operator far away: encodes the newest picture, sends pieces.

Datagrams, for the reason that poses have: what is lost must not hold up what follows.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import PeerClock, encode_jpeg
from telexist.teleop.devices.remote.picture_budget import PictureBudget
from telexist.teleop.devices.remote.picture_pieces import (
    MOST_JPEG,
    SplitPicture,
    split_picture,
)

__all__ = ["PictureSender"]

RATE = 30.0  # [Hz] at most


class PictureSender:
    """Sends pictures to one operator's side; used by the event loop only.

    Attributes:
        wanted: Whether somebody there would see them.
        budget: How large they may be.
        sent: Datagrams that were sent since the last report.
    """

    def __init__(self, send: Callable[[bytes], None], peer_clock: PeerClock) -> None:
        """Take what sends a datagram's content, and the operator's clock."""
        self.wanted, self.sent = False, 0
        self.budget = PictureBudget(RATE)
        self._send, self._clock = send, peer_clock
        self._waiting: RobotFeedback | None = None
        self._task: asyncio.Task[None] | None = None
        self._number, self._due = 0, 0.0

    def offer(self, feedback: RobotFeedback) -> None:
        """Send a picture soon, instead of the one that waits."""
        if not self.wanted or not self._clock.known:
            return
        self._waiting = feedback
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take whether pictures are wanted, how many datagrams came, and how late."""
        said = message.get("eyes")
        if not isinstance(said, dict):
            return
        self.wanted = said.get("wanted") is True
        got, late = said.get("got"), said.get("late")
        if isinstance(got, int) and isinstance(late, int | float) and self.sent:
            lost = min(max(0.0, 1.0 - got / self.sent), 1.0)
            self.budget.report(lost, float(late) if math.isfinite(late) else 0.0)
        self.sent = 0

    async def _work(self) -> None:
        while (feedback := self._waiting) is not None and feedback.image is not None:
            self._waiting = None
            now = clock.now()
            if now < self._due:
                continue
            self._due = max(self._due + 1.0 / RATE, now - 0.5 / RATE)
            image = feedback.image
            if self.budget.halved:
                image = np.ascontiguousarray(image[::2, ::2])
            jpeg = await asyncio.to_thread(encode_jpeg, image, self.budget.quality)
            self.budget.sent(len(jpeg))
            if len(jpeg) > MOST_JPEG:
                continue
            self._number += 1
            picture = SplitPicture(
                number=self._number,
                captured=self._clock.theirs(feedback.stamp),
                stereo=feedback.stereo,
                fovy=feedback.fovy,
                jpeg=jpeg,
            )
            for content in split_picture(picture, self.budget.spare):
                self._send(content)
                self.sent += 1
