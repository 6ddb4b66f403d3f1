"""A headset's page over real sockets: who gets in, what arrives, and what holds."""

from __future__ import annotations

import random
import ssl
import threading
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadFrame, BadInput, DeviceLost
from telexist.retarget.hands import standard_hand
from telexist.retarget.so3 import rotation_z
from telexist.teleop import clock
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.webxr.headset import WebXrHeadset
from telexist.teleop.devices.webxr.simulated_headset import SimulatedHeadset
from telexist.teleop.devices.webxr.wire import Held, XrFrame, pack_frame, unpack_frame
from telexist.teleop.terms import DeviceSample, Request
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

LONG = 60.0  # [s] to wait for what must come


def pose(x: float, y: float, z: float) -> np.ndarray:
    return np.array([x, y, z, 0.0, 0.0, 0.0, 1.0])


def frame(sequence: int = 1, *, bare: bool = False) -> XrFrame:
    held = {}
    for side, x in (("left", -0.2), ("right", 0.2)):
        joints = standard_hand(np.zeros((5, 4)), side) if bare else None
        held[side] = Held(pose=pose(x, 0.8, 0.0), joints=joints)
    return XrFrame(
        sequence=sequence,
        time=sequence / 60.0,
        now=sequence / 60.0,
        visible=True,
        head=pose(0.0, 1.68, -0.1),
        held=held,
    )


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


def wait_for(
    device: WebXrHeadset, wanted: Callable[[DeviceSample], bool]
) -> DeviceSample:
    end = clock.now() + LONG
    while clock.now() < end:
        sample = device.read()
        if sample is not None and wanted(sample):
            return sample
        clock.sleep(0.005)
    raise AssertionError("it never came")


def trusting(device: WebXrHeadset) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=device.authority.decode())


@pytest.mark.parametrize("bare", [False, True])
def test_a_frame_arrives_as_it_was_sent(bare: bool) -> None:
    sent = frame(bare=bare)
    got = unpack_frame(pack_frame(sent))
    np.testing.assert_allclose(got.head, sent.head, atol=1e-6)
    for side in ("left", "right"):
        np.testing.assert_allclose(got.held[side].pose, sent.held[side].pose, atol=1e-6)
        if bare:
            there = sent.held[side].joints
            np.testing.assert_allclose(got.held[side].joints, there, atol=1e-6)


def test_broken_frames_are_refused_and_crash_nothing() -> None:
    rng, good = random.Random(0), pack_frame(frame(bare=True))
    accepted = 0
    for k in range(20_000):
        if k % 2:
            data = rng.randbytes(rng.randrange(1000))
        else:
            spoilt = bytearray(good)
            for _ in range(rng.randrange(1, 6)):
                spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
            data = bytes(spoilt[: rng.choice([len(spoilt), rng.randrange(len(good))])])
        try:
            got = unpack_frame(data)
        except BadFrame:
            continue
        accepted += 1
        assert got.head is None or np.isfinite(got.head).all()
        assert all(np.isfinite(held.buttons).all() for held in got.held.values())
    assert accepted < 6000  # a changed digit of a place is a place


def test_head_and_hands_arrive_in_our_axes(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    turned = frame()  # the head looks to the left: about y, which is up there
    R = rotation_z(0.5)
    turned = replace(
        turned, head=np.array([0.0, 1.68, -0.1, 0.0, np.sin(0.25), 0.0, np.cos(0.25)])
    )
    headset.send(turned)
    human = wait_for(device, lambda sample: sample.human is not None).human
    assert human is not None
    assert human.segments == ("Head", "LeftHand", "RightHand")
    np.testing.assert_allclose(human.rotations[0], R, atol=1e-6)
    expected = [[0.1, 0.0, 1.68], [0.0, 0.2, 0.8], [0.0, -0.2, 0.8]]
    np.testing.assert_allclose(human.positions, expected, atol=1e-6)


def test_buttons_ask_once_and_triggers_close_the_hand(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    for k, down in enumerate((0, 1 << 4, 1 << 4)):
        one = frame(k + 1)
        buttons = np.array([0.75, *np.zeros(7)])
        right = replace(one.held["right"], pressed=down, buttons=buttons)
        headset.send(replace(one, held={**one.held, "right": right}))
    requests: list[Request] = []

    def last(sample: DeviceSample) -> bool:
        requests.extend(sample.requests)
        return sample.sequence == 3

    sample = wait_for(device, last)
    assert requests == [Request.ENGAGE]
    assert sample.hands is not None
    assert sample.hands.right == pytest.approx(0.75)
    assert sample.hands.left == 0.0


def test_a_button_held_while_the_page_was_away_does_not_engage(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    away = {"visible": [1, 0, 1, 1], "there": [1, 1, 0, 1], "down": [1, 0, 0, 1]}
    for k in range(4):
        one = frame(k + 1)
        right = replace(
            one.held["right"],
            pressed=away["down"][k] << 4,
            there=bool(away["there"][k]),
        )
        one = replace(one, visible=bool(away["visible"][k]))
        headset.send(replace(one, held={**one.held, "right": right}))
    requests: list[Request] = []

    def last(sample: DeviceSample) -> bool:
        requests.extend(sample.requests)
        return sample.sequence == 4

    wait_for(device, last)
    assert requests == []


@pytest.mark.parametrize("event", ["blurred", "hidden", "recentred", "ended", "closed"])
def test_what_ends_or_shifts_the_session_holds_the_robot(
    event: str, device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    headset.send(frame())
    wait_for(device, lambda sample: sample.human is not None)
    if event == "closed":
        headset.close()
    else:
        headset.tell(event)
    held = wait_for(device, lambda sample: bool(sample.requests))
    assert held.requests == (Request.HOLD,)
    assert held.human is None


def test_there_is_no_half_person(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    lost = frame(1)
    headset.send(replace(lost, held={**lost.held, "left": Held()}))
    headset.send(replace(frame(2), visible=False))
    headset.send_raw(pack_frame(frame(3))[:-1])
    headset.send(frame(2))  # older than what came
    seen: list[DeviceSample] = []

    def counted(sample: DeviceSample) -> bool:
        seen.append(sample)
        return "old" in dict(sample.dropped)

    wait_for(device, counted)
    assert all(sample.human is None for sample in seen)
    words = {word for sample in seen for word, _ in sample.dropped}
    assert words == {"malformed", "old", "untracked"}


@pytest.mark.parametrize("origin", [None, "https://evil.example", "null"])
def test_a_foreign_page_gets_no_socket(
    origin: str | None, device: WebXrHeadset
) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        connect(
            f"wss://127.0.0.1:{device.port}/socket",
            ssl=trusting(device),
            origin=origin,  # type: ignore[arg-type]
            proxy=None,
        )


@pytest.mark.parametrize(
    "first", ["{}", '{"token": ""}', '{"token": "x"}', "[", b"\0", None, "[" * 5000]
)
def test_without_the_token_nobody_is_heard(
    first: str | bytes | None, device: WebXrHeadset
) -> None:
    place = f"127.0.0.1:{device.port}"
    with connect(
        f"wss://{place}/socket",
        ssl=trusting(device),
        origin=f"https://{place}",  # type: ignore[arg-type]
        proxy=None,
    ) as stranger:
        if first is not None:
            stranger.send(first)
        with pytest.raises(ConnectionClosed) as closed:
            stranger.recv(timeout=LONG)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
    assert device.read() is None


def test_a_second_headset_and_a_huge_message_are_refused(
    device: WebXrHeadset, headset: SimulatedHeadset
) -> None:
    with pytest.raises(DeviceLost, match="another headset"):
        SimulatedHeadset(device.url, device.authority)
    headset.send(frame())
    wait_for(device, lambda sample: sample.human is not None)
    headset.send_raw(bytes(70_000))
    wait_for(device, lambda sample: Request.HOLD in sample.requests)
    SimulatedHeadset(device.url, device.authority).close()  # there is room again


def test_the_page_is_verified_by_our_authority_alone(device: WebXrHeadset) -> None:
    place = f"https://localhost:{device.port}"
    with urllib.request.urlopen(place, context=trusting(device)) as page:
        assert b"Be the robot" in page.read()
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    with urllib.request.urlopen(
        f"{place}/authority.crt", context=trusting(device)
    ) as c:
        assert c.read() == device.authority
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(place, context=ssl.create_default_context())


def test_only_this_machine_unless_asked(device: WebXrHeadset) -> None:
    assert device.url.startswith("https://127.0.0.1:")
    assert device.token not in device.name
    assert device.token in device.manual


@pytest.mark.parametrize("text", ["webxr?walk=fast", "webxr?hands=bare", "webxr:a:b"])
def test_what_it_does_not_understand_it_says(text: str) -> None:
    with pytest.raises(BadInput):
        make_device(text)


def test_the_simulated_headset_plays_a_person_with_bare_hands() -> None:
    device = make_device("webxr:simulated?hands=bare")
    woken = threading.Event()
    device.open(woken.set)
    try:
        assert woken.wait(LONG)
        assert isinstance(device, WebXrHeadset)
        sample = wait_for(device, lambda sample: sample.human is not None)
        assert sample.hands is not None
        assert 0.0 <= sample.hands.left < 0.3
        assert sample.human is not None
        assert sample.human.positions is not None
        assert sample.human.positions[0, 2] > sample.human.positions[1, 2] + 0.3
    finally:
        device.close()
