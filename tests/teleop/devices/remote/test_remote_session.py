"""A whole session for an operator elsewhere: follows, holds when the line is cut."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from telexist.teleop import clock
from telexist.teleop.devices.base import make_device
from telexist.teleop.devices.remote import OperatorSide, own_identity, pair_with
from telexist.teleop.session import Session, SessionPlan
from telexist.teleop.terms import Request, State, Tick

pytestmark = pytest.mark.slow


class Ticks:
    """Remembers the states of a session and when they began."""

    def __init__(self) -> None:
        self.states: list[tuple[float, State]] = []
        self.moved: list[float] = []

    def put(self, tick: Tick) -> None:
        if not self.states or self.states[-1][1] is not tick.state:
            self.states.append((tick.stamp, tick.state))

    def close(self) -> None:
        pass


def test_any_source_drives_a_robot_elsewhere_and_a_cut_holds_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_net: Callable[[int], Any],
    until: Callable[..., None],
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    ticks = Ticks()
    plan = SessionPlan(
        robot="human48", backend="fake", source="remote:0?pair=yes", engage=True
    )
    session = Session(plan, [ticks])
    session.open()
    runner = threading.Thread(target=session.run, args=(120.0,))
    runner.start()
    source: Any = session.source
    net = make_net(source.port)
    net.delay = 0.02
    identity = own_identity("operator")
    pair_with(identity, ("127.0.0.1", source.port), source.code.text)
    device = make_device("webxr:simulated?hands=bare")
    side = OperatorSide(identity, ("127.0.0.1", net.port), [device], lambda line: None)
    thread = threading.Thread(target=side.run)
    thread.start()
    try:
        supervisor = session.loop.supervisor
        until(lambda: supervisor.state is State.ACTIVE, 90.0)
        clock.sleep(1.0)
        assert supervisor.state is State.ACTIVE
        net.cut = True
        cut = clock.now()
        until(lambda: supervisor.state is State.HOLDING)
        assert clock.now() - cut < 0.6  # 0.3 s, and what a busy machine adds
        net.cut = False
        clock.sleep(1.0)
        assert supervisor.state is State.HOLDING  # only somebody engages again
        session.request(Request.ENGAGE)
        until(lambda: supervisor.state is State.ACTIVE, 30.0)
    finally:
        side.stop()
        thread.join(20.0)
        session.loop.interrupt("the test is over")
        runner.join(60.0)
        net.close()
    assert supervisor.state is State.STOPPED
