"""A device's thread that dies: one line, and a device that says that it is lost."""

from __future__ import annotations

import threading

import pytest
from telexist.retarget.errors import BadRecording, DeviceLost
from telexist.teleop import clock
from telexist.teleop.devices.base.mailbox import Mailbox
from telexist.teleop.devices.base.worker import Worker
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand


def _dies(error: Exception, mailbox: Mailbox) -> None:
    def work(stop: threading.Event) -> None:
        raise error

    worker = Worker("mat", work, mailbox.lose)
    worker.start()
    end = clock.now() + 60.0
    while worker.running and clock.now() < end:
        clock.sleep(0.002)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BadRecording("a.mcap", "no segment called 'Tail'"), "a.mcap: no segment"),
        (ZeroDivisionError("a bug"), "ZeroDivisionError: a bug"),
    ],
)
def test_a_thread_that_dies_is_one_line_and_a_lost_device(
    error: Exception, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox, woken = Mailbox(), threading.Event()
    mailbox.open(woken.set)
    _dies(error, mailbox)
    with pytest.raises(DeviceLost, match=f"its reader has died: {said}"):
        mailbox.take()
    assert woken.is_set()
    (line,) = caplog.records
    assert said in line.getMessage() and line.exc_info is None


def test_a_lost_device_is_heard_to_the_end_and_is_back_with_its_next_word() -> None:
    mailbox = Mailbox()
    mailbox.put(DeviceSample(stamp=0.0, requests=(Request.STOP,)))
    mailbox.lose("unplugged: plug it in")
    last = mailbox.take()
    assert last is not None and last.requests == (Request.STOP,)
    mailbox.drop(0.1, "malformed")  # no word of the device
    assert mailbox.take() is not None
    for _ in range(2):
        with pytest.raises(DeviceLost, match="plug it in"):
            mailbox.take()
    mailbox.put(DeviceSample(stamp=0.2, walk=WalkCommand()))
    assert mailbox.take() is not None and mailbox.take() is None
