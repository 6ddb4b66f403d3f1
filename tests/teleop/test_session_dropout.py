"""A controller that is lost from sight, over a real socket, as VMC sends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import save_profile
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.teleop import clock
from telexist.teleop.devices.network.network_device import NetworkDevice
from telexist.teleop.devices.simulators.faults.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.links import UdpLink
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.vmc_sender import simulate_vmc
from telexist.teleop.devices.vmc.osc import (
    OscMessage,
    build_bundle,
    build_osc,
    parse_osc,
)
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.session import Session
from telexist.teleop.settings.settings import (
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import State, Tick

pytestmark = pytest.mark.slow

PATIENCE = 60.0  # [s] for something that takes half a second on a quiet machine
MANY = 30  # turns: enough to see that nothing moves
LEFT = "controller_left"


class Headset:
    """A headset with two controllers, the left of which can be hidden and moved."""

    def __init__(self) -> None:
        self.hidden, self.lifted = False, 0.0

    def packets(self) -> Iterator[TimedPackets]:
        settings = {"send": "devices", "frames": "n-pose"}
        # Standing: what comes late and at once, on a busy machine, must be no jump.
        options = SimulatorOptions(
            settings=settings, noise=1e-4, rate=100.0, n_pose=2.0 * PATIENCE
        )
        for timed in simulate_vmc(options):
            seen = tuple(self._seen(packet) for packet in timed.packets)
            yield TimedPackets(time=timed.time, packets=seen)

    def _seen(self, packet: bytes) -> bytes:
        messages = [m for m in parse_osc(packet) if not (self.hidden and _is_left(m))]
        return build_bundle([build_osc(m.address, *self._moved(m)) for m in messages])

    def _moved(self, message: OscMessage) -> tuple[object, ...]:
        if not _is_left(message):
            return message.arguments
        name, x, y, *rest = message.arguments
        assert isinstance(y, float)
        return name, x, y + self.lifted, *rest  # Unity's y is up


def _is_left(message: OscMessage) -> bool:
    return LEFT in message.arguments


class Kept:
    """A sink that keeps every tick."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []

    def put(self, tick: Tick) -> None:
        self.ticks.append(tick)

    def close(self) -> None:
        """Nothing to finish."""


def _wait(what: Callable[[], bool]) -> None:
    end = clock.now() + PATIENCE
    while not what():
        assert clock.now() < end
        clock.sleep(0.02)


def _at_rest(ticks: list[Tick]) -> bool:
    sent = [tick.command.q for tick in ticks if tick.command is not None]
    return len(sent) >= MANY and all(np.array_equal(q, sent[0]) for q in sent)


def _shows_left(tick: Tick) -> bool:
    return tick.raw is not None and "LeftHand" in tick.raw.segments


def test_a_controller_that_is_lost_holds_and_its_return_elsewhere_moves_nothing(
    tmp_path: Path, body_of: Callable[[str], RobotBody]
) -> None:
    body_of("g1")
    save_profile(
        OperatorProfile.identity(read_clip("builtin").size, "known"),
        tmp_path / "known.toml",
    )
    settings = SessionSettings(
        loop=LoopSettings(real_time=False),
        engage=EngageSettings(approach=0.2, approach_speed=1.0),
        safety=SafetySettings(deadline=60.0, stalled=60.0, robot_deadline=60.0),
    )
    plan = SessionPlan(
        robot="g1",
        backend="fake",
        source="vmc:127.0.0.1:0",
        operator=str(tmp_path / "known.toml"),
        settings=settings,
    )
    kept, headset = Kept(), Headset()
    session = Session(plan, [kept])
    session.open()
    running = threading.Thread(target=session.run, args=(600.0,), daemon=True)
    running.start()
    source = session.loop.input.source
    assert isinstance(source, NetworkDevice)
    player = Transmitter(
        headset.packets(), UdpLink(("127.0.0.1", source.port)), FaultLine(FaultPlan())
    )
    player.start()
    supervisor = session.loop.supervisor

    def engaged() -> bool:
        if supervisor.state in (State.CALIBRATED, State.HOLDING):
            session.request(Request.ENGAGE)
            clock.sleep(0.05)
        return supervisor.state is State.ACTIVE

    try:
        _wait(engaged)
        headset.hidden, since = True, clock.now()
        _wait(lambda: supervisor.state is State.HOLDING)
        _wait(lambda: _at_rest(kept.ticks[-MANY:]))
        held, then = kept.ticks[-1].command, len(kept.ticks)
        headset.hidden, headset.lifted = False, 0.7
        _wait(lambda: sum(map(_shows_left, kept.ticks[then:])) >= MANY)
        last = kept.ticks[-1]
    finally:
        player.stop()
        session.loop.stop_soon(0.0)
        running.join(PATIENCE)
    assert last.state is State.HOLDING
    assert held is not None
    assert last.command is not None
    np.testing.assert_array_equal(last.command.q, held.q)
    events = [e for t in kept.ticks for e in t.events if e.stamp >= since]
    hold = next(e for e in events if e.state is State.HOLDING)
    assert (hold.kind, hold.reason[-8:]) == ("incomplete", "LeftHand")
