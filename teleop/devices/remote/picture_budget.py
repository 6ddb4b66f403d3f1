"""How large pictures may be: as much as the line takes, told by who gets them."""

from __future__ import annotations

__all__ = ["PictureBudget"]

BYTES = (60e3, 2.5e6)  # [bytes/s] least and most, all pieces together
BEGIN = 1.0e6  # [bytes/s]
SHRINK, GROW = 0.7, 1.05  # at each report
LOST = 0.12  # share of datagrams: more is a line that is full
QUEUE = 0.12  # [s] that pictures are older than the youngest lately: the same
QUALITY = (25, 75)
SPARE = (0.15, 0.6)  # share of spare pieces
SAFETY = 3.0  # times the share that is lost


class PictureBudget:
    """Follows reports and sizes.

    Attributes:
        quality: Of the next JPEG.
        halved: Whether every second pixel goes alone.
        spare: Share of spare pieces.
    """

    def __init__(self, rate: float) -> None:
        """Begin carefully.

        Args:
            rate: Of pictures, about [Hz].
        """
        self.quality, self.halved, self.spare = 60, False, SPARE[0]
        self._bytes, self._rate = BEGIN, rate

    def report(self, lost: float, late: float) -> None:
        """Take what the operator's side tells.

        Args:
            lost: Share of the datagrams that did not come.
            late: How much older than the youngest pictures are [s].
        """
        full = lost > LOST or late > QUEUE
        least, most = BYTES
        self._bytes *= SHRINK if full else GROW
        self._bytes = min(max(self._bytes, least), most)
        self.spare = min(max(SPARE[0], SAFETY * lost + 0.1), SPARE[1])

    def sent(self, size: int) -> None:
        """Take a picture's size [bytes]; the next one is better or worse for it."""
        allowed = self._bytes / self._rate / (1.0 + self.spare)
        least, most = QUALITY
        if size > allowed:
            self.quality = max(least, self.quality - 4)
            if self.quality == least and size > 1.3 * allowed:
                self.halved = True
        elif size < 0.8 * allowed:
            self.quality = min(most, self.quality + 1)
            if self.quality == most and size < 0.2 * allowed:
                self.halved = False
