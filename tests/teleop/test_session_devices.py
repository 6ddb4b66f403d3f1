"""Whole sessions whose treadmill falls silent, is unplugged, or whose page dies."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from telexist.retarget.robot_body import RobotBody
from telexist.teleop import clock
from telexist.teleop.devices.simulators.faults.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.cable_link import CableLink
from telexist.teleop.devices.simulators.links.links import SenderLink, UdpLink
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.options import TimedPackets
from telexist.teleop.devices.simulators.senders.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
)
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.session import Session
from telexist.teleop.settings.settings import (
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from telexist.teleop.terms.device_sample import Treadmill
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import Event, State, Tick
from telexist.teleop.terms.walk_command import WalkCommand

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals, signals"),
]

PATIENCE = 60.0  # [s] for something that takes a second on a quiet machine
SETTINGS = SessionSettings(
    loop=LoopSettings(real_time=False),
    engage=EngageSettings(approach=0.2, approach_speed=1.0),
    safety=SafetySettings(deadline=60.0, stalled=60.0, robot_deadline=60.0),
)
AHEAD = Treadmill(yaw=0.0, speed=0.8, direction=0.0, height=0.0)


class Running:
    """An engaged session in a thread, with all that it did."""

    def __init__(self, **options: object) -> None:
        self.ticks: list[Tick] = []
        self._seen = 0
        plan = SessionPlan(backend="fake", engage=True, settings=SETTINGS, **options)  # type: ignore[arg-type]
        self.session = Session(plan, [self])
        self.session.open()
        self._thread = threading.Thread(target=self.session.run, daemon=True)
        self._thread.start()

    def put(self, tick: Tick) -> None:
        self.ticks.append(tick)

    def close(self) -> None:
        """Nothing to finish."""

    def stop(self) -> None:
        self.session.loop.stop_soon(0.0)
        self._thread.join(PATIENCE)
        self.session.close()

    def wait(self, what: Callable[[Tick], object]) -> Tick:
        """Return the first tick that is wanted after the one returned last."""
        end = clock.now() + PATIENCE
        while True:
            for tick in self.ticks[self._seen :]:
                self._seen += 1
                if what(tick):
                    return tick
            assert clock.now() < end, self.events()[-5:]
            clock.sleep(0.01)

    def events(self, kind: str = "") -> list[Event]:
        found = [event for tick in list(self.ticks) for event in tick.events]
        return [event for event in found if kind in ("", event.kind)]


@pytest.fixture
def run(body_of: Callable[[str], RobotBody]) -> Iterator[Callable[..., Running]]:
    body_of("icub")
    made: list[Running] = []

    def make(**options: object) -> Running:
        made.append(Running(**options))
        return made[-1]

    yield make
    for running in made:
        running.stop()


def walking(link: SenderLink, encode: Callable[[int, Treadmill], bytes]) -> Transmitter:
    """Return somebody who walks ahead on a treadmill, 100 samples a second."""
    packets = (
        TimedPackets(time=0.01 * k, packets=(encode(k, AHEAD),)) for k in range(10**6)
    )
    sender = Transmitter(packets, link, FaultLine(FaultPlan()))
    sender.start()
    return sender


def walks(tick: Tick) -> bool:
    return tick.state is State.ACTIVE and tick.reference.walk.vx > 0.1


def told(kind: str) -> Callable[[Tick], bool]:
    return lambda tick: any(event.kind == kind for event in tick.events)


def test_a_walk_ends_when_its_treadmill_falls_silent(
    run: Callable[..., Running],
) -> None:
    running = run(inputs=("cyberith:0",))
    name = running.session.loop.input.devices[1].name
    link = UdpLink(("127.0.0.1", int(name.rpartition(":")[2])))
    sender = walking(link, cyberith_datagram)
    running.wait(walks)
    sender.stop()
    tick = running.wait(told("input_stale"))
    assert tick.reference.walk == WalkCommand()
    assert tick.state is State.ACTIVE  # the arms go on
    reason = running.events("input_stale")[0].reason
    found = re.match(f"{re.escape(name)}: silent for ([0-9.]+) s: ", reason)
    assert found is not None and float(found[1]) >= 0.2


def test_a_pulled_cable_holds_the_robot(run: Callable[..., Running]) -> None:
    link = CableLink()
    sender = walking(link, lambda _, sample: kat_frames(sample))
    running = run(inputs=(f"treadmill:kat:{link.path}",))
    running.wait(walks)
    sender.stop()  # closes the cable too
    tick = running.wait(told("device_lost"))
    assert tick.state is State.HOLDING
    assert "plug it in again" in running.events("device_lost")[0].reason
    running.session.request(Request.ENGAGE)
    running.wait(told("refused_request"))
    assert len(running.events("device_lost")) == 1


def test_a_dead_page_holds_the_robot(run: Callable[..., Running]) -> None:
    pytest.importorskip("viser")
    running = run(page=True, port=0)
    running.wait(lambda tick: tick.state is State.ACTIVE)
    page = running.session.page
    assert page is not None and page.process_id is not None
    os.kill(page.process_id, signal.SIGKILL)
    tick = running.wait(told("buttons_lost"))
    assert tick.state is State.HOLDING
    assert "stop with Ctrl-C" in running.events("buttons_lost")[0].reason
