"""A session whose time is over ends with the robot at rest."""

from __future__ import annotations

from typing import Any

import pytest
from telexist.teleop.sinks.time_end import TimeEnd
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State


class Asked:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.ends: list[float | None] = []

    def end(self, after: float | None = None) -> None:
        self.ends.append(after)


def test_a_robot_that_moves_is_held_first(bench: Any) -> None:
    asked = Asked()
    sink = TimeEnd(4.0, asked.requests.append, asked.end)
    bench.loop.sinks = (sink,)
    bench.engage()
    assert asked.ends == []
    bench.play(1.5)
    assert (asked.requests, asked.ends) == ([Request.HOLD], [None])
    assert bench.state is State.ACTIVE
    bench.play(1.0)
    assert len(asked.ends) == 1
    sink.close()


@pytest.mark.parametrize("request_", [Request.HOLD, Request.STOP])
def test_a_robot_that_brakes_already_is_waited_for(
    bench: Any, request_: Request
) -> None:
    asked = Asked()
    bench.engage()
    bench.give(bench.frame(), request_)
    bench.loop.sinks = (TimeEnd(0.0, asked.requests.append, asked.end),)
    bench.play(0.01)
    assert (asked.requests, asked.ends) == ([], [None])


def test_a_robot_that_nobody_moved_is_left_at_once(bench: Any) -> None:
    asked = Asked()
    bench.loop.sinks = (TimeEnd(0.0, asked.requests.append, asked.end),)
    bench.play(0.01)
    assert (asked.requests, asked.ends) == ([], [0.0])
