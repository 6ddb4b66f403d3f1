"""Turns on their way to the disk: quick to put, bounded, and no event is lost."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from telexist.teleop.terms import Event, Tick

__all__ = ["EventsOnly", "TickQueue"]

CAPACITY = 4000  # turns: 20 s at 200 Hz, some 40 MB
MAX_PICTURES = 8  # pictures are a hundred times as large as the rest


@dataclass(frozen=True, slots=True)
class EventsOnly:
    """What is left of a turn for which there was no room."""

    number: int
    events: tuple[Event, ...]


class TickQueue:
    """A queue between the loop, which puts, and one writer, which takes.

    When the writer falls behind, what matters least is dropped first: pictures; at
    half of the capacity the controller's values and the calibrated frames, which can
    be computed again; at three quarters the answers of the inverse kinematics and the
    robot's state; when full, everything except events.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        """Make room for `capacity` turns."""
        self._queue: deque[Tick | EventsOnly] = deque()
        self._half, self._most, self._full = (
            capacity // 2,
            capacity * 3 // 4,
            capacity,
        )
        # each counter has one writing thread, so none needs a lock
        self._pictures_in = self._pictures_out = 0
        self._dropped = dict.fromkeys(
            ("camera", "controller", "human", "targets", "robot", "whole turns"), 0
        )
        self._reported = dict(self._dropped)

    def __len__(self) -> int:
        """Return how many turns wait."""
        return len(self._queue)

    def put(self, tick: Tick) -> None:
        """Take a turn; returns at once."""
        if tick.feedback is not None and _has_picture(tick):
            tick = self._count_picture(tick)
        if len(self._queue) < self._half:
            self._queue.append(tick)
        else:
            self._put_thinned(tick)

    def take(self) -> Tick | EventsOnly | None:
        """Return the oldest turn, or None."""
        try:
            tick = self._queue.popleft()
        except IndexError:
            return None
        if isinstance(tick, Tick) and _has_picture(tick):
            self._pictures_out += 1
        return tick

    def take_dropped(self) -> dict[str, int]:
        """Return how many samples were dropped since the last call, by channel."""
        total = dict(self._dropped)
        new = {name: total[name] - self._reported[name] for name in total}
        self._reported = total
        return {name: count for name, count in new.items() if count}

    def _count_picture(self, tick: Tick) -> Tick:
        waiting = self._pictures_in - self._pictures_out
        if waiting < MAX_PICTURES and len(self._queue) < self._half:
            self._pictures_in += 1
            return tick
        self._dropped["camera"] += 1
        feedback = tick.feedback
        return replace(tick, feedback=feedback and replace(feedback, image=None))

    def _put_thinned(self, tick: Tick) -> None:
        waiting = len(self._queue)
        if waiting >= self._full:
            self._dropped["whole turns"] += 1
            if tick.events:
                self._queue.append(EventsOnly(tick.number, tick.events))
            return
        self._drop("controller", tick.report)
        self._drop("human", tick.human)
        tick = replace(tick, report=None, human=None)
        if waiting >= self._most:
            self._drop("targets", tick.targets)
            self._drop("robot", tick.robot)
            tick = replace(tick, targets=None, robot=None)
        self._queue.append(tick)

    def _drop(self, channel: str, value: object) -> None:
        if value is not None:
            self._dropped[channel] += 1


def _has_picture(tick: Tick) -> bool:
    return tick.feedback is not None and tick.feedback.image is not None
