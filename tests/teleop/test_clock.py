"""The loop's alarm: woken at once, at the latest in time, and nothing is missed."""

from __future__ import annotations

import threading

from telexist.teleop.clock import Waker, now, sleep

LATE = 600.0  # [s] nobody waits so long, however busy the machine


def test_nobody_wakes_and_the_time_is_kept() -> None:
    waker, began = Waker(), now()
    waker.wait(began + 0.05)
    assert 0.05 <= now() - began < LATE
    waker.wait(began)  # over already
    assert now() - began < LATE


def test_a_call_before_the_wait_counts_until_it_is_cleared() -> None:
    waker, began = Waker(), now()
    waker.wake()
    waker.wake()  # twice is once
    waker.wait(began + LATE)
    assert now() - began < LATE
    waker.wake()
    waker.clear()
    waker.clear()
    began = now()
    waker.wait(began + 0.05)
    assert now() - began >= 0.05


def test_a_sleeper_is_woken_by_many_threads_again_and_again() -> None:
    waker, heard, ending = Waker(), 0, threading.Event()

    def call() -> None:
        while not ending.is_set():
            waker.wake()
            sleep(1e-3)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    began = now()
    for _ in range(100):
        waker.clear()
        waker.wait(now() + LATE)
        heard += 1
    ending.set()
    for thread in threads:
        thread.join()
    assert heard == 100
    assert now() - began < LATE  # not one of them waited in vain
