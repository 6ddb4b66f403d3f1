"""The line with faults: each does what its name says, and the same with each seed."""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import log_so3, rotation_z
from telexist.teleop import clock
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.faults.faults import (
    FaultLine,
    FaultPlan,
    parse_faults,
)
from telexist.teleop.devices.simulators.faults.payload_codec import TURN
from telexist.teleop.devices.simulators.links.fault_proxy import (
    TcpFaultProxy,
    UdpFaultProxy,
)
from telexist.teleop.devices.simulators.links.links import TcpLink, UdpLink
from telexist.teleop.devices.simulators.senders.mvn_sender import MvnSender
from telexist.teleop.devices.simulators.senders.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
    omni_frame,
)
from telexist.teleop.devices.simulators.senders.vmc_sender import VmcSender
from telexist.teleop.devices.treadmill.cyberith import parse_virtualizer
from telexist.teleop.devices.treadmill.kat import KatDecoder
from telexist.teleop.devices.treadmill.omni import OmniDecoder
from telexist.teleop.devices.vmc.osc import parse_osc
from telexist.teleop.devices.vmc.vmc_stream import VmcStream
from telexist.teleop.devices.xsens.mxtp import HEADER_SIZE, parse_header, parse_items
from telexist.teleop.devices.xsens.xsens_stream import XsensStream
from telexist.teleop.terms.device_sample import Treadmill

Listen = Callable[..., object]
PERIOD = 1 / 60
END = 1e9


@pytest.fixture(scope="module")
def mvn(performance: HumanClip) -> list[bytes]:
    operator = SimulatedOperator(performance, loop=False)
    sender = MvnSender(kinds=("02",))
    return [
        sender.messages(pose, 100 + k, operator.size)[0]
        for k, pose in enumerate(operator.poses())
    ]


@pytest.fixture(scope="module")
def vmc(performance: HumanClip) -> list[bytes]:
    sender = VmcSender(max_bytes=8192)
    poses = SimulatedOperator(performance, loop=False).poses()
    return [sender.messages(pose)[0] for pose in poses]


def passed(plan: str, packets: list[bytes], *, seed: int = 0) -> list[bytes]:
    line = FaultLine(parse_faults(plan), seed=seed)
    for k, packet in enumerate(packets):
        line.push(packet, k * PERIOD)
    return line.due(END)


def numbers(packets: list[bytes]) -> list[int]:
    return [parse_header(packet).sample for packet in packets]


def test_without_faults_nothing_changes(mvn: list[bytes], vmc: list[bytes]) -> None:
    assert passed("", mvn) == mvn
    assert passed("", vmc) == vmc


@pytest.mark.parametrize(
    "plan", ["loss=0.5,jitter=0.1,nan=0.2", "garbage=0.5,truncate=0.5,jump=0.5"]
)
def test_a_seed_repeats_its_faults(plan: str, mvn: list[bytes]) -> None:
    assert passed(plan, mvn, seed=4) == passed(plan, mvn, seed=4)
    assert passed(plan, mvn, seed=4) != passed(plan, mvn, seed=5)


def test_loss_and_duplication(mvn: list[bytes]) -> None:
    left = passed("loss=0.3", mvn * 20)
    assert 0.6 < len(left) / (20 * len(mvn)) < 0.8
    assert passed("loss=1", mvn) == []
    assert len(passed("duplicate=1", mvn)) == 2 * len(mvn)


def test_delay_and_jitter_and_reordering(mvn: list[bytes]) -> None:
    line = FaultLine(parse_faults("delay=0.1"))
    line.push(mvn[0], 5.0)
    assert line.due(5.099) == [] and line.next_arrival() == pytest.approx(5.1)
    assert line.due(5.101) == [mvn[0]] and line.next_arrival() is None
    for plan in ("jitter=0.2", "reorder=0.3"):
        mixed = passed(plan, mvn)
        assert numbers(mixed) != numbers(mvn)
        assert sorted(numbers(mixed)) == numbers(mvn)


def test_a_burst_comes_at_once(mvn: list[bytes]) -> None:
    line = FaultLine(parse_faults("burst=0.5"))
    for k, packet in enumerate(mvn[:29]):
        line.push(packet, 7.0 + k * PERIOD)
    assert len(line.due(7.4999)) == 1  # the one at the very begin
    assert len(line.due(7.5001)) == 28


def test_truncation_and_garbage(mvn: list[bytes]) -> None:
    cut = passed("truncate=1", mvn)
    assert all(
        len(a) < len(b) and b.startswith(a) for a, b in zip(cut, mvn, strict=True)
    )
    dirty = passed("garbage=1", mvn)
    assert len(dirty) == 2 * len(mvn) and dirty[1::2] == mvn


def test_nan_is_in_the_pose(mvn: list[bytes], vmc: list[bytes]) -> None:
    for before, after in zip(mvn, passed("nan=1", mvn), strict=True):
        values = np.frombuffer(after, ">f4", offset=HEADER_SIZE).reshape(23, 8)[:, 1:]
        assert np.isnan(values).sum() == 1 and after[:24] == before[:24]
    for packet in passed("nan=1", vmc):
        found = [
            argument
            for message in parse_osc(packet)
            for argument in message.arguments
            if isinstance(argument, float) and math.isnan(argument)
        ]
        assert len(found) == 1


def test_a_jump_moves_and_turns_the_whole_person(
    mvn: list[bytes], vmc: list[bytes]
) -> None:
    for device, packets in ((XsensStream(port=0), mvn), (VmcStream(port=0), vmc)):
        device.handle(packets[0], 0.0)
        device.handle(packets[1], PERIOD)
        before = device.read().human
        device.sender_changed()
        jumped = passed("jump=1", packets)
        device.handle(jumped[0], 0.0)
        device.handle(jumped[1], PERIOD)
        after = device.read().human
        turn = log_so3(after.rotations[0] @ before.rotations[0].T)
        np.testing.assert_allclose(turn, [0.0, 0.0, TURN], atol=1e-5)
        shift = after.positions - before.positions
        assert np.linalg.norm(shift[0]) > 0.5
        bones = [p - p[0] for p in (before.positions, after.positions)]
        lengths = [np.linalg.norm(bone, axis=-1) for bone in bones]
        np.testing.assert_allclose(*lengths, atol=1e-5)


@pytest.mark.parametrize("kind", ["01", "02", "05", "21", "22"])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_jump_moves_every_part_of_every_message(
    performance: HumanClip, kind: str, parts: int
) -> None:
    operator = SimulatedOperator(performance, loop=False)
    sender = MvnSender(kinds=(kind,), parts=parts)
    pose = next(operator.poses())
    before = list(sender.messages(pose, 7, operator.size))
    after = passed("jump=1", before)
    moved = dataclasses.replace(
        pose,
        rotations=rotation_z(TURN) @ pose.rotations,
        positions=pose.positions @ rotation_z(TURN).T + [1.0, 0.0, 0.0],
    )
    wanted = sender.messages(moved, 7, operator.size)
    for have, want in zip(after, wanted, strict=True):
        assert have[:HEADER_SIZE] == want[:HEADER_SIZE]
        rows = [parse_items(parse_header(p), p).values[:, :7] for p in (have, want)]
        if kind == "01":  # angles: a turn more or less is the same
            rows = [np.hstack([r[:, :3], np.cos(np.radians(r[:, 3:]))]) for r in rows]
        np.testing.assert_allclose(*rows, atol=2e-3)


def test_a_person_jumps_in_all_messages_of_a_sample_or_in_none(
    performance: HumanClip,
) -> None:
    operator = SimulatedOperator(performance, loop=False)
    sender = MvnSender(kinds=("02", "22"), parts=3)
    samples = [
        sender.messages(pose, k, operator.size)
        for k, pose in enumerate(operator.poses())
    ]
    line = FaultLine(parse_faults("jump=0.5"))
    changed = []
    for k, packets in enumerate(samples):
        for packet in packets:
            line.push(packet, k * PERIOD)
        after = line.due(END)
        changed.append([a != b for a, b in zip(after, packets, strict=True)])
    assert {len(set(jumped)) for jumped in changed} == {1}
    assert {jumped[0] for jumped in changed} == {True, False}


MAKES = {
    "cyberith": (cyberith_datagram, None),
    "kat": (lambda _, sample: kat_frames(sample), KatDecoder),
    "omni": (omni_frame, OmniDecoder),
}


def treadmills(make: str, plan: str) -> tuple[list[Treadmill], dict[str, int]]:
    """Return what is read of a ring that turns slowly, and what was refused."""
    encode, decoder = MAKES[make]
    packets = [
        encode(
            k, Treadmill(yaw=0.01 * k, speed=0.5 + 0.01 * k, direction=0.0, height=0.0)
        )
        for k in range(40)
    ]
    read = decoder() if decoder is not None else None
    found: list[Treadmill] = []
    refused: dict[str, int] = {}
    for k, packet in enumerate(passed(plan, packets)):
        try:
            if read is None:
                found.append(parse_virtualizer(packet)[1])
            else:
                found += read.feed(packet, k * PERIOD)
        except RefusedMessage as refusal:
            refused[refusal.reason] = refused.get(refusal.reason, 0) + 1
    if read is not None:
        refused = dict(read.take_dropped())
    return found, refused


@pytest.mark.parametrize("make", MAKES)
def test_a_treadmills_ring_jumps_and_its_walk_freezes(make: str) -> None:
    usual, _ = treadmills(make, "")
    jumped, _ = treadmills(make, "jump=1")
    assert len(usual) == len(jumped) > 30
    for a, b in zip(usual, jumped, strict=True):
        assert math.remainder(b.yaw - a.yaw, math.tau) == pytest.approx(TURN, abs=1e-3)
        assert b.speed == a.speed
    frozen, refused = treadmills(make, "freeze=9")
    assert len(frozen) == len(usual) and len(set(frozen)) == 1
    assert not set(refused) - {"unproven"}


@pytest.mark.parametrize("make", ["cyberith", "omni"])
def test_a_treadmills_nan_is_refused_by_its_reader(make: str) -> None:
    found, refused = treadmills(make, "nan=1")
    assert not found
    assert refused["nan" if make == "cyberith" else "malformed"] >= 36


def test_a_treadmills_restart_counts_from_zero() -> None:
    still = Treadmill(yaw=0.0, speed=0.0, direction=0.0, height=0.0)
    packets = [cyberith_datagram(100 + k, still) for k in range(30)]
    left = [parse_virtualizer(p)[0] for p in passed("restart=0.195", packets)]
    assert left == list(range(18))


def test_a_freeze_repeats_the_pose_but_counts_on(
    mvn: list[bytes], vmc: list[bytes]
) -> None:
    frozen = passed("freeze=0.5", mvn)
    assert numbers(frozen) == numbers(mvn)
    payloads = [packet[HEADER_SIZE:] for packet in frozen]
    assert len(set(payloads[:30])) == 1
    assert payloads[31:] == [packet[HEADER_SIZE:] for packet in mvn[31:]]
    still = passed("freeze=0.5", vmc)
    poses = [[m for m in parse_osc(p) if m.address.endswith("/Pos")] for p in still]
    times = [
        m.arguments[0] for p in still for m in parse_osc(p) if m.address[-1] == "T"
    ]
    assert poses[0] == poses[29] != poses[31] and len(set(times)) == len(vmc)


def test_a_restart_is_a_silence_and_a_new_count(
    mvn: list[bytes], vmc: list[bytes]
) -> None:
    left = passed("restart=0.5,from=0.195", mvn)
    assert numbers(left)[:12] == list(range(100, 112))
    assert numbers(left)[12:] == list(range(len(left) - 12))
    assert len(left) == len(mvn) - 30
    spoken = [m for p in passed("restart=0.5,from=0.195", vmc) for m in parse_osc(p)]
    times = [m.arguments[0] for m in spoken if m.address == "/VMC/Ext/T"]
    assert times[12] == 0.0 and times[11] > 0.1


def test_faults_have_their_window(mvn: list[bytes]) -> None:
    left = numbers(passed("loss=1,from=0.195,for=0.3", mvn))
    gone = sorted(set(numbers(mvn)) - set(left))
    assert gone == list(range(112, 130))


def test_unknown_packets_pass_unharmed(caplog: pytest.LogCaptureFixture) -> None:
    odd = [b"", b"\0", b"hello", b"/VMC/Ext/T\0\0,\0\0\0", struct.pack(">I", 7)]
    assert passed("nan=1,jump=1,freeze=9", odd) == odd
    assert [r.message for r in caplog.records] == [
        "faults: packets of an unknown protocol pass without nan, jump, freeze"
    ]


@pytest.mark.parametrize("text", ["loss", "loss=x", "loss=1.5", "delay=-1", "nan=nan"])
def test_a_number_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=text.partition("=")[0]):
        parse_faults(text)


def test_a_wrong_word_names_the_right_ones() -> None:
    with pytest.raises(UnknownName, match="did you mean 'jitter'"):
        parse_faults("jiter=0.1")
    assert parse_faults(" loss=0.5 , from=1,") == FaultPlan(loss=0.5, start=1.0)


def test_the_udp_proxy_passes_on_from_one_port(
    listen: Listen, mvn: list[bytes]
) -> None:
    listener = listen(XsensStream(port=0))
    to = ("127.0.0.1", listener.device.port)
    proxy = UdpFaultProxy(to, parse_faults("delay=0.05,duplicate=1"))
    proxy.start()
    link = UdpLink(("127.0.0.1", proxy.port))
    for packet in mvn[:20]:
        link.send(packet)
        clock.sleep(0.003)
    listener.wait(lambda sample: sample.sequence == 119)
    listener.wait_for_drop("duplicate", 20)
    assert set(listener.dropped) == {"duplicate"}
    begin = clock.now()
    link.send(mvn[20])
    listener.wait(lambda sample: sample.sequence == 120)
    assert clock.now() - begin >= 0.05
    link.close()
    proxy.stop()


def test_the_tcp_proxy_spoils_messages_and_survives_reconnections(
    listen: Listen, mvn: list[bytes]
) -> None:
    listener = listen(XsensStream(port=0, protocol="tcp"))
    to = ("127.0.0.1", listener.device.port)
    proxy = TcpFaultProxy(to, parse_faults("nan=1,for=0.3"))
    proxy.start()
    link = TcpLink(("127.0.0.1", proxy.port))
    link.send(mvn[0])
    listener.wait_for_drop("nan")
    clock.sleep(0.4)  # the faults are over
    link.send(mvn[1])
    assert listener.wait_for_person().sequence == 101
    link.close()
    again = TcpLink(("127.0.0.1", proxy.port))
    again.send(mvn[5])
    assert listener.wait_for_person().sequence == 105
    again.close()
    proxy.stop()


@pytest.mark.parametrize(
    ("protocol", "plan", "reason"),
    [
        ("mvn", "loss=0.3", "lost"),
        ("mvn", "jitter=0.08", "late"),
        ("mvn", "duplicate=0.5", "duplicate"),
        ("mvn", "truncate=0.5", "malformed"),
        ("mvn", "garbage=0.5", "malformed"),
        ("mvn", "nan=0.5", "nan"),
        ("vmc", "jitter=0.08", "late"),
        ("vmc", "duplicate=0.5", "duplicate"),
        ("vmc", "truncate=0.5", "malformed"),
        ("vmc", "nan=0.5", "nan"),
    ],
)
def test_each_fault_is_counted_under_its_name_and_poses_go_on(
    protocol: str, plan: str, reason: str, listen: Listen, mvn: list, vmc: list
) -> None:
    device = XsensStream(port=0) if protocol == "mvn" else VmcStream(port=0)
    listener = listen(device)
    proxy = UdpFaultProxy(("127.0.0.1", device.port), parse_faults(plan))
    proxy.start()
    link = UdpLink(("127.0.0.1", proxy.port))
    people = 0
    for packet in mvn if protocol == "mvn" else vmc:
        link.send(packet)
        clock.sleep(0.005)
        sample = listener.read()
        people += sample is not None and sample.human is not None
    listener.wait_for_drop(reason)
    assert people > 5
    link.close()
    proxy.stop()
