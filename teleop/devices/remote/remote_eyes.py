"""Pictures of a robot far away: pieces in, whole ones out, and what became of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.remote.picture_pieces import PictureJoiner
from telexist.teleop.devices.remote.sealed_datagrams import DatagramKind, Opener

__all__ = ["RemoteEyes"]

WINDOW = 2048  # datagrams that one may be overtaken by
REMEMBERED = 450  # pictures, of which the youngest is the measure


class RemoteEyes:
    """Takes the datagrams of one connection.

    Attributes:
        ages: Of the last pictures when they were whole [s].
        joiner: Counts whole and broken pictures.
    """

    def __init__(self, key: bytes) -> None:
        """Take the key of pictures."""
        self._opener = Opener(key, window=WINDOW)
        self.joiner = PictureJoiner()
        self.ages: deque[float] = deque(maxlen=REMEMBERED)
        self._got = 0
        self._since: list[float] = []

    @staticmethod
    def is_piece(data: bytes) -> bool:
        """Return whether a datagram says that it is of a picture."""
        return len(data) > 1 and data[1] == DatagramKind.PICTURE

    def take(self, data: bytes) -> RobotFeedback | None:
        """Take a datagram; return the picture that it completes.

        Raises:
            RefusedMessage: If it is not the robot's side's, or came before.
        """
        _, content = self._opener.open(data)
        self._got += 1
        picture = self.joiner.add(content)
        if picture is not None:
            age = clock.now() - picture.stamp
            self.ages.append(age)
            self._since.append(age)
        return picture

    def report(self, *, wanted: bool) -> Mapping[str, Any]:
        """Return what the robot's side is told of it since the last report."""
        late, since = 0.0, sorted(self._since)
        if since:
            late = since[len(since) // 2] - min(self.ages)
        said = {"wanted": wanted, "got": self._got, "late": late}
        self._got, self._since = 0, []
        return {"eyes": said}
