"""Whole sessions over real sockets, with faults made on the way by the shipped proxy.

Each session runs for some seconds of real time: the operator engages, the fault begins
and ends, and it is looked at what the robot was sent meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from calibration.operator_profile import OperatorProfile
from calibration.profile_file import save_profile
from retarget.recordings.format import read_clip
from retarget.robot_body import RobotBody
from teleop import clock
from teleop.devices.interface import Request
from teleop.devices.network_device import NetworkDevice
from teleop.devices.simulators.fault_proxy import UdpFaultProxy
from teleop.devices.simulators.faults import FaultLine, FaultPlan, parse_faults
from teleop.devices.simulators.links import UdpLink
from teleop.devices.simulators.options import SimulatorOptions
from teleop.devices.simulators.table import load_simulator
from teleop.devices.simulators.transmitter import Transmitter
from teleop.session import Session
from teleop.session_plan import SessionPlan
from teleop.settings import (
    CalibrationSettings,
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from teleop.tick import Event, State, Tick

pytestmark = pytest.mark.slow

PATIENCE = 20.0  # [s] for something that takes half a second on a quiet machine
FOR = 0.8  # [s] how long a fault lasts

SETTINGS = SessionSettings(
    loop=LoopSettings(real_time=False),
    engage=EngageSettings(approach=0.2, approach_speed=1.0),
    safety=SafetySettings(
        deadline=0.15, frozen_after=0.4, stalled=2.0, robot_deadline=2.0
    ),
    calibration=CalibrationSettings(countdown=0.2, duration=1.0),
)


class Kept:
    """A sink that keeps every tick."""

    def __init__(self) -> None:
        self.ticks: list[Tick] = []

    def put(self, tick: Tick) -> None:
        self.ticks.append(tick)

    def close(self) -> None:
        """Nothing to finish."""


class Live:
    """A session in a thread, and a simulated operator who sends to it by a proxy."""

    def __init__(self, plan: SessionPlan, sender: str, options: SimulatorOptions):
        self.kept = Kept()
        self.session = Session(plan, [self.kept])
        self.session.open()
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        source = self.session.loop.input.source
        assert isinstance(source, NetworkDevice)
        self.port = source.port
        self.proxy = UdpFaultProxy(("127.0.0.1", source.port), FaultPlan())
        self.proxy.start()
        self._player = sender_to(self.proxy.port, sender, options)

    def _run(self) -> None:
        try:
            self.session.run(600.0)
        except BaseException as error:  # the test shows it
            self.error = error

    def stop(self) -> None:
        self._player.stop()
        self.proxy.stop()
        self.session.loop.stop_soon(0.0)
        self._thread.join(PATIENCE)
        assert self.error is None

    def faults(self, text: str) -> None:
        """Spoil what passes from now on."""
        self.proxy.change(parse_faults(text))
        self.changed = clock.now()

    @property
    def state(self) -> State:
        return self.session.loop.supervisor.state

    def events(self) -> list[Event]:
        """Return what happened since the faults were changed last."""
        ticks = list(self.kept.ticks)
        return [e for t in ticks if t.stamp >= self.changed for e in t.events]

    def kinds(self) -> set[str]:
        return {event.kind for event in self.events()}

    def wait(self, what: Callable[[], object], why: str) -> None:
        end = clock.now() + PATIENCE
        while not what():
            assert self.error is None
            assert clock.now() < end, (why, self.state, self.events()[-5:])
            clock.sleep(0.02)

    def engage(self) -> None:
        """Ask until it is granted, as a person would."""

        def engaged() -> bool:
            if self.state in (State.CALIBRATED, State.HOLDING):
                self.session.request(Request.ENGAGE)
                clock.sleep(0.05)
            return self.state is State.ACTIVE

        self.wait(engaged, "to follow the operator")

    def require_bounds(self) -> None:
        """Check all that was ever sent, once the operator has moved the robot."""
        self.wait(lambda: self.travel() > 0.02, "the robot to move")
        b = self.session.loop.reference.bounds
        sent = [tick.command for tick in self.kept.ticks if tick.command is not None]
        commands = {command.stamp: command.q for command in sent}
        q = np.array(list(commands.values()))
        dt = np.diff(list(commands))[:, None]
        v = np.diff(q, axis=0) / dt
        a = np.diff(v, axis=0) / dt[1:]
        assert (q >= b.lower).all()
        assert (q <= b.upper).all()
        assert (np.abs(v) <= b.velocity * (1 + 1e-6)).all()
        assert (np.abs(a) <= b.acceleration * (1 + 1e-6)).all()

    def travel(self) -> float:
        """Return how far the farthest joint is from where it began [rad]."""
        sent = [tick.command for tick in self.kept.ticks if tick.command is not None]
        return float(np.abs(sent[-1].q - sent[0].q).max())

    def require_still(self) -> None:
        """Check that nothing moves a held robot."""
        first = self.kept.ticks[-1].command
        clock.sleep(0.3)
        assert self.state is State.HOLDING
        last = self.kept.ticks[-1].command
        assert first is not None
        assert last is not None
        np.testing.assert_array_equal(last.q, first.q)


def sender_to(port: int, sender: str, options: SimulatorOptions) -> Transmitter:
    """Return a simulated operator who sends to a port already."""
    link = UdpLink(("127.0.0.1", port))
    player = Transmitter(load_simulator(sender)(options), link, FaultLine(FaultPlan()))
    player.start()
    return player


MakeLive = Callable[..., Live]


@pytest.fixture(scope="module")
def live(
    tmp_path_factory: pytest.TempPathFactory, body_of: Callable[[str], RobotBody]
) -> Iterator[MakeLive]:
    """Return a maker of live sessions; one stays until another is wanted."""
    made: dict[tuple[str, str, str, bool], Live] = {}
    profile = tmp_path_factory.mktemp("operators") / "known.toml"
    save_profile(OperatorProfile.identity(read_clip("builtin").size, "known"), profile)

    def make(
        robot: str = "icub",
        backend: str = "fake",
        *,
        source: str = "xsens",
        known: bool = True,
        options: SimulatorOptions | None = None,
    ) -> Live:
        body_of(robot)  # skips where its model is not
        key = (robot, backend, source, known)
        if key not in made:
            _stop_all(made)
            plan = SessionPlan(
                robot=robot,
                backend=backend,
                source=f"{source}:127.0.0.1:0",
                operator=str(profile) if known else "",
                settings=SETTINGS,
            )
            made[key] = Live(plan, source, options or SimulatorOptions(**KNOWN))
        made[key].faults("")
        return made[key]

    yield make
    _stop_all(made)


def _stop_all(made: dict[tuple[str, str, str, bool], Live]) -> None:
    for key in list(made):
        made.pop(key).stop()


KNOWN = {"settings": {"frames": "n-pose"}, "noise": 1e-4, "rate": 100.0}
"""Options of an operator whose frames need no correction."""

HOLDING_FAULTS = {
    "loss=1": {"stale"},
    "delay=0.6": {"stale"},
    "truncate=1": {"malformed", "stale"},
    "freeze=3600": {"frozen"},
    "jump=1": {"jump"},
    "nan=1": {"nan", "stale"},
    "burst=0.6": {"stale"},
    "restart=0.8": {"stale"},
}
"""Fault to the events that it must cause; all of them hold the robot."""

PASSING_FAULTS = {
    "loss=0.2": {"lost"},
    "jitter=0.05": {"late"},
    "reorder=0.3": {"late"},
    "duplicate=1": set(),
    "truncate=0.2": {"malformed"},
    "garbage=1": {"malformed"},
    "nan=0.2": {"nan"},
    "jump=0.05": {"jump"},
}
"""Fault to the events that it must cause; the robot may go on, or hold."""


@pytest.mark.parametrize(
    ("fault", "robot", "backend"),
    [
        *((fault, "icub", "fake") for fault in HOLDING_FAULTS),
        *((fault, "g1", "mujoco") for fault in ("loss=1", "jump=1", "burst=0.6")),
    ],
)
def test_a_fault_holds_the_robot_until_somebody_engages(
    live: MakeLive, fault: str, robot: str, backend: str
) -> None:
    session = live(robot, backend)
    session.engage()
    session.faults(fault)
    session.wait(lambda: session.state is State.HOLDING, "the hold")
    clock.sleep(FOR)
    held = {e.kind for e in session.events() if e.state is State.HOLDING}
    assert HOLDING_FAULTS[fault] <= session.kinds()
    assert HOLDING_FAULTS[fault] & held
    assert all(e.reason for e in session.events())
    session.proxy.change(FaultPlan())
    clock.sleep(0.7)  # samples come again as they should
    session.require_still()
    session.engage()
    session.require_bounds()


@pytest.mark.parametrize("fault", PASSING_FAULTS)
def test_a_small_fault_is_told_and_breaks_no_bound(live: MakeLive, fault: str) -> None:
    session = live("g1", "mujoco")
    session.engage()
    session.faults(fault)
    clock.sleep(FOR)
    session.wait(lambda: session.kinds() >= PASSING_FAULTS[fault], "the events")
    session.proxy.change(FaultPlan())
    session.engage()
    session.require_bounds()


def test_duplicates_are_used_once(live: MakeLive) -> None:
    session = live("g1", "mujoco")
    session.engage()
    clock.sleep(0.5)
    session.faults("duplicate=1")
    clock.sleep(1.0)
    ticks = [t for t in session.kept.ticks if t.stamp >= session.changed]
    used = [t.raw.sequence for t in ticks if t.raw is not None]
    assert len(used) > 10
    assert len(used) == len(set(used))


def test_all_faults_at_once_kill_nothing(live: MakeLive) -> None:
    session = live("g1", "mujoco")
    session.faults(
        "loss=0.2,delay=0.05,jitter=0.1,reorder=0.2,duplicate=0.3,truncate=0.2,"
        "garbage=0.5,freeze=0.5,jump=0.2,nan=0.2,burst=0.1,restart=0.3"
    )
    for _ in range(40):
        session.session.request(Request.ENGAGE)
        clock.sleep(0.05)
    session.proxy.change(FaultPlan())
    session.engage()
    session.require_bounds()


def test_a_stranger_is_not_listened_to(live: MakeLive) -> None:
    session = live("g1", "mujoco")
    session.engage()
    clock.sleep(1.1)  # notes of what was before are told within a second
    session.faults("")
    stranger = sender_to(session.port, "xsens", SimulatorOptions(heading=2.0))
    session.wait(lambda: "stranger" in session.kinds(), "the event")
    clock.sleep(0.5)
    stranger.stop()
    assert "jump" not in session.kinds()
    session.engage()
    session.require_bounds()


def test_an_operator_over_vmc_who_falls_silent(live: MakeLive) -> None:
    session = live(source="vmc")
    session.engage()
    session.faults("loss=1")
    session.wait(lambda: session.state is State.HOLDING, "the hold")
    assert "stale" in session.kinds()
    session.proxy.change(FaultPlan())
    clock.sleep(0.5)
    session.require_still()
    session.engage()
    session.require_bounds()


def test_calibration_then_engagement_over_the_wire(live: MakeLive) -> None:
    options = SimulatorOptions(n_pose=8.0, heading=2.0, noise=1e-3)
    session = live(known=False, options=options)
    session.wait(lambda: session.kept.ticks[-1].age < 0.1, "samples")
    session.session.request(Request.ENGAGE)
    session.session.request(Request.CALIBRATE)
    session.wait(lambda: session.state is State.CALIBRATED, "the calibration")
    assert any("calibrate first" in event.reason for event in session.events())
    profile = session.session.loop.motion.profile
    assert profile is not None
    assert profile.heading == pytest.approx(2.0, abs=0.01)
    session.engage()
    clock.sleep(1.0)
    session.require_bounds()
