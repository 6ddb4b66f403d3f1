"""Several devices at once, each for what it provides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from retarget.errors import BadInput, DeviceLost
from retarget.recordings.builtin import builtin_clip
from robots.interface import HandCommand, RobotFeedback
from teleop import clock
from teleop.devices.clip_player import ClipPlayer
from teleop.devices.interface import (
    DeviceSample,
    Provides,
    Request,
    Treadmill,
    WalkCommand,
)
from teleop.devices.simulators.faults import FaultLine, FaultPlan
from teleop.devices.simulators.links import UdpLink
from teleop.devices.simulators.options import SimulatorOptions
from teleop.devices.simulators.transmitter import Transmitter
from teleop.devices.simulators.treadmill_senders import simulate_cyberith
from teleop.devices.treadmill_cyberith import CyberithTreadmill
from teleop.devices.walking_treadmill import WalkingTreadmill
from teleop.operator_input import OperatorInput


class Scripted:
    """A device that says what it is told to say."""

    deadline = 0.3

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


@pytest.mark.parametrize("kind", ["walk", "hands", "human", "treadmill"])
def test_two_devices_for_the_same_is_an_error_that_names_both(kind: str) -> None:
    one, two = Scripted("anna", Provides(kind)), Scripted("berta", Provides(kind))
    with pytest.raises(BadInput, match=f"anna and berta both provide {kind}"):
        OperatorInput([one, two])


def test_any_number_of_devices_may_ask_and_every_stop_counts() -> None:
    devices = [Scripted(f"d{k}", Provides.REQUESTS) for k in range(3)]
    joined = OperatorInput(devices)
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
    joined = OperatorInput([device])
    said = [True, False, None, True]
    device.says = [DeviceSample(stamp=float(k), dead_man=d) for k, d in enumerate(said)]
    released = []
    for _ in said:
        joined.read()
        released.append(joined.released)
    assert released == [(), ("pad",), ("pad",), ()]


def test_a_device_that_fails_does_not_silence_the_others() -> None:
    broken, good = Scripted("mat", Provides.TREADMILL), pad()
    joined = OperatorInput([broken, good])
    broken.lost = True
    good.says = [DeviceSample(stamp=2.0, walk=WalkCommand(vx=0.2))]
    joined.read()
    assert joined.walk.vx == 0.2 and joined.walk_stamp == 2.0
    assert [lost.device for lost in joined.lost] == ["mat"]


def test_feedback_reaches_every_device() -> None:
    devices = [pad(), Scripted("mat", Provides.TREADMILL)]
    OperatorInput(devices).show(RobotFeedback(stamp=0.0))
    assert [device.shown for device in devices] == [1, 1]


def test_a_person_a_treadmill_and_a_joypad_work_together() -> None:
    person = ClipPlayer(builtin_clip(rate=60.0))
    treadmill = CyberithTreadmill(port=0)
    buttons = Scripted("pad", Provides.HANDS, Provides.REQUESTS)
    joined = OperatorInput([person, WalkingTreadmill(treadmill), buttons])
    for device in joined.devices:
        device.open(lambda: None)
    packets = simulate_cyberith(SimulatorOptions(rate=200.0))
    faults = FaultPlan(loss=0.1, duplicate=0.1, truncate=0.1, garbage=0.1)
    sender = Transmitter(
        packets, UdpLink(("127.0.0.1", treadmill.port)), FaultLine(faults, seed=3)
    )
    sender.start()
    buttons.says = [DeviceSample(stamp=0.0, hands=HandCommand(left=1.0))]
    reasons: set[str] = set()
    end = clock.now() + 15.0
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
    assert joined.source is person
    assert joined.walk.vx > 0.05 and joined.walk.vy == 0.0
    assert joined.treadmill is not None and joined.treadmill.speed > 0.1
    assert joined.hands == HandCommand(left=1.0)
    assert {"lost", "duplicate", "malformed"} <= reasons
    assert "error" not in reasons


def test_the_ring_turns_as_fast_as_its_samples_say() -> None:
    ring = Scripted("ring", Provides.TREADMILL)
    joined = OperatorInput([ring])
    for k, yaw in enumerate((3.1, 3.14, -3.1031853)):  # across the seam
        mill = Treadmill(yaw=yaw, speed=0.0, direction=0.0, height=0.0)
        ring.says.append(DeviceSample(stamp=0.02 * k, treadmill=mill))
    rates = []
    for _ in range(3):
        joined.read()
        rates.append(joined.ring_rate)
    assert rates == pytest.approx([0.0, 2.0, 2.0], abs=1e-3)
