"""A simulator, a real socket and a device: what is performed is what arrives."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angle_between, rotation_z
from telexist.teleop import clock
from telexist.teleop.devices.person.simulated_operator import T_POSE, SimulatedOperator
from telexist.teleop.devices.simulators.faults.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.links import (
    TcpLink,
    UdpLink,
    parse_address,
)
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.mvn_sender import (
    MvnSender,
    simulate_xsens,
)
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.table import SIMULATORS, load_simulator
from telexist.teleop.devices.simulators.senders.vmc_sender import (
    VmcSender,
    simulate_vmc,
)
from telexist.teleop.devices.vmc.vmc_stream import VmcStream
from telexist.teleop.devices.xsens.xsens_stream import XsensStream

FLOAT32 = 1e-6  # what float32 on the wire costs, along the longest chain of bones
FILLED = "L3"  # has no bone in VMC: it turns with L5

Listen = Callable[..., object]


@pytest.mark.parametrize(
    ("kinds", "parts", "protocol"),
    [
        ("02", 1, "udp"),
        ("02+21+22", 1, "udp"),
        ("02+22", 3, "udp"),
        ("01", 1, "udp"),
        ("05", 2, "udp"),
        ("21+22", 1, "udp"),
        ("12+13+02+24", 1, "tcp"),
        ("22+02", 4, "tcp"),
    ],
)
def test_mvn_gives_the_rotations_of_the_clip(
    performance: HumanClip, listen: Listen, kinds: str, parts: int, protocol: str
) -> None:
    device = XsensStream(port=0, protocol=protocol)
    listener = listen(device)
    link = (UdpLink if protocol == "udp" else TcpLink)(("127.0.0.1", device.port))
    operator = SimulatedOperator(performance, loop=False)
    sender = MvnSender(kinds=tuple(kinds.split("+")), parts=parts)
    compared = 0
    for k, pose in enumerate(operator.poses()):
        for message in sender.messages(pose, k, operator.size):
            link.send(message)
        if k == 0:
            clock.sleep(0.05)
            continue
        human = listener.wait(lambda sample, k=k: sample.sequence == k).human
        np.testing.assert_allclose(
            human.rotations @ T_POSE, performance.rotations[k], atol=FLOAT32
        )
        np.testing.assert_allclose(
            human.positions, performance.positions[k], atol=FLOAT32
        )
        compared += 1
    link.close()
    assert compared == len(performance) - 1
    assert not listener.dropped


@pytest.mark.parametrize("max_bytes", [400, 1400, 8192])
def test_vmc_gives_the_rotations_of_the_clip(
    performance: HumanClip, listen: Listen, udp_to: Listen, max_bytes: int
) -> None:
    listener = listen(VmcStream(port=0))
    link = udp_to(listener.device)
    sender = VmcSender(max_bytes=max_bytes)
    kept = [k for k, name in enumerate(SEGMENTS) if name != FILLED]
    for k, pose in enumerate(SimulatedOperator(performance, loop=False).poses()):
        for message in sender.messages(pose):
            link.send(message)
        if k == 0:
            continue  # what belongs to a frame is learnt from the first
        human = listener.wait(lambda sample, k=k: sample.sequence == k + 1).human
        assert human.segments == SEGMENTS
        np.testing.assert_allclose(
            (human.rotations @ T_POSE)[kept],
            performance.rotations[k, kept],
            atol=FLOAT32,
        )
        np.testing.assert_allclose(
            human.positions[kept], performance.positions[k, kept], atol=FLOAT32
        )
    assert not listener.dropped


def test_another_size_and_heading_turn_and_scale_but_keep_the_posture(
    performance: HumanClip,
) -> None:
    heading = 2.1
    small = SimulatedOperator(
        performance, height=1.55, heading=heading, frames="n-pose"
    )
    turn, k = rotation_z(heading), 1.55 / performance.size.height
    for row, pose in enumerate(itertools.islice(small.poses(), 20)):
        np.testing.assert_allclose(
            pose.rotations, turn @ performance.rotations[row], atol=1e-12
        )
        np.testing.assert_allclose(
            pose.positions, k * performance.positions[row] @ turn.T, atol=1e-12
        )
        np.testing.assert_allclose(
            pose.linear_velocities,
            k * performance.linear_velocities[row] @ turn.T,
            atol=1e-12,
        )
    assert small.size.height == pytest.approx(1.55)


def test_frames_of_t_pose_are_the_identity_there() -> None:
    arm = SEGMENT_INDEX["LeftForeArm"]
    # an arm that hangs down in N-pose points to the left in T-pose
    np.testing.assert_allclose(T_POSE[arm] @ [0, 0, -1], [0, 1, 0], atol=1e-12)
    other = SEGMENT_INDEX["RightHand"]
    np.testing.assert_allclose(T_POSE[other] @ [0, 0, -1], [0, -1, 0], atol=1e-12)


def test_n_pose_comes_first_and_leads_on_without_a_jump(performance: HumanClip) -> None:
    operator = SimulatedOperator(performance, n_pose=0.5, frames="n-pose", loop=False)
    poses = list(operator.poses())
    still = [p for p in poses if p.time < 0.45]
    assert len(still) > 20
    assert all(np.allclose(p.rotations, np.eye(3)) for p in still)
    times = [p.time for p in poses]
    assert np.all(np.diff(times) > 0.0)
    last = poses[-1].rotations
    np.testing.assert_allclose(last, performance.rotations[-1], atol=1e-12)
    for before, after in itertools.pairwise(poses):
        turned = angle_between(before.rotations[..., 0], after.rotations[..., 0])
        assert turned.max() < np.radians(15.0)


def test_a_rate_of_its_own_interpolates(performance: HumanClip) -> None:
    operator = SimulatedOperator(performance, frames="n-pose", loop=False)
    poses = list(operator.poses(240.0))
    assert len(poses) == pytest.approx(4 * len(performance), abs=4)
    np.testing.assert_allclose(poses[4].rotations, performance.rotations[1], atol=1e-3)


def test_looping_goes_on(performance: HumanClip) -> None:
    poses = itertools.islice(SimulatedOperator(performance).poses(), 400)
    times = [pose.time for pose in poses]
    assert len(times) == 400 and np.all(np.diff(times) > 0.0)


def test_packets_go_out_in_real_time(listen: Listen) -> None:
    listener = listen(XsensStream(port=0))
    link = UdpLink(("127.0.0.1", listener.device.port))
    packets = itertools.islice(simulate_xsens(SimulatorOptions(rate=120.0)), 60)
    sender = Transmitter(packets, link, FaultLine(FaultPlan()))
    begin = clock.now()
    sender.start()
    listener.wait(lambda sample: sample.sequence == 59)
    assert clock.now() - begin >= 59 / 120.0
    sender.stop()
    assert sender.sent == 60


def test_a_transmitter_ends_after_its_duration() -> None:
    class Nowhere:
        sent = 0

        def send(self, packet: bytes) -> None:
            self.sent += 1

        def close(self) -> None: ...

    link = Nowhere()
    packets = (TimedPackets(time=0.01 * k, packets=(b"x",)) for k in itertools.count())
    sender = Transmitter(packets, link, FaultLine(FaultPlan(delay=0.02)))
    sender.run(threading.Event(), 0.1)
    assert link.sent == sender.sent == 11


def test_the_table_holds_what_can_be_loaded() -> None:
    for name, entry in SIMULATORS.items():
        assert callable(load_simulator(name))
        assert "cable" in entry.protocols or parse_address(entry.to)[1] > 0
    with pytest.raises(UnknownName, match="xsens"):
        load_simulator("xsen")


@pytest.mark.parametrize(
    "make",
    [
        lambda: simulate_xsens(SimulatorOptions(settings={"kinds": "99"})),
        lambda: simulate_xsens(SimulatorOptions(settings={"kind": "02"})),
        lambda: simulate_xsens(SimulatorOptions(settings={"parts": "two"})),
        lambda: simulate_xsens(SimulatorOptions(settings={"unit": "inch"})),
        lambda: simulate_vmc(SimulatorOptions(settings={"bytes": "3"})),
        lambda: simulate_vmc(SimulatorOptions(settings={"send": "all"})),
        lambda: simulate_vmc(SimulatorOptions(operator_height=9.0)),
        lambda: simulate_vmc(SimulatorOptions(settings={"frames": "a-pose"})),
        lambda: parse_address("127.0.0.1"),
        lambda: parse_address("127.0.0.1:x"),
    ],
)
def test_wrong_options_are_refused_at_once(make: Callable) -> None:
    with pytest.raises(BadInput):
        make()


def test_a_giant_is_refused(performance: HumanClip) -> None:
    pose = next(SimulatedOperator(performance).poses())
    wrong = dataclasses.replace(pose, positions=pose.positions * 4.0)
    sent = MvnSender(kinds=("02",)).messages(wrong, 0, performance.size)[0]
    device = XsensStream(port=0)
    with pytest.raises(BadInput, match="malformed"):
        device.handle(sent, 0.0)
