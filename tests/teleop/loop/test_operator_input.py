"""Several devices at once, each for what it provides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from telexist.retarget.errors import BadInput, DeviceLost
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.signals import HumanClip
from telexist.robots.base.interface import HandCommand, RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base.traits import DeviceTraits
from telexist.teleop.devices.players.clip_player import ClipPlayer
from telexist.teleop.devices.simulators.faults.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.links import UdpLink
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.options import SimulatorOptions
from telexist.teleop.devices.simulators.senders.treadmill_senders import (
    simulate_cyberith,
)
from telexist.teleop.devices.treadmill.cyberith import CyberithTreadmill
from telexist.teleop.devices.treadmill.walking_treadmill import WalkingTreadmill
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.terms.device_sample import DeviceSample, Provides, Treadmill
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand


class Scripted:
    """A device that says what it is told to say."""

    deadline, manual, traits = 0.3, "", DeviceTraits()

    def __init__(self, name: str, *provides: Provides) -> None:
        self.name = name
        self.provides = frozenset(provides)
        self.says: list[DeviceSample] = []
        self.lost = False
        self.shown = 0

    def open(self, wake: Callable[[], None]) -> None: ...

    def read(self) -> DeviceSample | None:
        if self.lost:
            raise DeviceLost(f"{self.name}: gone: plug it in")
        return self.says.pop(0) if self.says else None

    def show(self, feedback: RobotFeedback) -> None:
        self.shown += 1

    def close(self) -> None: ...


def pad(name: str = "pad") -> Scripted:
    return Scripted(name, Provides.WALK, Provides.HANDS, Provides.REQUESTS)


def person() -> Scripted:
    return Scripted("anna", Provides.HUMAN)


def treadmill(name: str = "mat") -> Scripted:
    return Scripted(name, Provides.TREADMILL, Provides.WALK)


MILL = Treadmill(yaw=0.0, speed=1.0, direction=0.0, height=0.0)
WALKS = WalkCommand(vx=0.3)


def kinds(joined: OperatorInput, now: float) -> list[tuple[str, str]]:
    """Read once and return the kinds of event, with their devices."""
    joined.read()
    return [(n.kind, n.device) for n in (*joined.lost, *joined.events(now))]


def test_a_treadmill_that_falls_silent_stands_and_is_told_once() -> None:
    mat = treadmill()
    joined = OperatorInput([person(), mat])
    mat.says = [DeviceSample(stamp=1.0, treadmill=MILL, walk=WALKS)]
    assert kinds(joined, 1.0) == [] and joined.walk == WALKS
    assert kinds(joined, 1.29) == [] and joined.walk == WALKS
    assert joined.walk_at(1.29) == WALKS
    assert joined.walk_at(1.31) == joined.walk_at(1.29, 0.25) == WalkCommand()
    assert kinds(joined, 1.31) == [("input_stale", "mat")]
    assert joined.walk == WalkCommand()
    assert kinds(joined, 1.5) == []
    mat.says = [DeviceSample(stamp=1.6, dropped=(("malformed", 3),))]
    assert kinds(joined, 1.6) == [] and joined.walk == WalkCommand()
    mat.says = [DeviceSample(stamp=1.7, treadmill=MILL, walk=WALKS)]
    assert kinds(joined, 1.7) == [("device_back", "mat")]
    assert joined.walk == WALKS


def test_a_recording_whose_treadmill_fell_silent_stands_though_its_person_goes_on(
    builtin: HumanClip,
) -> None:
    played = Scripted("session", Provides.HUMAN, Provides.WALK)
    joined = OperatorInput([played])
    frame = replace(builtin.frame(0), stamp=1.0)
    played.says = [
        DeviceSample(stamp=1.0, human=frame, walk=WALKS),
        DeviceSample(stamp=1.4, human=frame),
    ]
    kinds(joined, 1.0)
    assert joined.walk_at(1.2) == WALKS
    assert kinds(joined, 1.4) == []
    assert joined.walk_at(1.4) == WalkCommand()


def test_buttons_that_nobody_presses_are_not_silent() -> None:
    buttons = Scripted("page", Provides.REQUESTS)
    buttons.deadline = float("inf")
    joined = OperatorInput([person(), buttons])
    buttons.says = [DeviceSample(stamp=0.0, requests=(Request.HOLD,))]
    told = [kind for k in range(100) for kind in kinds(joined, float(k))]
    assert told == [("no_samples", "anna")]


def test_a_device_that_never_spoke_is_told_of_once_with_its_manual() -> None:
    mute = person()
    mute.manual = "enter this machine's address"
    joined = OperatorInput([mute])
    joined.read()
    told = [event for k in range(20) for event in joined.events(float(k))]
    assert [event.kind for event in told] == ["no_samples"]
    assert "for 5 s: enter this machine's address" in told[0].reason


def test_a_lost_treadmill_stands_at_once_and_may_come_back() -> None:
    mat = treadmill()
    joined = OperatorInput([person(), mat])
    mat.says = [DeviceSample(stamp=0.0, treadmill=MILL, walk=WALKS)]
    kinds(joined, 0.0)
    mat.lost = True
    assert kinds(joined, 0.01) == [("device_lost", "mat")]
    assert joined.walk == WalkCommand() and "mat" in joined.gone
    assert kinds(joined, 1.0) == []
    mat.lost = False
    assert kinds(joined, 1.1) == [] and "mat" in joined.gone  # not a word yet
    mat.says = [DeviceSample(stamp=1.2, treadmill=MILL, walk=WALKS)]
    assert kinds(joined, 1.2) == [("device_back", "mat")]
    assert joined.walk == WALKS and not joined.gone


def test_lost_buttons_are_not_a_lost_stream() -> None:
    page = Scripted("page", Provides.REQUESTS)
    joined = OperatorInput([person(), page])
    page.lost = True
    assert kinds(joined, 0.0) == [("buttons_lost", "page")]


def test_lost_buttons_hold_again_after_they_came_back_without_being_pressed() -> None:
    page = Scripted("page", Provides.REQUESTS)
    joined = OperatorInput([person(), page])
    for lost, told in ((True, "buttons_lost"), (False, "device_back")) * 2:
        page.lost = lost
        assert kinds(joined, 0.0) == [(told, "page")]
        assert kinds(joined, 0.0) == []


@pytest.mark.parametrize(
    ("traits", "told"),
    [
        (DeviceTraits(), "buttons_away"),
        (DeviceTraits(program=True), "buttons_lost"),
        (DeviceTraits(played=True), "buttons_lost"),
    ],
)
def test_lost_buttons_are_only_told_while_a_person_can_press_others(
    traits: DeviceTraits, told: str
) -> None:
    page, other = Scripted("page", Provides.REQUESTS), pad()
    other.traits = traits
    joined = OperatorInput([person(), other, page])
    page.lost = True
    assert kinds(joined, 0.0) == [(told, "page")]


def test_lost_buttons_hold_when_the_others_were_lost_before() -> None:
    page, other = Scripted("page", Provides.REQUESTS), pad()
    joined = OperatorInput([person(), other, page])
    other.lost = True
    assert kinds(joined, 0.0) == [("device_lost", "pad")]
    page.lost = True
    assert kinds(joined, 0.0) == [("buttons_lost", "page")]


def test_without_a_person_is_an_error_that_says_what_to_choose() -> None:
    with pytest.raises(BadInput, match="mat: nobody is shown: choose a --source"):
        OperatorInput([treadmill()])


@pytest.mark.parametrize("kind", ["walk", "hands", "human", "treadmill"])
def test_two_devices_for_the_same_is_an_error_that_names_both(kind: str) -> None:
    one, two = Scripted("anna", Provides(kind)), Scripted("berta", Provides(kind))
    with pytest.raises(BadInput, match=f"anna and berta both provide {kind}"):
        OperatorInput([one, two])


def test_any_number_of_devices_may_ask_and_every_stop_counts() -> None:
    devices = [Scripted(f"d{k}", Provides.REQUESTS) for k in range(3)]
    joined = OperatorInput([person(), *devices])
    devices[0].says = [DeviceSample(stamp=1.0, requests=(Request.ENGAGE,))]
    devices[2].says = [DeviceSample(stamp=1.0, requests=(Request.STOP, Request.RESET))]
    joined.read()
    assert [(a.who, a.request) for a in joined.asked] == [
        ("d0", Request.ENGAGE),
        ("d2", Request.STOP),
        ("d2", Request.RESET),
    ]
    joined.read()
    assert joined.asked == []


def test_a_switch_stays_released_until_it_is_held_again() -> None:
    device = pad()
    joined = OperatorInput([person(), device])
    said = [True, False, None, True]
    device.says = [DeviceSample(stamp=float(k), dead_man=d) for k, d in enumerate(said)]
    released = []
    for _ in said:
        joined.read()
        released.append(joined.released)
    assert released == [(), ("pad",), ("pad",), ()]


def test_a_device_that_fails_does_not_silence_the_others() -> None:
    broken, good = Scripted("mat", Provides.TREADMILL), pad()
    joined = OperatorInput([person(), broken, good])
    broken.lost = True
    good.says = [DeviceSample(stamp=2.0, walk=WalkCommand(vx=0.2))]
    joined.read()
    assert joined.walk.vx == 0.2 and joined.walk_stamp == 2.0
    assert [lost.device for lost in joined.lost] == ["mat"]


def test_feedback_reaches_every_device() -> None:
    devices = [pad(), Scripted("mat", Provides.TREADMILL)]
    OperatorInput([person(), *devices]).show(RobotFeedback(stamp=0.0))
    assert [device.shown for device in devices] == [1, 1]


def test_a_person_a_treadmill_and_a_joypad_work_together() -> None:
    operator = ClipPlayer(builtin_clip(rate=60.0))
    cyberith = CyberithTreadmill(port=0)
    buttons = Scripted("pad", Provides.HANDS, Provides.REQUESTS)
    joined = OperatorInput([operator, WalkingTreadmill(cyberith), buttons])
    for device in joined.devices:
        device.open(lambda: None)
    packets = simulate_cyberith(SimulatorOptions(rate=200.0))
    faults = FaultPlan(loss=0.1, duplicate=0.1, truncate=0.1, garbage=0.1)
    sender = Transmitter(
        packets, UdpLink(("127.0.0.1", cyberith.port)), FaultLine(faults, seed=3)
    )
    sender.start()
    buttons.says = [DeviceSample(stamp=0.0, hands=HandCommand(left=1.0))]
    reasons: set[str] = set()
    end = clock.now() + 60.0
    while clock.now() < end and not (
        joined.walk.vx > 0.05
        and joined.human is not None
        and {"lost", "duplicate", "malformed"} <= reasons
    ):
        joined.read()
        reasons |= {refused.reason for refused in joined.refused}
        clock.sleep(0.003)
    sender.stop()
    for device in joined.devices:
        device.close()
    assert joined.source is operator
    assert joined.walk.vx > 0.05 and joined.walk.vy == 0.0
    assert joined.treadmill is not None and joined.treadmill.speed > 0.1
    assert joined.hands == HandCommand(left=1.0)
    assert {"lost", "duplicate", "malformed"} <= reasons
    assert "error" not in reasons


def test_the_ring_turns_as_fast_as_its_samples_say() -> None:
    ring = Scripted("ring", Provides.TREADMILL)
    joined = OperatorInput([person(), ring])
    for k, yaw in enumerate((3.1, 3.14, -3.1031853)):  # across the seam
        mill = Treadmill(yaw=yaw, speed=0.0, direction=0.0, height=0.0)
        ring.says.append(DeviceSample(stamp=0.02 * k, treadmill=mill))
    rates = []
    for _ in range(3):
        joined.read()
        rates.append(joined.ring_rate)
    assert rates == pytest.approx([0.0, 2.0, 2.0], abs=1e-3)
