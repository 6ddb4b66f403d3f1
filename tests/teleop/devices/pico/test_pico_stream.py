"""A PICO with XRoboToolkit: packets, buttons, and lines that stall."""

from __future__ import annotations

import itertools
import json
import struct
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.signals import HumanClip
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.base.source_clock import SourceClock
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.pico.packets import (
    Command,
    Packet,
    build_packet,
    packet_length,
    parse_packet,
)
from telexist.teleop.devices.pico.pico_stream import PicoStream
from telexist.teleop.devices.pico.tracking_text import (
    PicoPad,
    PicoTracking,
    build_tracking,
    parse_tracking,
)
from telexist.teleop.devices.simulators.senders.body24_senders import body24
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request

BOTH = {"left": PicoPad(), "right": PicoPad()}


@pytest.fixture
def samples(performance: HumanClip) -> list[PicoTracking]:
    poses = itertools.islice(SimulatedOperator(performance, loop=False).poses(), 40)
    return [
        PicoTracking(time=100.0 + p.time, body=body24(p, hands=True), controllers=BOTH)
        for p in poses
    ]


class Ear:
    """A device that is fed without a socket."""

    def __init__(self) -> None:
        self.device = PicoStream(port=0)
        self.refused: Counter[str] = Counter()

    def feed(self, said: PicoTracking, stamp: float) -> DeviceSample | None:
        body = build_tracking(said)
        packet = Packet(command=Command.FUNCTION, body=body, time=said.time)
        try:
            self.device.handle(build_packet(packet), stamp)
        except RefusedMessage as refusal:
            self.refused[refusal.reason] += 1
        return self.device.read()


def test_packets_are_those_of_the_app() -> None:
    data = build_packet(Packet(command=Command.HEARTBEAT, body=b"SN", time=1.5))
    assert data == b"\x3f\x23\x02\0\0\0SN" + struct.pack("<Q", 1500) + b"\xa5"
    assert parse_packet(data) == Packet(command=0x23, body=b"SN", time=1.5)
    assert packet_length(data[:5]) is None
    assert packet_length(data + b"\x3f") == len(data)
    for bad in (b"\xcf" + data[1:], data[:-1] + b"\0", b"\x3f\x6d\xff\xff\xff\xff"):
        with pytest.raises(RefusedMessage):
            parse_packet(bad)


def test_what_it_says_is_json_within_json(samples: list[PicoTracking]) -> None:
    outer = json.loads(build_tracking(samples[0]))
    assert outer["functionName"] == "Tracking"
    inner = json.loads(outer["value"])
    assert inner["timeStampNs"] == pytest.approx(100e9, rel=1e-9)
    pelvis = [float(x) for x in inner["Body"]["joints"][0]["p"].split(",")]
    np.testing.assert_allclose(pelvis[:3], samples[0].body.positions[0], atol=1e-6)
    again = parse_tracking(build_tracking(samples[0]))
    assert again is not None and again.controllers == BOTH
    assert parse_tracking(b'{"functionName":"other","value":"x"}') is None


def test_a_stalled_line_that_delivers_all_at_once_moves_nothing(
    samples: list[PicoTracking],
) -> None:
    ear = Ear()
    for k in range(10):
        assert ear.feed(samples[k], 5.0 + k / 60).human is not None
    burst = 5.0 + 10 / 60 + 1.0  # [s]: a second of nothing, then all at once
    stamps = [
        s.human.stamp
        for s in map(lambda t: ear.feed(t, burst), samples[10:])
        if s is not None and s.human is not None
    ]
    assert ear.refused["late"] >= 28
    assert all(burst - stamp <= 0.31 for stamp in stamps)
    late = ear.refused["late"]
    fresh = replace(samples[39], time=samples[39].time + 1.0)
    assert ear.feed(fresh, 5.0 + 39 / 60 + 1.0).human is not None
    assert ear.refused["late"] == late


def test_buttons_ask_once_and_only_when_they_go_down(
    samples: list[PicoTracking],
) -> None:
    ear, down = Ear(), replace(PicoPad(), primary=True)
    asked = []
    script = [
        {"left": PicoPad(), "right": down},  # held when first seen: nothing
        {"left": PicoPad(), "right": down},
        BOTH,
        {"left": PicoPad(), "right": down},  # engage
        {"left": PicoPad(), "right": down},
        {"left": replace(PicoPad(), secondary=True), "right": PicoPad()},  # stop
    ]
    for k, pads in enumerate(script):
        sample = ear.feed(replace(samples[k], controllers=pads), k / 60)
        asked += list(sample.requests)
    assert asked == [Request.ENGAGE, Request.STOP]


def test_a_late_stop_counts_and_a_late_engagement_does_not(
    samples: list[PicoTracking],
) -> None:
    ear = Ear()
    ear.feed(samples[0], 0.0)
    pads = {
        "left": replace(PicoPad(), secondary=True),
        "right": replace(PicoPad(), primary=True),
    }
    sample = ear.feed(replace(samples[1], controllers=pads), 1.0)
    assert sample.requests == (Request.STOP,)
    assert sample.human is None


def test_triggers_and_grips_close_the_hands(samples: list[PicoTracking]) -> None:
    ear = Ear()
    pads = {"left": PicoPad(trigger=0.25), "right": PicoPad(trigger=0.1, grip=0.75)}
    hands = ear.feed(replace(samples[0], controllers=pads), 0.0).hands
    assert (hands.left, hands.right) == (0.25, 0.75)
    alone = replace(samples[1], controllers={})
    assert ear.feed(alone, 0.02).hands is None


@pytest.mark.parametrize("what", ["focus", "body", "joint"])
def test_without_app_body_or_joint_there_is_no_sample(
    samples: list[PicoTracking], what: str
) -> None:
    said = samples[0]
    quats = said.body.quats_xyzw.copy()
    quats[5] = 0.0
    spoilt = {
        "focus": replace(said, focus=False),
        "body": replace(said, body=None),
        "joint": replace(said, body=replace(said.body, quats_xyzw=quats)),
    }[what]
    ear = Ear()
    assert ear.feed(spoilt, 0.0) is None
    assert ear.refused == {"untracked": 1}


def test_a_source_clock_believes_the_fastest_and_forgets_it() -> None:
    clock = SourceClock()
    assert clock.ours(10.0, 3.0) == 3.0
    assert clock.ours(11.0, 4.2) == pytest.approx(4.0)  # 0.2 s slower
    assert clock.ours(12.0, 4.9) == pytest.approx(4.9)  # the fastest so far
    assert clock.ours(13.0, 6.0) == pytest.approx(5.9)
    for k in range(1, 30):  # its clock loses: after 10 s the drift is followed
        last = clock.ours(13.0 + k, 6.0 + 1.001 * k)
    assert 6.0 + 1.001 * 29 - last < 0.02
    assert clock.ours(1.0, 50.0) == 50.0  # started anew
