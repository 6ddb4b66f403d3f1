"""Devices behind YARP: suits, shoes, goals and joypads that others publish."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, DeviceLost, UnknownName
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.robots.yarp.iit import (
    SensorStatus,
    WearableSensor,
    n_pose_to_t_pose,
    suit_sensors,
    wearable_data_items,
)
from telexist.robots.yarp.network import NameClient, Port
from telexist.robots.yarp.simulated import SimulatedNameServer
from telexist.robots.yarp.wire import (
    YARP_3,
    YARP_4,
    Bottle,
    Dialect,
    Envelope,
    encode_bottle,
)
from telexist.teleop.devices.base import make_device
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.person import SimulatedOperator
from telexist.teleop.devices.yarp import SimulatedSuit
from telexist.teleop.terms import DeviceSample, Provides, Request

PATIENCE = 60.0  # [s]
FRAME = builtin_clip().frame(100)


class Rig:
    """A name server, ports of others, and a device that hears them."""

    def __init__(self) -> None:
        self.server = SimulatedNameServer()
        self.server.open()
        self.names = NameClient(self.server.host, self.server.port)
        self.ports: list[Port] = []
        self.device: Device | None = None
        self.seen: list[DeviceSample] = []
        self.dropped: Counter[str] = Counter()

    @property
    def place(self) -> str:
        return f"{self.server.host}:{self.server.port}"

    def other(self, name: str, dialect: Dialect = YARP_3) -> Port:
        port = Port(name, self.names, dialect=dialect)
        port.open()
        self.ports.append(port)
        return port

    def listen(self, text: str) -> Device:
        self.device = make_device(text)
        self.device.open(lambda: None)
        return self.device

    def read(self) -> DeviceSample | None:
        assert self.device is not None
        sample = self.device.read()
        if sample is not None:
            self.seen.append(sample)
            self.dropped.update(dict(sample.dropped))
        return sample

    def until(self, what: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < end, (self.dropped, self.seen[-1:])
            self.read()
            time.sleep(0.005)

    def say(self, port: Port, items: Bottle, what: Callable[[], object]) -> None:
        """Write again and again, with rising numbers, until something is seen."""
        number = 0

        def again() -> object:
            nonlocal number
            number += 1
            port.write(items, Envelope(number, 1000.0 + 0.01 * number))
            return what()

        self.until(again)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    if rig.device is not None:
        rig.device.close()
    for port in rig.ports:
        port.close()
    rig.server.close()


def suit(frame: HumanFrame = FRAME) -> Bottle:
    assert frame.positions is not None and frame.linear_velocities is not None
    sensors = suit_sensors(
        SEGMENTS,
        n_pose_to_t_pose(frame.rotations),
        frame.positions,
        frame.linear_velocities,
        frame.angular_velocities,
    )
    return wearable_data_items("XsensSuit", sensors)


@pytest.mark.parametrize("dialect", [YARP_3, YARP_4], ids=["3", "4"])
def test_a_suit_that_comes_and_goes_is_found_and_followed(
    rig: Rig, dialect: Dialect
) -> None:
    device = rig.listen(f"wearables:{rig.place}")
    assert device.provides == {Provides.HUMAN}
    for _ in range(2):  # another process, another socket, numbers from the begin
        rig.seen.clear()
        port = rig.other("/XsensSuit/WearableData/data:o", dialect)
        rig.say(port, suit(), lambda: any(s.human for s in rig.seen))
        human = next(s.human for s in rig.seen if s.human)
        assert human.segments == SEGMENTS
        assert np.abs(human.rotations - n_pose_to_t_pose(FRAME.rotations)).max() < 1e-9
        assert human.positions is not None and FRAME.positions is not None
        assert np.array_equal(human.positions, FRAME.positions)
        assert np.array_equal(human.angular_velocities, FRAME.angular_velocities)
        port.close()


def test_a_second_suit_is_a_stranger_and_the_first_goes_on(rig: Rig) -> None:
    rig.listen(f"wearables:{rig.place}?from=/XsensSuit/data:o+/Other/data:o")
    first, second = rig.other("/XsensSuit/data:o"), rig.other("/Other/data:o")
    rig.say(first, suit(), lambda: any(s.human for s in rig.seen))
    turned = suit(builtin_clip().frame(0))
    number = 10_000

    def both() -> bool:
        nonlocal number
        number += 1
        for port, items in ((first, suit()), (second, turned)):
            port.write(items, Envelope(number, float(number)))
        return rig.dropped["stranger"] > 3

    rig.until(both)
    for sample in rig.seen:
        if sample.human is not None:
            ours = n_pose_to_t_pose(FRAME.rotations)
            assert np.abs(sample.human.rotations - ours).max() < 1e-9


def test_hostile_messages_never_become_a_person(rig: Rig) -> None:
    device = rig.listen(f"wearables:{rig.place}")
    (heard,) = device.heard_ports()  # type: ignore[attr-defined]
    take = device._make(heard)._port._on_message  # type: ignore[attr-defined]
    good = encode_bottle(suit(), YARP_3)
    rng = np.random.default_rng(5)
    for i in range(4_000):
        data = bytearray(good) if i % 2 else bytearray(rng.bytes(1 + i % 700))
        for _ in range(1 + i % 5):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        if i % 7 == 0:
            del data[int(rng.integers(len(data))) :]
        take(bytes(data), Envelope(i, 0.01 * i), "/x")
        rig.read()
    assert sum(rig.dropped.values()) > 2_000
    for sample in rig.seen:
        if sample.human is not None:
            sample.human.require_finite()


def test_nodes_of_an_ifeel_show_a_person_without_places(rig: Rig) -> None:
    played = SimulatedSuit(
        SimulatedOperator(builtin_clip()),
        kind="ifeel",
        dialect=YARP_4,
        server=(rig.server.host, rig.server.port),
    )
    played.open()
    try:
        rig.listen(f"wearables:{rig.place}")
        rig.until(lambda: len([s for s in rig.seen if s.human]) > 5)
    finally:
        played.close()
    human = next(s.human for s in rig.seen if s.human)
    assert len(human.segments) == 12 and human.positions is None
    assert {"Pelvis", "T8", "LeftFoot", "RightForeArm"} <= set(human.segments)


def test_shoes_from_two_ports_are_forces_about_the_soles(rig: Rig) -> None:
    rig.listen(f"shoes:{rig.place}?from=/L/data:o+/R/data:o&ankle=0.1")
    left, right = rig.other("/L/data:o"), rig.other("/R/data:o")

    def shoe(side: str, wrench: tuple[float, ...]) -> Bottle:
        name = f"FTShoes::ft6D::{side}"
        sensor = WearableSensor("ft6D", name, SensorStatus.OK, wrench)
        return wearable_data_items("FTShoes", [sensor])

    number = 0

    def both() -> bool:
        nonlocal number
        number += 1
        stamp = Envelope(number, float(number))
        left.write(shoe("LeftShoe", (10.0, 0.0, 400.0, 0.0, 0.0, 0.0)), stamp)
        right.write(shoe("RightShoe", (0.0, 0.0, 300.0, 0.0, 0.0, 0.0)), stamp)
        forces = [s.forces for s in rig.seen if s.forces is not None]
        return any(np.isfinite(f.wrench).all() for f in forces)

    rig.until(both)
    found = [s.forces for s in rig.seen if s.forces is not None]
    forces = next(f for f in found if np.isfinite(f.wrench).all())
    assert forces.wrench[:, 2].tolist() == [400.0, 300.0]
    # 10 N ahead, a tenth of a metre over the sole, tips ahead: about +y
    assert forces.wrench[0, 3:].tolist() == pytest.approx([0.0, 1.0, 0.0])


def test_goals_of_others_are_walking_commands(rig: Rig) -> None:
    name = "/walking-coordinator/goal:i"
    rig.listen(f"walkgoal:{rig.place}?name={name}")
    port = rig.other("/joypad/goal:o")
    rig.say(port, [0.5, -0.5, 0.2], lambda: any(s.walk for s in rig.seen))
    walk = next(s.walk for s in rig.seen if s.walk)
    assert (walk.vx, walk.vy, walk.wz) == pytest.approx((0.25, 0.1, -0.5))
    rig.say(port, ["north"], lambda: rig.dropped["malformed"])


def test_a_joypad_on_yarp_walks_and_its_buttons_ask_once(rig: Rig) -> None:
    rig.listen(f"yarpjoypad:{rig.place}?prefix=/pad")
    axes, buttons = rig.other("/pad/axis:o"), rig.other("/pad/buttons:o")
    rig.say(axes, [0.0, -1.0, 0.0], lambda: any(s.walk and s.walk.vx for s in rig.seen))
    assert all(s.walk is None or s.walk.vx >= 0.0 for s in rig.seen)
    rig.say(buttons, [1.0, 0.0], lambda: rig.device and connected(rig, "buttons"))
    rig.say(buttons, [0.0, 0.0], lambda: time.sleep(0.3) or True)
    assert not any(Request.STOP in s.requests for s in rig.seen)
    rig.say(buttons, [0.0, 1.0], lambda: any(s.requests for s in rig.seen))
    for _ in range(20):
        buttons.write([0.0, 1.0])
        time.sleep(0.01)
        rig.read()
    asked = [request for s in rig.seen for request in s.requests]
    assert asked == [Request.STOP]


def connected(rig: Rig, kind: str) -> bool:
    ports = rig.device._ports  # type: ignore[union-attr]
    return any(kind in name for p in ports for name in p.connected)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("wearables:?from=suit", "begins with /"),
        ("wearables:?parts=Node", "expected A-B"),
        ("walkgoal:?turn=fast", "turn=fast"),
        ("yarpjoypad:?buttons=0-engage", "one must be stop"),
        ("yarpjoypad:?buttons=0-fly+1-stop", "NUMBER-REQUEST"),
        ("shoes:?ankle=2", "ankle=2"),
    ],
)
def test_wrong_texts_are_told(text: str, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        make_device(text)


def test_unknown_segments_and_absent_servers_are_told() -> None:
    with pytest.raises(UnknownName, match="Haed"):
        make_device("wearables:?parts=Node#1-Haed")
    device = make_device("walkgoal:127.0.0.1:9")
    with pytest.raises(DeviceLost, match="yarpserver"):
        device.open(lambda: None)
