"""What comes back to the headset: pictures, words, pulses; and who only looks on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.retarget.errors import BadFrame
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import decode_jpeg, make_device
from telexist.teleop.devices.webxr.contact_pulses import ContactPulses
from telexist.teleop.devices.webxr.headset import WebXrHeadset
from telexist.teleop.devices.webxr.picture_wire import pack_picture, unpack_picture
from telexist.teleop.devices.webxr.simulated_headset import SimulatedHeadset
from telexist.teleop.terms import DeviceSample, Request, SessionNews

LONG = 60.0  # [s] to wait for what must come


@pytest.fixture
def device() -> Iterator[WebXrHeadset]:
    device = make_device("webxr:0")
    assert isinstance(device, WebXrHeadset)
    device.open(lambda: None)
    yield device
    device.close()


@pytest.fixture
def headset(device: WebXrHeadset) -> Iterator[SimulatedHeadset]:
    headset = SimulatedHeadset(device.url, device.authority)
    yield headset
    headset.close()


@pytest.fixture
def viewer(device: WebXrHeadset) -> Iterator[SimulatedHeadset]:
    viewer = SimulatedHeadset(device.url, device.authority, role="viewer")
    yield viewer
    viewer.close()


def until(true: Callable[[], object]) -> None:
    end = clock.now() + LONG
    while not true():
        assert clock.now() < end, "it never came"
        clock.sleep(0.005)


def picture(red: int, *, stereo: bool = False, age: float = 0.0) -> RobotFeedback:
    image = np.full((48, 64 * (1 + stereo), 3), (red, 20, 20), dtype=np.uint8)
    return RobotFeedback(stamp=clock.now() - age, image=image, stereo=stereo, fovy=1.0)


def asked(device: WebXrHeadset) -> list[Request]:
    found: list[Request] = []

    def some() -> bool:
        sample = device.read()
        found.extend(() if sample is None else sample.requests)
        return bool(found)

    until(some)
    return found


def test_a_picture_arrives_with_its_time_and_its_eyes(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    until(lambda: (device.show(picture(200, stereo=True)), headset.pictures)[1])

    def timed() -> bool:
        device.show(picture(200, stereo=True, age=0.25))
        return headset.pictures[-1].captured > 0.0

    until(timed)
    sent = headset.pictures[-1]
    assert sent.stereo
    assert sent.fovy == pytest.approx(1.0)
    image = decode_jpeg(sent.jpeg)
    assert image.shape == (48, 128, 3)
    assert np.abs(image.mean(axis=(0, 1)) - [200, 20, 20]).max() < 12
    assert sent.captured <= clock.now() - 0.2  # both ends have one clock here
    until(lambda: device.picture_times().get("count", 0.0) >= 1.0)
    assert device.picture_times()["whole p50"] >= 0.0


def test_what_is_not_drawn_is_not_sent_again_and_again(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    headset.draws = False
    begin = clock.now()
    for k in range(40):
        device.show(picture(k))
        clock.sleep(0.01)
    if clock.now() - begin < 0.9:  # else the first ones were forgiven meanwhile
        assert len(headset.pictures) <= 2
    headset.draws = True
    last = headset.pictures[-1].number if headset.pictures else 0
    until(
        lambda: (
            device.show(picture(1)),
            headset.pictures and headset.pictures[-1].number > last,
        )[1]
    )


def test_state_and_faults_are_told_and_felt(
    device: WebXrHeadset, headset: SimulatedHeadset, viewer: SimulatedHeadset
) -> None:
    device.tell(SessionNews(state="holding", events=("[holding] stale",), fault=True))
    until(lambda: any(m.get("state") == "holding" for m in viewer.messages))
    until(lambda: sum("pulse" in m for m in headset.messages) >= 2)
    told = next(m for m in headset.messages if m.get("state") == "holding")
    assert told["fault"] is True
    assert told["events"] == ["[holding] stale"]
    late = SimulatedHeadset(device.url, device.authority, role="viewer")
    try:
        clock.sleep(0.05)
    finally:
        late.close()  # nobody minds one who comes and goes


def test_a_touch_is_felt_in_its_hand_as_strong_as_it_is(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    forces = np.array([0.5, 21.0])
    device.show(RobotFeedback(stamp=clock.now(), hand_forces=forces))
    until(lambda: headset.messages and "pulse" in headset.messages[-1])
    pulses = [m for m in headset.messages if "pulse" in m]
    assert {pulse["pulse"] for pulse in pulses} == {"right"}
    assert pulses[0]["strength"] == pytest.approx(0.5)


def test_pulses_grow_with_the_force_and_leave_gaps_to_none() -> None:
    pulses, strengths = ContactPulses(), []
    for k, force in enumerate([0.0, 2.0, 5.0, 20.0, 100.0]):
        made = pulses.of_forces(np.array([force, np.nan]), 0.1 * k)
        strengths.append(sum(pulse.strength for pulse in made))
    assert strengths[:2] == [0.0, 0.0]
    assert 0.0 < strengths[2] < strengths[3] < strengths[4] == 1.0
    again = [pulses.of_forces(np.array([9.0, 0.0]), 9.0 + 0.01 * k) for k in range(100)]
    assert 15 <= sum(map(len, again)) <= 20


def test_who_looks_on_can_stop_and_hold_and_nothing_else(
    device: WebXrHeadset, headset: SimulatedHeadset, viewer: SimulatedHeadset
) -> None:
    viewer.tell("stop")
    assert asked(device) == [Request.STOP]
    viewer.tell("hold")
    assert asked(device) == [Request.HOLD]
    viewer.tell("engage")
    viewer.tell("recentred")
    viewer.send_raw(b"\1\1")
    words: list[tuple[str, int]] = []

    def counted() -> bool:
        sample: DeviceSample | None = device.read()
        if sample is not None:
            assert sample.requests == ()
            words.extend(sample.dropped)
        return sum(count for word, count in words if word == "malformed") >= 3

    until(counted)
    viewer.close()
    clock.sleep(0.2)
    sample = device.read()
    assert sample is None or sample.requests == ()  # it is no headset that is lost


@pytest.mark.parametrize(
    "message",
    [
        '{"pong": "x"}',
        '{"pong": NaN, "now": 1}',
        '{"pong": 1, "now": 1e999}',
        '{"shown": "1", "got": 0, "decoded": 0, "drawn": 0}',
        '{"shown": 1, "got": null, "decoded": [], "drawn": {}}',
        '{"shown": 1}',
        "[1]",
        "7",
    ],
)
def test_answers_that_are_none_are_counted(
    message: str, device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    headset.send_raw(message)

    def counted() -> bool:
        sample = device.read()
        return sample is not None and "malformed" in dict(sample.dropped)

    until(counted)


def test_broken_pictures_are_refused() -> None:
    rng, refused = random.Random(1), 0
    for _ in range(2000):
        data = rng.randbytes(rng.randrange(60))
        try:
            assert pack_picture(unpack_picture(data))[20:] == data[20:]
        except BadFrame:
            refused += 1
    assert refused > 1900
    for _ in range(200):
        with pytest.raises(BadFrame):
            decode_jpeg(rng.randbytes(rng.randrange(200)))
