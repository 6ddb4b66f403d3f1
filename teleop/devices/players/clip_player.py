"""A recording, or the built-in motion, played as if its person stood here now."""

from __future__ import annotations

import dataclasses
import math
import threading
from pathlib import Path

import numpy as np
from telexist.calibration import OperatorProfile
from telexist.retarget.errors import BadInput
from telexist.retarget.recordings import BUILTIN, ReadOptions, read_clip
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.teleop import clock
from telexist.teleop.devices.base import DeviceTraits, KnownOperator
from telexist.teleop.devices.person import FloorMove, looped_clip
from telexist.teleop.devices.players.played_device import PlayedDevice
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["ClipPlayer"]

_STILL_PERIOD = 1.0 / 60.0  # [s] between the frames of a clip that has only one


class ClipPlayer(PlayedDevice):
    """Plays a clip in real time from its own thread, for ever or once.

    Its frames are the identity in N-pose already, so they need no calibration. For
    ever: the person goes on from where the last pass ended; see `clip_loop.py`. Once:
    after the last frame it falls silent and `finished` is true. A frame that is due
    while a later one is due too is skipped and counted as "late".
    """

    def __init__(
        self,
        source: str | Path | HumanClip = BUILTIN,
        *,
        loop: bool = True,
        start: float = 0.0,
        options: ReadOptions | None = None,
    ) -> None:
        """Read the recording.

        Args:
            source: A file that `read_clip` reads, the word "builtin", or a clip.
            loop: Whether to begin again after the end.
            start: Time of the clip at which to begin [s].
            options: What is known about the recording, as for `read_clip`.

        Raises:
            BadInput: If it cannot be read, or `start` lies outside of it.
        """
        clip = source if isinstance(source, HumanClip) else read_clip(source, options)
        if not (math.isfinite(start) and 0.0 <= start <= clip.time[-1]):
            raise BadInput(
                f"{clip.source}: start {start:g} s: choose 0 to {clip.time[-1]:g} s"
            )
        self._source = clip
        self._loop = loop
        self._first = int(np.searchsorted(clip.time, start - 1e-9))
        self._clip, self._move = (
            looped_clip(clip) if loop else (clip, FloorMove.still())
        )
        self._period = _STILL_PERIOD if len(clip) < 2 else 1.0 / clip.rate
        super().__init__(f"recording {clip.name}")

    @property
    def provides(self) -> frozenset[Provides]:
        """A person."""
        return frozenset({Provides.HUMAN})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return max(0.1, 5.0 * self._period)

    @property
    def traits(self) -> DeviceTraits:
        """A recording, whose performer needs no calibration."""
        size = self._source.size
        known = KnownOperator(profile=OperatorProfile.identity(size), size=size)
        return DeviceTraits(played=True, still=True, operator=known)

    @property
    def clip(self) -> HumanClip:
        """What is played, as it was read: its performer's size is in it."""
        return self._source

    def _play(self, stop: threading.Event) -> None:
        """Send every frame at its time until told to stop or done."""
        times = self._clip.time
        length = float(times[-1]) + self._period  # from pass to pass
        begin = clock.now() - float(times[self._first])
        index, sequence, move = self._first, 0, FloorMove.still()
        while not stop.wait(max(0.0, begin + float(times[index]) - clock.now())):
            self._send(move.apply(self._clip.frame(index)), sequence)
            following, passes = self._next(index, clock.now() - begin, length)
            skipped = following + passes * len(times) - index - 1
            if skipped:
                self._mailbox.drop(clock.now(), "late", skipped)
            sequence += 1 + skipped
            for _ in range(passes):
                move = self._move.then(move)
                begin += length
            index = following
            if passes and not self._loop:
                break
        self._finished = not stop.is_set()

    def _next(self, index: int, elapsed: float, length: float) -> tuple[int, int]:
        """Return the frame to send next and in how many passes from now it comes."""
        due = int(np.searchsorted(self._clip.time, elapsed, side="right")) - 1
        if elapsed >= length and self._loop:
            passes = int(elapsed // length)
            rest = elapsed - passes * length
            due = int(np.searchsorted(self._clip.time, rest, side="right")) - 1
            return max(due, 0), passes
        following = max(index + 1, due)
        if following < len(self._clip):
            return following, 0
        return 0, 1

    def _send(self, frame: HumanFrame, sequence: int) -> None:
        stamp = clock.now()
        human = dataclasses.replace(frame, stamp=stamp, sequence=sequence)
        self._mailbox.put(DeviceSample(stamp=stamp, sequence=sequence, human=human))
