"""PICO, IsaacTeleop, OptiTrack, Rokoko: what is performed arrives and calibrates.

Every stream comes from its simulator in the real wire format over real sockets.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from telexist.calibration.capture import Capture, CapturePhase
from telexist.retarget.recordings.npz.clip_file import save_clip
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.retarget.so3 import log_so3
from telexist.teleop import clock
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.faults.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.make_link import make_link
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.table import load_simulator
from telexist.teleop.session.source_traits import source_traits

FLOAT32 = 2e-6  # what float32 on the wire costs, of a rotation or a metre
FILLED = {"isaac": {"L3"}, "pico": {"L3"}, "rokoko": {"L3", "T12"}}
FILLED["optitrack"] = FILLED["rokoko"]
WORDS = ("isaac", "optitrack", "pico", "rokoko")
STREAMS = [
    ("isaac", "udp", {}),
    ("pico", "tcp", {}),
    ("rokoko", "udp", {}),
    ("rokoko", "udp", {"version": "2", "pack": "none"}),
    ("optitrack", "unicast", {"version": "3.0"}),
    ("optitrack", "unicast", {"version": "4.0"}),
    ("optitrack", "unicast", {"version": "4.2"}),
    ("optitrack", "multicast", {}),
]


@dataclass
class Performed:
    """A simulator that sends what it is told to, and the device that listens."""

    device: Device
    link: object
    packets: Iterator[TimedPackets]

    def next(self) -> TimedPackets:
        timed = next(self.packets)
        for packet in timed.packets:
            self.link.send(packet)
        return timed


@pytest.fixture(scope="module")
def moving(
    performance: HumanClip, tmp_path_factory: pytest.TempPathFactory
) -> SimulatorOptions:
    """Return the options of a simulator that plays a second of motion."""
    path = tmp_path_factory.mktemp("clips") / "moving.npz"
    save_clip(path, performance)
    return SimulatorOptions(clip=str(path), loop=False)


@pytest.fixture
def perform(moving: SimulatorOptions) -> Iterator[Callable[..., Performed]]:
    """Return a maker of a device and its simulator, joined by a socket."""
    closers: list[Callable[[], None]] = []

    def make(
        word: str, protocol: str, settings: dict[str, str], **options: object
    ) -> Performed:
        asked = replace(moving, settings=settings, **options)
        packets = load_simulator(word)(asked)
        if word == "optitrack":
            link, _ = make_link(protocol, "127.0.0.1:0")
            way = "?multicast=" if protocol == "multicast" else ""
            device = make_device(f"optitrack:127.0.0.1:{link.port}{way}")
            device.open(lambda: None)
        else:
            device = make_device(f"{word}:0")
            device.open(lambda: None)
            link, _ = make_link(protocol, f"127.0.0.1:{device.port}")
        closers.extend([link.close, device.close])
        return Performed(device, link, packets)

    yield make
    for close in closers:
        close()


def received(performed: Performed, count: int) -> list[tuple[float, HumanFrame]]:
    """Send sample by sample; return the simulator's time and the frame of each."""
    found: list[tuple[float, HumanFrame]] = []
    end = clock.now() + 60.0
    while len(found) < count:
        assert clock.now() < end, "nothing arrives"
        time, waited = performed.next().time, clock.now() + 0.5
        while clock.now() < waited:
            sample = performed.device.read()
            if sample is not None and sample.human is not None:
                found.append((time, sample.human))
                break
            clock.sleep(0.001)
    return found


@pytest.mark.parametrize(("word", "protocol", "settings"), STREAMS)
def test_rotations_and_places_of_the_clip_arrive(
    word: str,
    protocol: str,
    settings: dict[str, str],
    perform: Callable[..., Performed],
    performance: HumanClip,
) -> None:
    poses = list(SimulatedOperator(performance, loop=False).poses())
    performed = perform(word, protocol, settings)
    kept = [SEGMENT_INDEX[n] for n in SEGMENTS if n not in FILLED[word]]
    for time, human in received(performed, 20):
        pose = min(poses, key=lambda p, time=time: abs(p.time - time))
        assert human.segments == SEGMENTS
        human.require_finite()
        turned = log_so3(
            human.rotations[kept] @ np.swapaxes(pose.rotations[kept], 1, 2)
        )
        assert np.abs(turned).max() < 1e-3  # log near identity: root of FLOAT32
        np.testing.assert_allclose(
            human.rotations[kept], pose.rotations[kept], atol=FLOAT32
        )
        np.testing.assert_allclose(
            human.positions[kept], pose.positions[kept], atol=FLOAT32
        )


@pytest.mark.parametrize("word", WORDS)
def test_an_operator_who_faces_anywhere_is_calibrated(
    word: str, perform: Callable[..., Performed], performance: HumanClip
) -> None:
    protocol = {"pico": "tcp", "optitrack": "unicast"}.get(word, "udp")
    # Rokoko's and NatNet's times are the sender's, so no real time has to pass.
    performed = perform(
        word, protocol, {}, heading=2.0, n_pose=2.0, noise=1e-3, rate=30.0
    )
    capture = Capture(
        countdown=0.0, duration=0.7, traits=source_traits(performed.device)
    )
    status = None
    for k, (_, human) in enumerate(received(performed, 25)):
        frame = replace(human, stamp=k / 30.0, sequence=k)
        status = capture.update(frame, k / 30.0)
        if status.over:
            break
    assert status is not None and status.phase is CapturePhase.DONE, status
    assert status.profile.heading == pytest.approx(2.0, abs=0.02)
    assert status.profile.size.height == pytest.approx(
        performance.size.height, rel=0.03
    )
    for matrix in status.profile.neutral[[0, SEGMENT_INDEX["LeftForeArm"]]]:
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-9)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("fault", ["nan", "jump", "freeze", "restart"])
def test_faults_of_the_plan_rewrite_its_packets(
    word: str, fault: str, moving: SimulatorOptions
) -> None:
    packets = load_simulator(word)(moving)
    sent = [p for timed in itertools.islice(packets, 8) for p in timed.packets]
    value = 1.0 if fault in ("nan", "jump") else 0.1
    line = FaultLine(FaultPlan(**{fault: value}), seed=1)
    out = []
    for k, packet in enumerate(sent):
        line.push(packet, k / 60.0)
        out += line.due(k / 60.0 + 1e-6)
    assert out and out != sent[: len(out)]


@pytest.mark.parametrize("word", WORDS)
def test_what_is_not_a_number_never_becomes_a_pose(
    word: str, perform: Callable[..., Performed]
) -> None:
    protocol = {"pico": "tcp", "optitrack": "unicast"}.get(word, "udp")
    performed = perform(word, protocol, {})
    received(performed, 2)
    line = FaultLine(FaultPlan(nan=1.0), seed=3)
    reasons: set[str] = set()
    end = clock.now() + 30.0
    while not reasons & {"nan", "malformed"}:
        assert clock.now() < end
        for packet in next(performed.packets).packets:
            line.push(packet, 0.0)
        for packet in line.due(1.0):
            performed.link.send(packet)
        clock.sleep(0.01)
        sample = performed.device.read()
        if sample is not None:
            assert sample.human is None
            reasons |= set(dict(sample.dropped))


@pytest.mark.slow
def test_a_session_follows_a_pico_and_holds_when_it_is_gone(
    body_of: Callable[[str], object],
) -> None:
    from telexist.teleop.session.plan import SessionPlan
    from telexist.teleop.session.session import Session
    from telexist.teleop.settings.settings import CalibrationSettings, SessionSettings
    from telexist.teleop.terms import Request, State

    body_of("human48")
    settings = SessionSettings(
        calibration=CalibrationSettings(countdown=0.2, duration=1.0)
    )
    plan = SessionPlan(
        robot="human48", backend="fake", source="pico:0", settings=settings
    )
    session = Session(plan)
    session.open()
    packets = load_simulator("pico")(
        SimulatorOptions(settings={}, n_pose=60.0, rate=60.0, noise=1e-3)
    )
    link, _ = make_link("tcp", f"127.0.0.1:{session.source.port}")
    player = Transmitter(packets, link, FaultLine(FaultPlan()))
    runner = threading.Thread(target=session.run, args=(180.0,))
    runner.start()
    player.start()
    state = lambda: session.loop.supervisor.state  # noqa: E731
    try:
        wait_for(state, State.CALIBRATED, session, Request.CALIBRATE)
        wait_for(state, State.ACTIVE, session, Request.ENGAGE)
        player.stop()
        wait_for(state, State.HOLDING)
    finally:
        player.stop()
        session.loop.interrupt("the test is over")
        runner.join(60.0)


def wait_for(state: Callable[[], object], wanted: object, *ask: object) -> None:
    """Ask again every two seconds until the session is there."""
    end, again = clock.now() + 120.0, clock.now()
    while state() is not wanted:
        assert clock.now() < end, state()
        if ask and clock.now() >= again:
            session, request = ask
            session.request(request)
            again = clock.now() + 4.0
        clock.sleep(0.02)
