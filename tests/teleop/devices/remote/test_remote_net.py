"""How old poses are behind a long and bad line, and that a cut is noticed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import DeviceLost
from telexist.teleop import clock

pytestmark = pytest.mark.slow

RATE = 90.0  # [Hz] of the device
LOOP = 0.01  # [s]


def ages(sides: Any, seconds: float) -> tuple[np.ndarray, int]:
    """Return how old the newest pose is at each turn of a loop [s], and how many."""
    stop = threading.Event()

    def show() -> None:
        while not stop.wait(1.0 / RATE):
            sides.device.show_person()

    shower = threading.Thread(target=show)
    shower.start()
    found, newest, count = [], None, 0
    begin = clock.now()
    while clock.now() < begin + seconds:
        try:
            sample = sides.source.read()
        except DeviceLost:
            sample = None
        if sample is not None and sample.human is not None:
            newest, count = sample.human, count + 1
        if newest is not None and clock.now() > begin + 2.0:
            # both sides have the same clock here: this is the true age
            found.append(clock.now() - newest.stamp)
        clock.sleep(LOOP)
    stop.set()
    shower.join()
    return np.array(found), count


@pytest.mark.parametrize(
    ("round_trip", "loss", "jitter", "more"),
    [(0.1, 0.02, 0.005, 0.03), (0.2, 0.05, 0.005, 0.04)],
)
def test_poses_are_hardly_older_than_the_way_is_long(
    sides: Any,
    net: Any,
    round_trip: float,
    loss: float,
    jitter: float,
    more: float,
) -> None:
    net.delay, net.loss, net.jitter = 0.5 * round_trip, loss, jitter
    sides.connect(net.port)
    found, count = ages(sides, 14.0)
    p50, p99 = np.percentile(found, [50, 99])

    assert count > 400
    assert 0.5 * round_trip - 0.01 < p50 < 0.5 * round_trip + more
    # A machine that is busy adds its own delays to the tail: the median is the line's.
    assert p99 < 0.5 * round_trip + 4.0 * more
    assert sides.source.peer.clock.ours(100.0) == pytest.approx(100.0, abs=0.005)


def test_a_cut_is_stale_within_the_deadline_and_then_lost(
    sides: Any, net: Any, until: Callable[..., None]
) -> None:
    net.delay = 0.05
    sides.connect(net.port)
    found, _ = ages(sides, 3.0)
    assert found.max() < sides.source.deadline
    net.cut = True
    until(lambda: not sides.source.connected)
    with pytest.raises(DeviceLost, match="silent for 3 s"):
        while sides.source.read() is not None:
            pass  # what it said before
        sides.source.read()
