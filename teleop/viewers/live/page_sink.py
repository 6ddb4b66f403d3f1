"""Takes the loop's ticks and sends the page the newest, at the page's own rate."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

import numpy as np
from telexist.retarget.person_dynamics import PersonDynamics
from telexist.retarget.signals import HumanFrame
from telexist.teleop.terms import STAGES, ControllerReport, Event, Tick
from telexist.teleop.viewers.live.page_update import (
    PageEvent,
    PageUpdate,
    encode_picture,
    encode_update,
)

__all__ = ["PageSink"]

RATE = 25.0  # [Hz]
MAX_EVENTS = 500  # kept for a page that is slow
MAX_TIMES = 1000  # turns of the loop between two updates
MAX_MARKS, MAX_MARK_SIZE, MAX_TEXT = 32, 256, 300
SHOWN = (
    "moments",
    "moments_sd",
    "foot_wrenches",
    "foot_wrenches_sd",
    "foot_points",
    "contact",
    "measured",
    "hand_loads",
    "hand_loads_sd",
    "scores",
)
_MS, _DEG = 1e3, 180.0 / np.pi

_log = logging.getLogger(__name__)


class PageSink:
    """Never blocks the loop: `put` stores, a thread sends; frames may be skipped."""

    def __init__(self, send: Callable[[bytes], None], *, rate: float = RATE) -> None:
        """Start to send.

        Args:
            send: Gives a message to the page; may block, raises OSError at its end.
            rate: Of updates [Hz].
        """
        self._send, self._period = send, 1.0 / rate
        self._newest: Tick | None = None
        self._robot_tick: Tick | None = None
        self._human: HumanFrame | None = None
        self._report: ControllerReport | None = None
        self._dynamics: PersonDynamics | None = None
        self._image: np.ndarray | None = None
        self._events: deque[Event] = deque(maxlen=MAX_EVENTS)
        self._times: deque[tuple[float, float, tuple[float, ...]]]
        self._times = deque(maxlen=MAX_TIMES)
        self._notice = ""
        self._start: float | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def put(self, tick: Tick) -> None:
        """Take a tick; returns at once."""
        if self._start is None:
            self._start = tick.stamp
        self._times.append((tick.period, tick.age, tick.stages))
        self._events.extend(tick.events)
        if tick.human is not None:
            self._human = tick.human
        elif tick.raw is not None and self._human is None:
            self._human = tick.raw  # nobody is calibrated yet
        if tick.report is not None:
            self._report = tick.report
        if tick.dynamics:
            self._dynamics = tick.dynamics[-1]
        if tick.feedback is not None and tick.feedback.image is not None:
            self._image = tick.feedback.image
        if tick.robot is not None:
            self._robot_tick = tick
        self._newest = tick

    def say(self, notice: str) -> None:
        """Show a line that the operator should read, such as a countdown; "" none."""
        self._notice = notice

    def close(self) -> None:
        """Stop sending; may be called twice."""
        self._closed.set()

    def join(self, timeout: float) -> None:
        """Wait for the thread to end [s]."""
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._closed.wait(self._period):
            try:
                self._send_newest()
            except (OSError, ValueError):  # the page is gone, or its pipe closed
                if not self._closed.is_set():
                    _log.warning("the page has ended; the session goes on without it")
                return

    def _send_newest(self) -> None:
        image, self._image = self._image, None
        tick, self._newest = self._newest, None
        if tick is not None:
            self._send(encode_update(self._update(tick)))
        if image is not None:
            self._send(encode_picture(image))

    def _update(self, tick: Tick) -> PageUpdate:
        human, robot = self._human, self._robot_tick
        state = robot.robot if robot is not None else None
        marks = _marks(self._report)
        place, turn = marks.pop("world_p_base", None), marks.pop("world_R_base", None)
        if state is not None and state.world_p_base is not None:
            place, turn = state.world_p_base, state.world_R_base
        return PageUpdate(
            stamp=tick.stamp - (self._start or 0.0),
            state=tick.state.value,
            q=state.q if state is not None else None,
            world_p_base=place,
            world_R_base=turn,
            segments=human.segments if human is not None else (),
            human_R=human.rotations if human is not None else None,
            human_p=human.positions if human is not None else None,
            readings=_tracking(robot) | self._timing(),
            notice=(tick.notice or self._notice)[:MAX_TEXT],
            marks=marks,
            person=_person(self._dynamics),
            events=self._new_events(),
        )

    def _new_events(self) -> tuple[PageEvent, ...]:
        events = []
        while self._events:
            event = self._events.popleft()
            events.append(
                PageEvent(
                    stamp=event.stamp - (self._start or 0.0),
                    kind=event.kind[:MAX_TEXT],
                    reason=event.reason[:MAX_TEXT],
                    state=event.state.value,
                )
            )
        return tuple(events)

    def _timing(self) -> dict[str, float]:
        """Return the turns since the last update: periods, stages and ages [ms]."""
        rows = [self._times.popleft() for _ in range(len(self._times))]
        if not rows:
            return {}
        periods = np.array([row[0] for row in rows])
        stages = np.array([row[2] for row in rows if any(row[2])])
        readings = {
            "period": _MS * float(np.mean(periods)),
            "longest period": _MS * float(np.max(periods)),
            "age": _MS * rows[-1][1],
        }
        for k, stage in enumerate(STAGES):
            mean = float(stages[:, k].mean()) if len(stages) else float("nan")
            readings[stage] = _MS * mean
        return readings


def _tracking(tick: Tick | None) -> dict[str, float]:
    """Return how far the joints are from their commands [deg]."""
    if tick is None or tick.robot is None or tick.command is None:
        return {"mean error": float("nan"), "largest error": float("nan")}
    error = _DEG * np.abs(tick.command.q - tick.robot.q)
    return {"mean error": float(error.mean()), "largest error": float(error.max())}


def _person(dynamics: PersonDynamics | None) -> dict[str, np.ndarray]:
    """Return what the page shows of the person's dynamics."""
    if dynamics is None:
        return {}
    shown = {name: getattr(dynamics, name) for name in SHOWN}
    return shown | {
        "efforts": dynamics.efforts,
        "lag": np.array([dynamics.lag]),
        "mass": np.array([dynamics.mass]),
    }


def _marks(report: ControllerReport | None) -> dict[str, np.ndarray]:
    """Return what a controller wants shown, of bounded size."""
    if report is None:
        return {}
    values = list(report.values.items())[:MAX_MARKS]
    return {
        name: np.asarray(value)
        for name, value in values
        if np.size(value) <= MAX_MARK_SIZE
    }
