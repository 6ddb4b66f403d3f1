"""Several worn devices are one person, and each says how it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.dynamics import OnlineDynamics
from telexist.retarget.errors import BadConfig, BadInput, DeviceLost
from telexist.retarget.person_dynamics import GroundForces, SensorState
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_z
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, make_device
from telexist.teleop.devices.merged import (
    MergedDevice,
    WornSensor,
    WornSensors,
    load_worn_sensors,
)
from telexist.teleop.terms import DeviceSample, Fault, Provides

CLIP = builtin_clip()
TOLD = np.array([2.0, 2.0, 2.0, 0.5, 0.5, 0.5])


class Said(Device):
    """A device that says what it was told to say."""

    def __init__(self, name: str, kind: Provides) -> None:
        self._name, self._kind = name, kind
        self.next: DeviceSample | None = None
        self.error = ""
        self.opened = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def provides(self) -> frozenset[Provides]:
        return frozenset({self._kind})

    @property
    def deadline(self) -> float:
        return 0.3

    def open(self, wake: Callable[[], None]) -> None:
        if self.error:
            raise DeviceLost(self.error)
        self.opened += 1

    def read(self) -> DeviceSample | None:
        if self.error:
            raise DeviceLost(self.error)
        sample, self.next = self.next, None
        return sample

    def show(self, feedback: RobotFeedback) -> None:
        del feedback

    def close(self) -> None:
        self.opened = 0


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    time = [100.0]
    monkeypatch.setattr(clock, "now", lambda: time[0])
    return time


def frame(stamp: float, turn: float = 0.0) -> HumanFrame:
    shown = CLIP.frame(0)
    R = np.array(shown.rotations)
    R[SEGMENT_INDEX["LeftHand"]] = rotation_z(turn)
    return replace(shown, stamp=stamp, rotations=R)


def felt(stamp: float, up: float, foot: int) -> DeviceSample:
    wrench, deviation = np.full((2, 6), np.nan), np.full((2, 6), np.inf)
    wrench[foot], deviation[foot] = [0.0, 0.0, up, 0.0, 0.0, 0.0], TOLD
    full = np.array([500.0, 500.0, 2000.0, 100.0, 100.0, 100.0])
    forces = GroundForces(
        stamp=stamp, wrench=wrench, deviation=deviation, full_scale=full
    )
    return DeviceSample(stamp=stamp, sequence=int(1e3 * stamp), forces=forces)


def shown(stamp: float, turn: float = 0.0) -> DeviceSample:
    sequence = int(1e3 * stamp)
    return DeviceSample(stamp=stamp, sequence=sequence, human=frame(stamp, turn))


class Worn:
    """Suit, two shoes of two devices, and a glove."""

    def __init__(self, tare: float = 0.0) -> None:
        self.suit = Said("suit of a maker", Provides.HUMAN)
        self.left = Said("stream of the left shoe", Provides.FORCES)
        self.right = Said("stream of the right shoe", Provides.FORCES)
        self.glove = Said("glove of another", Provides.HUMAN)
        self.all = (self.suit, self.left, self.right, self.glove)

        def sensor(name: str, gives: str, **more: object) -> WornSensor:
            return WornSensor(  # type: ignore[arg-type]
                name=name, device=name, gives=(gives,), **more
            )

        self.device = MergedDevice(
            "worn",
            [
                (sensor("suit", "person"), self.suit),
                (sensor("left shoe", "left foot", tare=tare), self.left),
                (sensor("right shoe", "right foot"), self.right),
                (
                    sensor("glove", "LeftHand", rename={"RightHand": "LeftHand"}),
                    self.glove,
                ),
            ],
        )
        self.device.open(lambda: None)


def test_shoes_of_two_devices_are_two_feet_of_one_person(now: list[float]) -> None:
    worn = Worn()
    assert worn.device.provides == {Provides.HUMAN, Provides.FORCES}
    assert set(worn.device.states.values()) == {SensorState.WAITING}
    worn.suit.next, worn.left.next = shown(100.0), felt(99.999, 300.0, 0)
    worn.right.next = felt(100.001, 400.0, 1)
    first = worn.device.read()
    assert first is not None and first.human is not None and first.forces is not None
    assert first.forces.stamp == 99.999  # each foot keeps its own time
    assert first.forces.wrench[0, 2] == 300.0 and np.isnan(first.forces.wrench[1]).all()
    then = worn.device.read()
    assert then is not None and then.human is None and then.forces is not None
    assert then.forces.wrench[1, 2] == 400.0
    assert worn.device.read() is None
    assert worn.device.states["left shoe"] is SensorState.OK
    worn.device.close()
    worn.device.close()
    assert not any(part.opened for part in worn.all)


def test_the_estimate_knows_both_feet_and_loses_one_alone(now: list[float]) -> None:
    worn = Worn()
    online = OnlineDynamics(CLIP.size, 70.0)
    left, right = [], []
    rng = np.random.default_rng(0)
    for k in range(60):
        now[0] = 100.0 + k / 60.0
        worn.suit.next = replace(shown(now[0]), sequence=k)
        worn.left.next = felt(now[0] - 0.001, 343.0 + rng.normal(), 0)
        if k < 40:
            worn.right.next = felt(now[0] - 0.002, 343.0 + rng.normal(), 1)
        for _ in range(2):
            sample = worn.device.read()
            if sample is None:
                continue
            if sample.forces is not None:
                online.put_forces(sample.forces)
            if sample.human is not None:
                human = replace(
                    sample.human,
                    positions=CLIP.positions[0],
                    linear_velocities=None,
                    sequence=k,
                )
                online.put_frame(human)
        moment = online.step()
        if moment is not None:
            left.append(moment.forces.status[0])
            right.append(moment.forces.status[1])
    assert set(left[5:]) == {SensorState.OK}
    assert SensorState.OK in right and right[-1] is SensorState.TIMEOUT
    assert moment is not None and moment.dynamics.measured.tolist() == [1.0, 0.0]
    spread = moment.dynamics.foot_wrenches_sd[:, 2]
    assert spread[1] > 2.0 * spread[0]


def test_a_part_of_another_device_takes_the_place_of_the_suits(
    now: list[float],
) -> None:
    worn, hand = Worn(), SEGMENT_INDEX["LeftHand"]
    other = replace(
        frame(100.0, 0.4),
        segments=("RightHand",),
        rotations=rotation_z(0.4)[None],
        angular_velocities=np.zeros((1, 3)),
        positions=None,
        linear_velocities=None,
    )
    worn.glove.next = DeviceSample(stamp=100.0, sequence=1, human=other)
    alone = worn.device.read()
    assert alone is None or alone.human is None  # a glove alone is nobody
    worn.suit.next = shown(100.01)
    now[0] = 100.01
    sample = worn.device.read()
    assert sample is not None and sample.human is not None
    assert sample.human.segments == SEGMENTS
    assert np.allclose(sample.human.rotations[hand], rotation_z(0.4))
    now[0] = 101.0  # the glove has been silent for long
    worn.suit.next = shown(101.0)
    sample = worn.device.read()
    assert sample is not None and sample.human is not None
    assert np.allclose(sample.human.rotations[hand], np.eye(3))
    assert worn.device.states["glove"] is SensorState.TIMEOUT


def news(device: MergedDevice) -> str:
    sample = device.read()
    if sample is None:
        return ""
    return dict(sample.details).get(Fault.FORCES.value, "")


def test_how_each_sensor_does_is_told_once(now: list[float]) -> None:
    worn = Worn(tare=0.5)
    worn.suit.next = shown(100.0)
    worn.left.next = felt(100.0, 12.0, 0)
    assert "left shoe: calibrating" in news(worn.device)
    now[0] = 100.2
    worn.left.next, worn.suit.next = felt(100.2, 12.0, 0), shown(100.2)
    assert news(worn.device) == ""
    now[0] = 100.6
    worn.left.next = felt(100.6, 312.0, 0)
    sample = worn.device.read()
    assert sample is not None and sample.forces is not None
    assert sample.forces.wrench[0, 2] == pytest.approx(300.0)  # its zero was 12 N
    assert "left shoe: ok" in dict(sample.details)[Fault.FORCES.value]
    worn.left.next = felt(100.6, 2012.0, 0)
    assert "left shoe: overflow" in news(worn.device)
    worn.left.next = felt(100.6, np.nan, 0)
    assert "left shoe: error: not a number" in news(worn.device)
    worn.left.error = "unplugged"
    assert "unplugged" in news(worn.device) or worn.device.states["left shoe"] is (
        SensorState.ERROR
    )
    now[0] = 103.0
    worn.suit.next = shown(103.0)
    told = news(worn.device)
    assert "right shoe: waiting" in told  # it should have spoken by now
    worn.left.error = ""
    worn.left.next = felt(103.0, 112.0, 0)
    assert "left shoe: ok" in news(worn.device)


def test_a_suit_that_is_lost_is_the_device_lost(now: list[float]) -> None:
    worn = Worn()
    worn.suit.error = "no signal"
    with pytest.raises(DeviceLost, match="no signal"):
        worn.device.read()
    worn.suit.error = ""
    worn.suit.next = shown(100.0)
    assert worn.device.read() is not None
    worn.right.error = "not there"
    with pytest.raises(DeviceLost, match="not there"):
        worn.device.open(lambda: None)
    assert not any(part.opened for part in worn.all)  # none stays open


def test_files_that_are_wrong_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "worn.toml"
    row = '[[sensors]]\nname = "a"\ndevice = "builtin"\ngives = ["person"]\n'
    for text, word in (
        ("", "sensors"),
        ("sensors = []", "no sensor"),
        (row + row, "two sensors"),
        (row.replace("person", "tail"), "left foot"),
        (row + "tare = -1.0", "tare"),
        (row + "deadline = 99.0", "deadline"),
        (row + 'rename = { a = "tail" }', "Pelvis"),
        (row + "color = 3", "color"),
    ):
        path.write_text(text)
        with pytest.raises(BadConfig, match=word) as raised:
            load_worn_sensors(path)
        assert "\n" not in str(raised.value)
    path.write_text(row.replace("person", "left foot"))
    with pytest.raises(BadInput, match="gives no left foot"):
        make_device(f"merged:{path}")
    path.write_text(row.replace("builtin", "merged:x"))
    with pytest.raises(BadInput, match="hold no others"):
        make_device(f"merged:{path}")
    with pytest.raises(BadInput, match="which sensors"):
        make_device("merged")
    with pytest.raises(BadInput, match="must give person"):
        MergedDevice(
            "x",
            [
                (
                    WornSensor(name="a", device="b", gives=("LeftHand",)),
                    Said("b", Provides.HUMAN),
                )
            ],
        )
    one = WornSensor(name="a", device="b", gives=("person",))
    assert WornSensors(sensors=(one,)).sensors == (one,)
