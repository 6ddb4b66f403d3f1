"""What the loop finds when it reads less often than a device speaks."""

from __future__ import annotations

import threading

import pytest
from telexist.robots.base.interface import HandCommand
from telexist.teleop.devices.base.mailbox import MAX_REQUESTS, Mailbox, merge_samples
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand

FAST = WalkCommand(vx=1.0)


def test_the_newest_of_each_kind_wins_and_nothing_queues() -> None:
    box = Mailbox()
    woken: list[int] = []
    box.open(lambda: woken.append(1))
    box.put(DeviceSample(stamp=1.0, sequence=1, walk=FAST, hands=HandCommand(left=1.0)))
    box.put(DeviceSample(stamp=2.0, sequence=2, walk=WalkCommand()))
    sample = box.take()
    assert sample is not None
    assert (sample.stamp, sample.sequence) == (2.0, 2)
    assert sample.walk == WalkCommand() and sample.hands == HandCommand(left=1.0)
    assert box.take() is None
    assert len(woken) == 2


def test_requests_and_drops_add_up() -> None:
    box = Mailbox()
    box.leave(DeviceSample(stamp=1.0, requests=(Request.CALIBRATE,)))
    box.drop(1.5, "lost", 3)
    box.leave(DeviceSample(stamp=2.0, requests=(Request.ENGAGE, Request.STOP)))
    box.drop(2.5, "lost", 2)
    box.drop(2.6, "late")
    sample = box.take()
    assert sample is not None
    assert sample.requests == (Request.CALIBRATE, Request.ENGAGE, Request.STOP)
    assert sample.dropped == (("late", 1), ("lost", 5))
    assert sample.stamp == 2.0  # a count of drops makes nothing newer


def test_a_stop_survives_any_flood_of_requests() -> None:
    box = Mailbox()
    box.leave(DeviceSample(stamp=0.0, requests=(Request.STOP,)))
    for k in range(1000):
        box.leave(DeviceSample(stamp=float(k), requests=(Request.ENGAGE,)))
    sample = box.take()
    assert sample is not None
    assert Request.STOP in sample.requests and len(sample.requests) == MAX_REQUESTS


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        (None, None, None),
        (True, None, True),
        (None, False, False),
        (True, True, True),
        (True, False, False),
        (False, True, False),
    ],
)
def test_a_switch_that_was_let_go_for_a_moment_counts(
    old: bool | None, new: bool | None, both: bool | None
) -> None:
    merged = merge_samples(
        DeviceSample(stamp=0.0, dead_man=old), DeviceSample(stamp=1.0, dead_man=new)
    )
    assert merged.dead_man is both


def test_closed_it_forgets_and_wakes_nobody() -> None:
    box = Mailbox()
    woken: list[int] = []
    box.open(lambda: woken.append(1))
    box.put(DeviceSample(stamp=0.0))
    box.close()
    assert box.take() is None
    box.put(DeviceSample(stamp=1.0))
    assert len(woken) == 1


def test_no_request_is_lost_between_threads() -> None:
    box, count = Mailbox(), 5000
    seen = 0

    def write() -> None:
        for k in range(count):
            box.leave(DeviceSample(stamp=float(k), dropped=(("lost", 1),)))

    writer = threading.Thread(target=write)
    writer.start()
    while writer.is_alive():
        seen += _lost(box)
    writer.join()
    assert seen + _lost(box) == count


def _lost(box: Mailbox) -> int:
    sample = box.take()
    return 0 if sample is None else dict(sample.dropped)["lost"]


def test_the_newest_detail_of_each_reason_is_kept_and_is_safe_to_print() -> None:
    box = Mailbox()
    box.drop(1.0, "malformed", detail="only 7 bytes")
    box.drop(1.1, "malformed", detail="red \x1b[31m" + 1000 * "x")
    box.drop(1.2, "stranger", detail="sent by 127.0.0.1:9")
    box.drop(1.3, "lost", 3)
    sample = box.take()
    assert sample is not None
    details = dict(sample.details)
    assert details.keys() == {"malformed", "stranger"}
    assert details["malformed"].startswith("'red \\x1b[31m")
    assert details["malformed"].isprintable()
    assert len(details["malformed"]) < 200
