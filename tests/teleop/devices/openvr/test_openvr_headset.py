"""SteamVR, played by the shipped simulation with the library's own structures."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, DeviceLost, MissingDependency
from telexist.retarget.so3 import rotation_x, rotation_y, rotation_z
from telexist.robots.base.interface import HandCommand, RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.openvr.headset import OpenVrHeadset
from telexist.teleop.devices.openvr.simulated_steamvr import (
    BASE,
    HEAD,
    LEFT,
    RIGHT,
    SimulatedOverlay,
    SimulatedSteamVr,
)
from telexist.teleop.devices.walk.walk_shaping import WalkLimits
from telexist.teleop.terms.device_sample import DeviceSample, Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand

openvr = pytest.importorskip("openvr")

PATIENCE = 60.0  # [s] after which a headset that says nothing has failed
WAIST, FOOT = 3, 4


class FakeSteamVr(SimulatedSteamVr):
    """The shipped simulation, strict about how it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.types = {WAIST: "vive_tracker_waist", FOOT: "vive_tracker"}

    def init(self, kind: int) -> None:
        assert kind == openvr.VRApplication_Overlay
        super().init(kind)

    def getDeviceToAbsoluteTrackingPose(  # noqa: N802
        self, origin: int, seconds: float, poses: Any
    ) -> Any:
        assert origin == openvr.TrackingUniverseStanding
        return super().getDeviceToAbsoluteTrackingPose(origin, seconds, poses)

    def VROverlay(self) -> FakeOverlay:  # noqa: N802
        return FakeOverlay(self)


class FakeOverlay(SimulatedOverlay):
    def setOverlayTransformTrackedDeviceRelative(  # noqa: N802
        self, handle: int, device: int, place: Any
    ) -> None:
        assert isinstance(place, openvr.HmdMatrix34_t)
        assert device == openvr.k_unTrackedDeviceIndex_Hmd
        assert place.m[2][3] == -1.5 and place.m[0][0] == 1.0


@pytest.fixture
def steam() -> FakeSteamVr:
    return FakeSteamVr()


@pytest.fixture
def headset(steam: FakeSteamVr) -> Iterator[OpenVrHeadset]:
    device = OpenVrHeadset(library=steam)
    device.open(lambda: None)
    yield device
    device.close()


def until(
    device: OpenVrHeadset, wanted: Callable[[DeviceSample], bool]
) -> DeviceSample:
    end = clock.now() + PATIENCE
    while clock.now() < end:
        sample = device.read()
        if sample is not None and wanted(sample):
            return sample
        clock.sleep(0.002)
    raise AssertionError(f"no such sample in {PATIENCE:g} s")


def has_human(sample: DeviceSample) -> bool:
    return sample.human is not None


def test_head_and_hands_in_our_axes(steam: FakeSteamVr) -> None:
    looks = rotation_z(0.4) @ rotation_y(-0.3) @ rotation_x(0.1)
    steam.place(HEAD, (0.5, -0.2, 1.6), looks)
    pose = steam.poses[HEAD]
    pose.vVelocity.v[2] = -1.0  # theirs: z is back
    pose.vAngularVelocity.v[1] = 0.7  # theirs: y is up
    device = OpenVrHeadset(library=steam)
    assert device.provides == {Provides.HUMAN, Provides.HANDS, Provides.REQUESTS}
    device.open(lambda: None)
    sample = until(device, has_human)
    device.close()
    frame = sample.human
    assert frame is not None and frame.positions is not None
    assert frame.segments == ("Head", "LeftHand", "RightHand")
    assert frame.stamp == sample.stamp
    np.testing.assert_allclose(frame.rotations[0], looks, atol=1e-6)
    np.testing.assert_allclose(frame.positions[0], (0.5, -0.2, 1.6), atol=1e-6)
    np.testing.assert_allclose(frame.positions[1], (0.0, 0.3, 0.8), atol=1e-6)
    np.testing.assert_allclose(frame.angular_velocities[0], (0, 0, 0.7), atol=1e-6)
    assert frame.linear_velocities is not None
    np.testing.assert_allclose(frame.linear_velocities[0], (1.0, 0, 0), atol=1e-6)


@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_trackers_by_role_by_place_and_by_word(
    steam: FakeSteamVr, heading: float
) -> None:
    R = rotation_z(heading)

    def at(index: int, x: float, y: float, z: float) -> None:
        steam.place(index, tuple(R @ (x, y, z)), R)

    at(HEAD, 0, 0, 1.7)
    at(WAIST, 0, 0.0, 0.3)  # its role says waist, wherever it hangs
    at(FOOT, 0, 0.12, 0.1)
    at(BASE, 3.0, 2.0, 2.0)
    at(7, 0.0, -0.12, 0.5)
    at(8, 0.1, 0.02, 1.3)
    at(9, 0.0, -0.13, 0.08)
    at(10, 4.0, 0.0, 1.0)  # lies on the table
    device = OpenVrHeadset(library=steam, roles={"LHR-9": "RightToe"})
    device.open(lambda: None)
    frame = until(device, has_human).human
    device.close()
    assert frame is not None
    assert set(frame.segments) == {
        "Head",
        "LeftHand",
        "RightHand",
        "Pelvis",
        "LeftFoot",
        "RightLowerLeg",
        "T8",
        "RightToe",
    }


def test_a_simulated_headset_shows_a_person_who_stands_first() -> None:
    device = make_device("openvr:simulated")
    assert "simulated" in device.name
    device.open(lambda: None)
    frame = until(device, has_human).human  # type: ignore[arg-type]
    later = until(  # type: ignore[arg-type]
        device, lambda s: s.human is not None and s.human.stamp > frame.stamp + 0.1
    ).human
    device.close()
    assert frame is not None and frame.positions is not None
    assert set(frame.segments) == {
        *("Head", "LeftHand", "RightHand", "Pelvis", "LeftFoot", "RightFoot")
    }
    places = dict(zip(frame.segments, frame.positions, strict=True))
    assert 1.4 < places["Head"][2] < 1.9 and places["LeftHand"][1] > 0.1
    assert places["RightHand"][1] < -0.1 and places["LeftFoot"][2] < 0.2
    assert later is not None and later.positions is not None
    assert 0.0 < np.abs(later.positions - frame.positions).max() < 0.02


def test_untracked_device_means_no_person(
    steam: FakeSteamVr, headset: OpenVrHeadset, caplog: pytest.LogCaptureFixture
) -> None:
    until(headset, has_human)
    steam.poses[LEFT].bPoseIsValid = 0
    lost = until(headset, lambda s: s.human is None)
    assert dict(lost.dropped)["untracked"] >= 1
    assert "not tracked: LHR-1" in caplog.text
    steam.poses[LEFT].bPoseIsValid = 1
    until(headset, has_human)
    steam.poses[LEFT].bDeviceIsConnected = 0  # switched off: the rest goes on
    frame = until(
        headset, lambda s: s.human is not None and len(s.human.segments) == 2
    ).human
    assert frame is not None and frame.segments == ("Head", "RightHand")


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e9])
def test_absurd_poses_do_not_get_through(
    steam: FakeSteamVr, headset: OpenVrHeadset, value: float
) -> None:
    until(headset, has_human)
    steam.poses[RIGHT].mDeviceToAbsoluteTracking.m[1][3] = value
    assert dict(until(headset, lambda s: s.human is None).dropped)["malformed"] >= 1


def test_buttons_ask_once_and_grips_close_the_hands(steam: FakeSteamVr) -> None:
    steam.press(RIGHT, openvr.k_EButton_ApplicationMenu)  # held from the beginning
    device = OpenVrHeadset(library=steam)
    device.open(lambda: None)
    first = until(device, has_human)
    assert first.requests == () and first.hands == HandCommand()
    requests: list[Request] = []

    def collect(sample: DeviceSample) -> bool:
        requests.extend(sample.requests)
        return Request.STOP in requests and sample.hands == HandCommand(
            left=0.5, right=1.0
        )

    steam.press(RIGHT)
    released = clock.now()
    until(device, lambda s: s.stamp > released)  # it has looked meanwhile
    steam.states[LEFT].rAxis[2].x = 0.5
    steam.press(RIGHT, openvr.k_EButton_ApplicationMenu, openvr.k_EButton_Grip)
    until(device, lambda s: not collect(s) and Request.ENGAGE in requests)
    steam.press(LEFT, openvr.k_EButton_Axis0)
    until(device, collect)
    device.close()
    assert requests == [Request.ENGAGE, Request.STOP]


def test_sticks_walk_if_asked_for(steam: FakeSteamVr, headset: OpenVrHeadset) -> None:
    assert until(headset, has_human).walk is None
    fast = WalkLimits(acceleration=10.0, turn_acceleration=10.0)
    device = OpenVrHeadset(library=steam, walk=fast)
    assert Provides.WALK in device.provides
    device.open(lambda: None)
    steam.states[LEFT].rAxis[0].x = 0.1  # a thumb that rests on the stick
    steam.states[LEFT].rAxis[0].y = 1.0
    steam.states[RIGHT].rAxis[0].x = 1.0  # to the right
    until(device, lambda s: s.walk == WalkCommand(vx=0.4, wz=-0.6))
    steam.poses[LEFT].bDeviceIsConnected = 0
    until(device, lambda s: s.walk == WalkCommand())
    device.close()


def test_camera_picture_hangs_in_front_of_the_eyes(
    steam: FakeSteamVr, headset: OpenVrHeadset
) -> None:
    image = np.zeros((90, 2600, 3), dtype=np.uint8)
    image[..., 0] = 200
    headset.show(RobotFeedback(stamp=0.0, image=image))
    headset.show(RobotFeedback(stamp=0.0))
    end = clock.now() + PATIENCE
    while not steam.shown and clock.now() < end:
        clock.sleep(0.002)
    width, height, depth, data = steam.shown[0]
    assert (width, height, depth) == (867, 30, 4)
    assert data[:4] == bytes((200, 0, 0, 255)) and len(data) == width * height * 4
    assert steam.overlay_calls[:2] == ["createOverlay", "setOverlayWidthInMeters"]
    headset.close()
    assert steam.overlay_calls[-1] == "destroyOverlay"


def test_pictures_come_at_most_fifteen_times_a_second(
    steam: FakeSteamVr, headset: OpenVrHeadset
) -> None:
    begin = clock.now()
    end = begin + PATIENCE
    while clock.now() < begin + 0.4 or (not steam.shown and clock.now() < end):
        headset.show(RobotFeedback(stamp=0.0, image=np.zeros((4, 4, 3), np.uint8)))
        clock.sleep(0.001)
    headset.close()
    assert 1 <= len(steam.shown) <= 15.0 * (clock.now() - begin) + 1


@pytest.mark.parametrize("way", ["quit", "error"])
def test_closed_steamvr_is_a_released_switch(
    steam: FakeSteamVr,
    headset: OpenVrHeadset,
    caplog: pytest.LogCaptureFixture,
    way: str,
) -> None:
    until(headset, has_human)
    if way == "quit":
        steam.quit = True
    else:
        steam.trouble = openvr.OpenVRError("gone")
    gone = until(headset, lambda s: s.dead_man is False)
    assert dict(gone.dropped)["unplugged"] == 1
    assert "headset: lost" in caplog.text
    headset.close()
    headset.close()
    assert steam.shut == 1


def test_what_is_missing_is_one_clear_line(steam: FakeSteamVr) -> None:
    steam.trouble = openvr.OpenVRError("busy")
    with pytest.raises(DeviceLost, match="headset: busy: start SteamVR"):
        OpenVrHeadset(library=steam).open(lambda: None)
    steam.present = False
    with pytest.raises(DeviceLost, match="none found: plug it in"):
        OpenVrHeadset(library=steam).open(lambda: None)
    steam.installed = False
    with pytest.raises(DeviceLost, match="SteamVR is not installed"):
        OpenVrHeadset(library=steam).open(lambda: None)


def test_the_real_library_without_steamvr_is_one_clear_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    if openvr.isRuntimeInstalled():
        pytest.skip("SteamVR is here")
    capfd.readouterr()
    with pytest.raises(DeviceLost, match="SteamVR is not installed"):
        OpenVrHeadset().open(lambda: None)
    assert capfd.readouterr().err == ""


def test_absent_library_names_its_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "openvr", None)
    with pytest.raises(MissingDependency, match="pip install openvr"):
        OpenVrHeadset().open(lambda: None)


def test_wrong_roles_and_buttons_are_refused() -> None:
    with pytest.raises(BadInput, match="no segment called 'LeftFeet'"):
        OpenVrHeadset(roles={"LHR-1": "LeftFeet"})
    with pytest.raises(BadInput, match="no button of a controller called"):
        OpenVrHeadset(buttons={"left menue": Request.STOP})
    with pytest.raises(BadInput, match="no button stops"):
        OpenVrHeadset(buttons={"left menu": Request.HOLD})
