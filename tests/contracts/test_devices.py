"""Every registered device keeps the protocol's promises, present or absent."""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import DeviceLost, MissingDependency
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.npz.clip_file import save_clip
from telexist.robots.base.interface import RobotFeedback
from telexist.robots.yarp.simulated import SimulatedNameServer
from telexist.teleop import clock
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.table import DEVICES, make_device
from telexist.teleop.devices.joypad.pad import import_pygame
from telexist.teleop.devices.joypad.virtual_joypad import VirtualJoypad
from telexist.teleop.devices.simulators.links.cable_link import CableLink
from telexist.teleop.terms.device_sample import DeviceSample, Provides

Stage = Callable[[Path, ExitStack, pytest.MonkeyPatch], str]
CLIP = builtin_clip(rate=20.0)
FEEDBACK = RobotFeedback(stamp=0.0, image=np.zeros((4, 4, 3), np.uint8))


def with_builtin(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(
        "telexist.retarget.recordings.builtin.clip.builtin_clip", lambda: CLIP
    )
    return "builtin"


def with_clip(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
    save_clip(tmp / "clip.npz", CLIP)
    return f"player:{tmp / 'clip.npz'}"


def with_cable(word: str) -> Stage:
    def stage(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
        link = CableLink()
        stack.callback(link.close)
        return f"{word}:{link.path}"

    return stage


def with_joypad(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
    pygame = import_pygame()
    controllers = importlib.import_module("pygame._sdl2.controller")
    for module in (pygame.display, pygame.joystick, controllers):
        module.init()
        stack.callback(module.quit)
    VirtualJoypad()
    return "joypad"


def with_merged(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
    worn = tmp / "worn.toml"
    worn.write_text(
        '[[sensors]]\nname = "suit"\ndevice = "builtin"\ngives = ["person"]\n'
        '[[sensors]]\nname = "insoles"\ndevice = "forces:simulated"\n'
        'gives = ["left foot", "right foot"]\n'
    )
    return f"merged:{worn}"


def with_terminal(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
    import pty

    hand, other = pty.openpty()
    stack.callback(os.close, hand)
    patch.setattr(sys, "stdin", stack.enter_context(os.fdopen(other, "rb", 0)))
    return "keyboard"


def with_name_server(word: str) -> Stage:
    def stage(tmp: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> str:
        server = SimulatedNameServer()
        server.open()
        stack.callback(server.close)
        return f"{word}:{server.host}:{server.port}"

    return stage


STAGES: dict[str, Stage] = {
    "builtin": with_builtin,
    "cyberith": lambda *_: "cyberith:0",
    "forces": lambda *_: "forces:simulated",
    "isaac": lambda *_: "isaac:0",
    "joypad": with_joypad,
    "kat": with_cable("kat"),
    "keyboard": with_terminal,
    "lsl": lambda *_: "lsl:nobody",
    "merged": with_merged,
    "moticon": lambda *_: "moticon:0",
    "omni": with_cable("omni"),
    "optitrack": lambda *_: "optitrack",
    "pico": lambda *_: "pico:0",
    "player": with_clip,
    "remote": lambda *_: "remote:0",
    "rokoko": lambda *_: "rokoko:0",
    "script": lambda *_: "script",
    "shoes": with_name_server("shoes"),
    "treadmill": with_cable("treadmill:kat"),
    "vmc": lambda *_: "vmc:0",
    "walkgoal": with_name_server("walkgoal"),
    "wearables": with_name_server("wearables"),
    "webxr": lambda *_: "webxr:0",
    "xsens": lambda *_: "xsens:0",
    "yarpjoypad": with_name_server("yarpjoypad"),
}
"""How to have each device here; one without a stage is tested as an absent one."""
LINUX_ONLY = ("joypad", "kat", "omni", "treadmill")


@pytest.fixture(params=sorted(set(STAGES) & set(DEVICES)))
def device(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Device]:
    if sys.platform != "linux" and request.param in (
        "joypad",
        "kat",
        "omni",
        "treadmill",
    ):
        pytest.skip("simulated on Linux only")
    with ExitStack() as stack:
        text = STAGES[request.param](tmp_path, stack, monkeypatch)
        device = make_device(text)
        stack.callback(device.close)
        yield device


def assert_only_what_it_provides(device: Device, sample: DeviceSample) -> None:
    parts = {
        Provides.HUMAN: sample.human,
        Provides.WALK: sample.walk,
        Provides.HANDS: sample.hands,
        Provides.TREADMILL: sample.treadmill,
        Provides.FORCES: sample.forces,
        Provides.REQUESTS: sample.requests or None,
    }
    said = {kind for kind, part in parts.items() if part is not None}
    assert said <= device.provides


def test_says_what_it_is_before_it_is_opened(device: Device) -> None:
    assert device.name and "\n" not in device.name
    assert "\n" not in device.manual
    assert device.provides and device.provides <= set(Provides)
    assert math.isfinite(device.deadline) and device.deadline > 0.0


def test_unopened_it_is_silent_and_may_be_closed(device: Device) -> None:
    assert device.read() is None
    device.show(FEEDBACK)
    device.close()
    device.close()
    assert device.read() is None


def test_may_be_opened_and_closed_twice_and_again(device: Device) -> None:
    for _ in range(2):
        device.open(lambda: None)
        device.open(lambda: None)
        device.show(FEEDBACK)
        device.close()
        device.close()
        assert device.read() is None


def test_read_never_blocks_and_is_fresh(device: Device) -> None:
    begin = clock.now()
    device.open(lambda: None)
    samples: list[DeviceSample] = []

    def read_often() -> None:
        for _ in range(500):
            sample = device.read()
            if sample is not None:
                samples.append(sample)

    reader = threading.Thread(target=read_often, daemon=True)
    reader.start()
    reader.join(120.0)
    assert not reader.is_alive(), "a read has blocked"
    clock.sleep(0.1)
    read_often()
    for sample in samples:
        assert begin <= sample.stamp <= clock.now()
        assert_only_what_it_provides(device, sample)
    human = [sample.human for sample in samples if sample.human is not None]
    assert all(frame.stamp >= begin for frame in human)


def test_leaves_no_thread_behind(device: Device) -> None:
    before = set(threading.enumerate())
    device.open(lambda: None)
    device.close()
    end = clock.now() + 600.0  # one may compile its engine first, on a busy machine
    while not set(threading.enumerate()) <= before and clock.now() < end:
        clock.sleep(0.01)
    assert set(threading.enumerate()) <= before


ABSENT = {
    "joypad": "joypad:60",
    "kat": "kat:/none/hidraw0",
    "keyboard": "keyboard",
    "omni": "omni:/none/ttyUSB0",
    "wearables": "wearables:127.0.0.1:9",
}


NEEDS_FILE = {"session"}
"""Devices that are made of a file: without one there is nothing to be absent."""


@pytest.mark.parametrize(
    "word", sorted((set(DEVICES) - set(STAGES) | set(ABSENT)) - NEEDS_FILE)
)
def test_absent_it_says_so_in_one_line_with_a_remedy(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = make_device(ABSENT.get(word, word))
    with open(os.devnull, "rb") as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        try:
            device.open(lambda: None)
        except (DeviceLost, MissingDependency) as error:
            assert "\n" not in str(error) and str(error).count(":") >= 2
        else:
            pytest.skip("it is here")
    assert device.read() is None
    with contextlib.suppress(DeviceLost):
        device.open(lambda: None)
    device.close()
    device.close()
