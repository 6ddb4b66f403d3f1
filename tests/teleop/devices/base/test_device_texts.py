"""Devices by the text that a user writes, whole or in part, and what it may not be."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from telexist.retarget.errors import BadInput
from telexist.robots.base.interface import HandCommand, RobotFeedback
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.only_kinds import OnlyKinds, split_only
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.treadmill.treadmill_walk import TreadmillWalkSettings
from telexist.teleop.devices.treadmill.walking_treadmill import WalkingTreadmill
from telexist.teleop.terms.device_sample import DeviceSample, Provides, Treadmill
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand


class Scripted:
    """A device that says what it is told to say."""

    name = "scripted"
    deadline = 0.3

    def __init__(self, provides: set[Provides], samples: list[DeviceSample]) -> None:
        self.provides = frozenset(provides)
        self._samples = samples
        self.shown = self.opened = self.closed = 0

    def open(self, wake: Callable[[], None]) -> None:
        self.opened += 1

    def read(self) -> DeviceSample | None:
        return self._samples.pop(0) if self._samples else None

    def show(self, feedback: RobotFeedback) -> None:
        self.shown += 1

    def close(self) -> None:
        self.closed += 1


FULL = DeviceSample(
    stamp=1.0,
    walk=WalkCommand(vx=1.0),
    hands=HandCommand(left=1.0),
    requests=(Request.ENGAGE, Request.STOP),
    dead_man=False,
)
PAD = {Provides.WALK, Provides.HANDS, Provides.REQUESTS}


def test_a_part_of_a_device_still_stops_everything() -> None:
    whole: Device = Scripted(PAD, [FULL])
    part = OnlyKinds(whole, {Provides.HANDS})
    assert part.provides == {Provides.HANDS}
    assert (part.name, part.deadline) == ("scripted", 0.3)
    sample = part.read()
    assert sample is not None
    assert sample.walk is None and sample.hands == HandCommand(left=1.0)
    assert sample.requests == (Request.STOP,)
    assert sample.dead_man is False
    assert part.read() is None


def test_a_part_opens_shows_and_closes_the_whole() -> None:
    whole = Scripted(PAD, [])
    part = OnlyKinds(whole, PAD)
    part.open(lambda: None)
    part.show(RobotFeedback(stamp=0.0))
    part.close()
    assert (whole.opened, whole.shown, whole.closed) == (1, 1, 1)


def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadInput, match="does not provide human: choose from hands"):
        OnlyKinds(Scripted(PAD, []), {Provides.HUMAN})


@pytest.mark.parametrize(
    ("text", "rest", "kinds"),
    [
        ("joypad", "joypad", None),
        ("joypad?only=walk", "joypad", {Provides.WALK}),
        ("kat:/dev/x?scale=1&only=walk", "kat:/dev/x?scale=1", {Provides.WALK}),
        ("a?only=walk+hands&b=1", "a?b=1", {Provides.WALK, Provides.HANDS}),
    ],
)
def test_only_is_taken_out_of_the_text(
    text: str, rest: str, kinds: set[Provides] | None
) -> None:
    assert split_only(text) == (rest, kinds)


def test_a_treadmill_walks_and_says_when_its_ring_leapt(
    caplog: pytest.LogCaptureFixture,
) -> None:
    yaws = [2.0] * 30 + [2.5] * 2
    samples = [
        DeviceSample(
            stamp=0.02 * k,
            treadmill=Treadmill(yaw=yaw, speed=0.6, direction=0.0, height=0.0),
        )
        for k, yaw in enumerate(yaws)
    ]
    device = WalkingTreadmill(
        Scripted({Provides.TREADMILL}, samples), TreadmillWalkSettings(scale=0.5)
    )
    assert device.provides == {Provides.TREADMILL, Provides.WALK}
    device.open(lambda: None)
    said = [device.read() for _ in yaws]
    assert said[0] is not None and said[0].walk == WalkCommand()
    walking, leapt, last = said[29], said[30], said[31]
    assert walking is not None and walking.walk is not None
    assert walking.walk.vx == pytest.approx(0.3) and walking.dropped == ()
    assert leapt is not None and leapt.dropped == (("ring_jump", 1),)
    assert leapt.walk is not None and leapt.walk.wz == 0.0
    assert last is not None and last.dropped == ()
    assert last.treadmill is not None and last.treadmill.yaw == 0.0
    assert "leapt by 0.50 rad" in caplog.text


def test_texts_make_devices(tmp_path: Path) -> None:
    settings = tmp_path / "pad.toml"
    settings.write_text("number = 3\n")
    names = {
        "joypad": "joypad 0",
        "joypad:2?dead_man=left_shoulder": "joypad 2",
        f"joypad:{settings}": "joypad 3",
        "keyboard": "keyboard",
        "openvr?trackers=LHR-1~Pelvis": "headset (SteamVR)",
        "cyberith:0.0.0.0:9771?sender=10.0.0.7&scale=0.3": "cyberith on 0.0.0.0:9771",
        "kat:/dev/hidraw3?counts_per_speed=900": "kat /dev/hidraw3",
        "omni:COM3?full_speed=2": "omni COM3",
        "treadmill:kat:/dev/hidraw1": "kat /dev/hidraw1",
        "treadmill:cyberith?scale=1": "cyberith on 127.0.0.1:9770",
    }
    for text, name in names.items():
        device = make_device(text)
        assert device.name == name
        assert math.isfinite(device.deadline)
    assert make_device("joypad?only=hands").provides == {Provides.HANDS}
    assert Provides.WALK in make_device("openvr?walk=sticks").provides
    assert Provides.WALK not in make_device("openvr").provides


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("keyboard:de", "keyboard takes no further words"),
        ("joypad:missing.toml", "missing.toml"),
        ("joypad?dead_man=elbow", "no joypad button called 'elbow'"),
        ("joypad?only=feet", "no kind of input called 'feet'"),
        ("joypad?only=human", "does not provide human"),
        ("openvr?trackers=LHR-1~Tail", "no segment called 'Tail'"),
        ("openvr?walk=feet", "the only choice is walk=sticks"),
        ("cyberith:99999", "is no port"),
        ("cyberith?sender=nobody", "sender 'nobody'"),
        ("kat?scale=fast", "scale=fast: expected a number"),
        ("kat?scale=nan", "scale"),
        ("kat?counts_per_speed=0", "choose 1 to 1000000"),
        ("omni:COM3?start=xyz", "expected bytes like ef09"),
        ("omni?full_speed=90", "choose 0 to 5"),
        ("omni?baud=9600", "no option of this device called 'baud'"),
        ("treadmill", "known: cyberith, kat, omni"),
        ("joypat", "did you mean 'joypad'"),
    ],
)
def test_wrong_texts_name_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make_device(text)
