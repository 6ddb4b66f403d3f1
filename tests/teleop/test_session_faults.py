"""Whole sessions over real sockets, with faults made on the way by the shipped proxy.

Each session runs for some seconds of real time: the operator engages, the fault begins
and ends, and it is looked at what the robot was sent meanwhile.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import save_profile
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.teleop import clock
from telexist.teleop.devices.network.network_device import NetworkDevice
from telexist.teleop.devices.person.simulated_operator import (
    OperatorPose,
    SimulatedOperator,
)
from telexist.teleop.devices.simulators.faults.faults import (
    FaultLine,
    FaultPlan,
    parse_faults,
)
from telexist.teleop.devices.simulators.links.fault_proxy import UdpFaultProxy
from telexist.teleop.devices.simulators.links.links import UdpLink
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.mvn_sender import MvnSender
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.table import load_simulator
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.session import Session
from telexist.teleop.settings.settings import (
    CalibrationSettings,
    EngageSettings,
    LoopSettings,
    SafetySettings,
    SessionSettings,
)
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.tick import Event, State, Tick

pytestmark = pytest.mark.slow

PATIENCE = 60.0  # [s] for something that takes half a second on a quiet machine
MANY = 30  # samples, turns: enough to see that nothing moves

SETTINGS = SessionSettings(
    loop=LoopSettings(real_time=False),
    engage=EngageSettings(approach=0.2, approach_speed=1.0),
    # None of these is a fault of a busy machine, except the first, now and then.
    safety=SafetySettings(
        deadline=1.5,
        frozen_after=0.4,
        stalled=60.0,
        robot_deadline=60.0,
        tracking_time=60.0,
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

    def __init__(self, plan: SessionPlan, packets: Iterator[TimedPackets]):
        self.kept = Kept()
        self._since = 0
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
        self._player = sender_to(self.proxy.port, packets)

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
        self._since = len(self.kept.ticks)
        self.proxy.change(parse_faults(text))

    def spoil(self, text: str, expected: set[str]) -> None:
        """Spoil what passes from a moment on at which the robot follows.

        On a busy machine the operator may fall silent just before, and nothing can
        hold a robot that is held already: then the robot is engaged again.
        """
        line = self.proxy._line
        for _ in range(20):
            self.wait(lambda: line.next_arrival() is None, "what was held back")
            self.engage()
            self.faults(text)
            self.wait(lambda: line._plan is line._next, "the faults to begin")
            if self.state is State.ACTIVE or self.kinds() & expected:
                return
            self.faults("")
        raise AssertionError(("the robot is held", self.events()[-5:]))

    @property
    def state(self) -> State:
        return self.session.loop.supervisor.state

    def ticks(self) -> list[Tick]:
        """Return the turns since the faults were changed last."""
        return self.kept.ticks[self._since :]

    def used(self) -> list[HumanFrame]:
        """Return the frames since the faults were changed last."""
        return [tick.raw for tick in self.ticks() if tick.raw is not None]

    def events(self) -> list[Event]:
        """Return what happened since the faults were changed last."""
        return [event for tick in self.ticks() for event in tick.events]

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

        self.wait(self._engaged, "to follow the operator")

    def _engaged(self) -> bool:
        if self.state in (State.CALIBRATED, State.HOLDING):
            self.session.request(Request.ENGAGE)
            clock.sleep(0.05)
        return self.state is State.ACTIVE

    def calibrate(self) -> None:
        """Ask, and again wherever a busy machine left a gap in the stream."""
        refused = -1

        def calibrated() -> bool:
            nonlocal refused
            told = [e.reason for e in self.events() if e.kind == "calibration_refused"]
            assert all("check the network" in reason for reason in told), told
            if len(told) > refused:
                refused = len(told)
                self.session.request(Request.CALIBRATE)
            return self.state is State.CALIBRATED

        self.wait(calibrated, "the calibration")

    def require_bounds(self) -> None:
        """Check all that was ever sent, once the operator has moved the robot."""
        # a busy machine may fall silent, and hold it, before the operator moves
        self.wait(lambda: self._engaged() and self.travel() > 0.02, "the robot to move")
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
        """Check that a held robot comes to rest, and that no sample moves it."""
        self.wait(lambda: _at_rest(self.kept.ticks[-MANY:]), "the robot to rest")
        self.faults("")
        self.wait(lambda: len(self.used()) >= MANY, "samples that come as they should")
        assert {tick.state for tick in self.ticks()} == {State.HOLDING}
        assert _at_rest(self.ticks())


def _at_rest(ticks: list[Tick]) -> bool:
    sent = [tick.command.q for tick in ticks if tick.command is not None]
    return len(sent) >= MANY and all(np.array_equal(q, sent[0]) for q in sent)


def sender_to(port: int, packets: Iterator[TimedPackets]) -> Transmitter:
    """Return a simulated operator who sends to a port already."""
    link = UdpLink(("127.0.0.1", port))
    player = Transmitter(packets, link, FaultLine(FaultPlan()))
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
        packets: Iterator[TimedPackets] | None = None,
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
            usual = load_simulator(source)(SimulatorOptions(**KNOWN))
            made[key] = Live(plan, packets or usual)
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
    "delay=4": {"stale"},
    "truncate=1": {"malformed", "stale"},
    "freeze=3600": {"frozen"},
    "jump=1": {"jump"},
    "nan=1": {"nan", "stale"},
    "burst=4": {"stale"},
    "restart=4": {"stale"},
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
        *((fault, "g1", "mujoco") for fault in ("loss=1", "jump=1", "burst=4")),
    ],
)
def test_a_fault_holds_the_robot_until_somebody_engages(
    live: MakeLive, fault: str, robot: str, backend: str
) -> None:
    session = live(robot, backend)
    session.spoil(fault, HOLDING_FAULTS[fault])
    session.wait(lambda: session.state is State.HOLDING, "the hold")
    session.wait(lambda: session.kinds() >= HOLDING_FAULTS[fault], "the events")
    held = {e.kind for e in session.events() if e.state is State.HOLDING}
    assert HOLDING_FAULTS[fault] & held
    assert all(e.reason for e in session.events())
    session.require_still()
    session.engage()
    session.require_bounds()


@pytest.mark.parametrize("fault", PASSING_FAULTS)
def test_a_small_fault_is_told_and_breaks_no_bound(live: MakeLive, fault: str) -> None:
    session = live("g1", "mujoco")
    session.spoil(fault, PASSING_FAULTS[fault])
    session.wait(lambda: len(session.used()) >= MANY, "samples")
    session.wait(lambda: session.kinds() >= PASSING_FAULTS[fault], "the events")
    session.proxy.change(FaultPlan())
    session.engage()
    session.require_bounds()


def test_duplicates_are_used_once(live: MakeLive) -> None:
    session = live("g1", "mujoco")
    session.spoil("duplicate=1", set())
    session.wait(lambda: len(session.used()) >= MANY, "samples")
    session.wait(lambda: _dropped(session.ticks(), "duplicate") >= MANY, "duplicates")
    used = [frame.sequence for frame in session.used()]
    assert len(used) == len(set(used))


def _dropped(ticks: list[Tick], reason: str) -> int:
    samples = [sample for tick in ticks for sample in tick.samples]
    return sum(dict(sample.dropped).get(reason, 0) for sample in samples)


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
    session.faults("")
    session.wait(session.used, "a sample")
    own = _thigh(session.used()[0])
    child = SimulatorOptions(operator_height=0.7 * read_clip("builtin").size.height)
    stranger = sender_to(session.port, load_simulator("xsens")(child))
    session.wait(lambda: "stranger" in session.kinds(), "the event")
    seen = len(session.used())
    session.wait(lambda: len(session.used()) >= seen + MANY, "samples")
    stranger.stop()
    thighs = [_thigh(frame) for frame in session.used()]
    assert thighs == pytest.approx([own] * len(thighs), rel=0.05)
    session.engage()
    session.require_bounds()


def _thigh(frame: HumanFrame) -> float:
    """Return how long a person's thigh is [m]."""
    assert frame.positions is not None
    places = dict(zip(frame.segments, frame.positions, strict=True))
    return float(np.linalg.norm(places["LeftLowerLeg"] - places["LeftUpperLeg"]))


def test_an_operator_over_vmc_who_falls_silent(live: MakeLive) -> None:
    session = live(source="vmc")
    session.spoil("loss=1", {"stale"})
    session.wait(lambda: session.state is State.HOLDING, "the hold")
    session.wait(lambda: "stale" in session.kinds(), "the event")
    session.require_still()
    session.engage()
    session.require_bounds()


class Standing:
    """An operator who stands in N-pose until it is time to move."""

    def __init__(self, heading: float) -> None:
        self.moves = threading.Event()
        self._operator = SimulatedOperator(
            read_clip("builtin"), heading=heading, noise=1e-3, n_pose=4.0
        )

    def packets(self) -> Iterator[TimedPackets]:
        """Yield 60 samples a second."""
        sender, size = MvnSender(kinds=("02",)), self._operator.size
        for k, pose in enumerate(self._poses()):
            packets = sender.messages(pose, k, size)
            yield TimedPackets(time=k / 60.0, packets=packets)

    def _poses(self) -> Iterator[OperatorPose]:
        poses = self._operator.poses(60.0)
        standing = list(itertools.islice(poses, 239))  # whole periods of its sway
        while not self.moves.is_set():
            yield from standing
        yield from poses


def test_calibration_then_engagement_over_the_wire(live: MakeLive) -> None:
    operator = Standing(heading=2.0)
    session = live(known=False, packets=operator.packets())
    session.wait(session.used, "samples")
    session.session.request(Request.ENGAGE)
    session.calibrate()
    assert any("calibrate first" in event.reason for event in session.events())
    profile = session.session.loop.motion.profile
    assert profile is not None
    assert profile.heading == pytest.approx(2.0, abs=0.01)
    session.engage()
    operator.moves.set()
    session.require_bounds()
