"""The joypad, with a real pygame joystick on SDL's virtual device."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from telexist.retarget.errors import BadConfig, BadInput, DeviceLost, MissingDependency
from telexist.teleop import clock
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.joypad import simulated_joypad
from telexist.teleop.devices.joypad.joypad import Joypad
from telexist.teleop.devices.joypad.pad import import_pygame
from telexist.teleop.devices.joypad.settings import JoypadSettings, load_joypad
from telexist.teleop.devices.joypad.simulated_joypad import deflections
from telexist.teleop.devices.joypad.virtual_joypad import FLIGHT_STICK, VirtualJoypad
from telexist.teleop.devices.walk.walk_shaping import WalkLimits, WalkRamp, dead_zone
from telexist.teleop.terms.device_sample import DeviceSample, Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand

linux = pytest.mark.skipif(sys.platform != "linux", reason="SDL is found in /proc")
PATIENCE = 60.0  # [s] after which a joypad that says nothing has failed
A, B, LEFT_SHOULDER = 0, 1, 9
FAST = WalkLimits(acceleration=10.0, turn_acceleration=10.0)


@pytest.fixture
def pygame() -> Iterator[Any]:
    pygame = import_pygame()
    controllers = importlib.import_module("pygame._sdl2.controller")
    pygame.display.init()
    pygame.joystick.init()
    controllers.init()
    yield pygame
    controllers.quit()
    pygame.joystick.quit()
    pygame.display.quit()


@pytest.fixture
def virtual(pygame: Any) -> VirtualJoypad:
    return VirtualJoypad()


class Session:
    """An open joypad and everything that it has said."""

    def __init__(self, joypad: Device) -> None:
        self.joypad = joypad
        self.woken = 0
        self.requests: list[Request] = []
        self.dropped: dict[str, int] = {}
        self.joypad.open(self._wake)

    def _wake(self) -> None:
        self.woken += 1

    def until(self, wanted: Callable[[DeviceSample], bool]) -> DeviceSample:
        """Read until a sample is as wanted."""
        end = clock.now() + PATIENCE
        while clock.now() < end:
            sample = self.joypad.read()
            if sample is not None:
                self.requests += sample.requests
                self.dropped |= dict(sample.dropped)
                if wanted(sample):
                    return sample
            clock.sleep(0.002)
        raise AssertionError(f"no such sample in {PATIENCE:g} s")


@pytest.fixture
def start() -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def begin(**settings: Any) -> Session:
        sessions.append(Session(Joypad(JoypadSettings(**settings))))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.joypad.close()


def walks(sample: DeviceSample) -> bool:
    return sample.walk is not None and abs(sample.walk.vx) > 0.0


@linux
def test_sticks_walk_and_triggers_close_the_hands(
    virtual: VirtualJoypad, start: Callable[..., Session]
) -> None:
    session = start(walk=FAST)
    first = session.until(lambda s: s.hands is not None)
    assert first.walk == WalkCommand() and first.dead_man is True
    assert first.hands is not None and first.hands.left == first.hands.right == 0.0
    virtual.axis(1, -1.0)  # left stick ahead
    virtual.axis(0, 0.04)  # inside the dead zone
    virtual.axis(2, 0.525)  # right stick to the right, by half beyond the dead zone
    virtual.axis(4, 1.0)
    virtual.axis(5, 0.0)
    full = session.until(
        lambda s: (
            walks(s)
            and s.walk.vx > 0.399  # type: ignore[union-attr]
            and s.walk.wz < -0.299  # type: ignore[union-attr]
            and s.hands.left > 0.99  # type: ignore[union-attr]
            and s.hands.right > 0.49  # type: ignore[union-attr]
        )
    )
    assert full.walk is not None and full.hands is not None
    assert full.walk.vx == pytest.approx(0.4)
    assert full.walk.vy == 0.0
    assert full.walk.wz == pytest.approx(-0.3, abs=1e-3)
    assert full.hands.left == pytest.approx(1.0)
    assert full.hands.right == pytest.approx(0.5, abs=1e-3)


@linux
def test_speed_grows_no_faster_than_allowed(
    virtual: VirtualJoypad, start: Callable[..., Session]
) -> None:
    session = start(walk=WalkLimits(forward=1.0, acceleration=4.0))
    virtual.axis(1, -1.0)
    samples = [session.until(walks)]
    while samples[-1].walk.vx < 0.999:  # type: ignore[union-attr]
        samples.append(session.until(walks))
    for before, after in zip(samples, samples[1:], strict=False):
        change = after.walk.vx - before.walk.vx  # type: ignore[union-attr]
        assert change <= 4.0 * (after.stamp - before.stamp) + 1e-9


@linux
def test_buttons_ask_once_each_and_wake_the_loop(
    virtual: VirtualJoypad, start: Callable[..., Session]
) -> None:
    session = start()
    session.until(lambda s: s.dead_man is True)
    woken = session.woken
    virtual.press(A)
    session.until(lambda s: bool(s.requests))
    clock.sleep(0.1)  # held for long: still one request
    virtual.release(A)
    virtual.press(B)
    session.until(lambda s: Request.STOP in s.requests)
    assert session.requests == [Request.ENGAGE, Request.STOP]
    assert session.woken == woken + 2  # nothing else needs the loop at once


@linux
def test_unplugged_is_a_released_switch_and_not_a_centred_stick(
    virtual: VirtualJoypad,
    pygame: Any,
    start: Callable[..., Session],
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = start(walk=FAST)
    virtual.axis(1, -1.0)
    session.until(walks)
    woken = session.woken
    virtual.unplug()
    sample = session.until(lambda s: s.dead_man is False)
    assert sample.walk == WalkCommand()
    assert session.dropped == {"unplugged": 1}
    assert session.woken > woken
    assert "was unplugged" in caplog.text
    gone = session.until(lambda s: s.walk is not None and s.hands is None)
    assert gone.dead_man is False and gone.walk == WalkCommand()
    assert session.requests == []

    again = VirtualJoypad()
    back = session.until(lambda s: s.dead_man is True)
    assert back.walk == WalkCommand()
    again.press(B)
    session.until(lambda s: Request.STOP in s.requests)


@linux
def test_dead_man_button_must_be_held(
    virtual: VirtualJoypad, start: Callable[..., Session]
) -> None:
    session = start(dead_man="left_shoulder", walk=FAST)
    virtual.axis(1, -1.0)
    assert session.until(lambda s: s.dead_man is False).walk == WalkCommand()
    virtual.press(LEFT_SHOULDER)
    session.until(lambda s: s.dead_man is True and walks(s))
    virtual.release(LEFT_SHOULDER)
    session.until(lambda s: s.dead_man is False)
    assert session.until(lambda s: True).walk == WalkCommand()


@linux
def test_axes_and_buttons_by_number(
    virtual: VirtualJoypad, start: Callable[..., Session]
) -> None:
    session = start(
        forward="axis 3",
        left_hand="axis 1",
        buttons={"button 12": "stop", "button 3": "reset"},
        walk=FAST,
    )
    session.until(lambda s: s.hands is not None)
    virtual.axis(3, -1.0)
    virtual.axis(1, 1.0)
    virtual.press(12)
    sample = session.until(
        lambda s: walks(s) and s.hands.left > 0.9 and bool(session.requests)  # type: ignore[union-attr]
    )
    assert sample.walk is not None and sample.walk.vx < 0.0
    assert session.requests == [Request.STOP]


@linux
def test_a_joypad_that_nobody_knows_gets_the_usual_numbers(
    pygame: Any, start: Callable[..., Session]
) -> None:
    strange = VirtualJoypad(FLIGHT_STICK)
    session = start(walk=FAST, dead_man="left_shoulder")
    first = session.until(lambda s: s.hands is not None)
    assert first.hands is not None and first.hands.left == 0.0  # not half closed
    strange.press(4)  # left shoulder
    strange.axis(1, -1.0)
    strange.axis(2, 1.0)  # left trigger
    session.until(lambda s: walks(s) and s.hands.left > 0.99)  # type: ignore[union-attr]
    strange.press(1)
    session.until(lambda s: bool(s.requests))
    assert session.requests == [Request.STOP]
    strange.unplug()
    session.until(lambda s: s.dead_man is False)
    assert session.dropped == {"unplugged": 1}


@linux
def test_a_simulated_joypad_walks_by_itself_and_presses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulated_joypad, "deflections", lambda t: deflections(t + 11))
    joypad = make_device("joypad:simulated")
    assert "simulated" in joypad.name
    for _ in range(2):  # it may be opened again
        session = Session(joypad)
        try:
            sample = session.until(
                lambda s: walks(s) and s.walk.wz > 0.1 and s.hands.left > 0.99  # type: ignore[union-attr]
            )
        finally:
            joypad.close()
        assert sample.dead_man is True and session.requests == []


def test_the_simulated_routine_rests_walks_turns_and_grips() -> None:
    values = [deflections(0.1 * k) for k in range(400)]
    assert values[:200] == values[200:]
    for axis, found in ((1, {-0.5, 0.0}), (0, {0.0, 0.5}), (4, {-1.0, 1.0})):
        assert {value[axis] for value in values} == found


@linux
def test_none_plugged_in_is_one_clear_line(pygame: Any) -> None:
    joypad = Joypad()
    with pytest.raises(DeviceLost, match="joypad 0: none is plugged in: plug one in"):
        joypad.open(lambda: None)
    assert joypad.read() is None
    joypad.close()


def test_absent_pygame_names_its_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(MissingDependency, match="pip install pygame-ce"):
        Joypad().open(lambda: None)


def test_says_what_it_provides_before_it_is_opened() -> None:
    assert Joypad().provides == {Provides.WALK, Provides.HANDS, Provides.REQUESTS}


def test_dead_zone_is_continuous_and_saturates() -> None:
    assert dead_zone(0.05, 0.05) == 0.0
    assert dead_zone(0.051, 0.05) == pytest.approx(0.001 / 0.95)
    assert dead_zone(-0.525, 0.05) == pytest.approx(-0.5)
    assert dead_zone(2.0, 0.05) == 1.0
    assert dead_zone(0.5, 0.05, 0.5) == 1.0
    assert dead_zone(float("nan"), 0.05) == 0.0


def test_ramp_ignores_what_is_no_number() -> None:
    ramp = WalkRamp(WalkLimits())
    walk = ramp.step(float("nan"), float("inf"), -7.0, 10.0)
    assert walk == WalkCommand(vx=0.0, vy=0.0, wz=-0.6)


def test_settings_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "pad.toml"
    path.write_text(
        'dead_man = "left_shoulder"\n[buttons]\n"button 9" = "stop"\n'
        "[walk]\nforward = 0.3\n"
    )
    settings = load_joypad(path)
    assert settings.dead_man == "left_shoulder"
    assert settings.request("button 9") is Request.STOP
    assert settings.request("a") is None
    assert settings.walk.forward == 0.3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('forward = "left_z"', "no joypad axis called 'left_z'"),
        ('dead_man = "button 99"', "no joypad button called"),
        ('[buttons]\na = "stopp"', "did you mean 'stop'"),
        ('[buttons]\na = "engage"', "no button stops"),
        ("dead_zone = 1.0", "dead_zone < full_scale"),
        ("[walk]\nforward = 100.0", "choose 0 to 10"),
        ("sticks = 1", "unknown key"),
    ],
)
def test_wrong_settings_name_file_and_key(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "pad.toml"
    path.write_text(text)
    with pytest.raises(BadConfig, match=message) as caught:
        load_joypad(path)
    assert "pad.toml" in str(caught.value)


def test_settings_are_checked_in_code_too() -> None:
    with pytest.raises(BadInput, match="no button stops"):
        JoypadSettings(buttons={})
