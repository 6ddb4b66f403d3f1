"""The page in a real browser, whose headset is emulated: what it reads arrives."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.webxr.headset import WebXrHeadset
from telexist.teleop.terms import DeviceSample, Request, SessionNews

pytestmark = pytest.mark.slow
LONG = 60.0  # [s] to wait for what must come
FLAGS = """--headless=new --no-sandbox --use-gl=angle --use-angle=swiftshader
--enable-unsafe-swiftshader --ignore-certificate-errors --window-size=400,300
--disable-background-timer-throttling"""
EMULATED = """
window.device = new IWER.XRDevice(IWER.metaQuest3);
device.installRuntime({forceInstall: true, polyfillLayers: false});
device.stereoEnabled = true;
Object.defineProperty(XRPose.prototype, "emulatedPosition", {get: () => false});
"""
"""The emulator calls all its controllers' positions guessed."""
WORN = """
device.position.set(0, 1.68, -0.1);
for (const held of [device.controllers, device.hands]) {
  held.left.position.set(-0.2, 0.8, 0);
  held.right.position.set(0.2, 0.8, 0);
}
"""
FEELING = """
window.felt = [];
const pad = device.controllers.right.inputSource.gamepad;
pad.hapticActuators[0].pulse = (strength, ms) => {
  felt.push([strength, ms]);
  return Promise.resolve(true);
};
"""
"""The emulator's motors do not remember what they did."""


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the emulator's source: a file of the user, or fetched by npm."""
    named, npm = os.environ.get("TELEXIST_IWER"), shutil.which("npm")
    if named:
        return Path(named).read_text(encoding="utf-8")
    if npm is None:
        pytest.skip("no npm to fetch iwer with: name its iwer.min.js in TELEXIST_IWER")
    folder = tmp_path_factory.mktemp("npm")
    try:
        subprocess.run(
            [npm, "install", "--fetch-retries=0", "--prefix", folder, "iwer@2.5.0"],
            check=True,
            capture_output=True,
            timeout=LONG,
        )
    except (OSError, subprocess.SubprocessError):
        pytest.skip("npm cannot fetch iwer: name its iwer.min.js in TELEXIST_IWER")
    found = folder / "node_modules" / "iwer" / "build" / "iwer.min.js"
    return found.read_text(encoding="utf-8")


@pytest.fixture
def device() -> Iterator[WebXrHeadset]:
    device = make_device("webxr:0")
    assert isinstance(device, WebXrHeadset)
    device.open(lambda: None)
    yield device
    device.close()


@pytest.fixture
def browser() -> Iterator[Any]:
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("needs Debian's chromium and chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in FLAGS.split():
        options.add_argument(flag)
    service = webdriver.ChromeService(driver)
    browser = webdriver.Chrome(options=options, service=service)
    yield browser
    browser.quit()


def wait_for(
    device: WebXrHeadset, wanted: Callable[[DeviceSample], bool]
) -> DeviceSample:
    end = clock.now() + LONG
    while clock.now() < end:
        sample = device.read()
        if sample is not None and wanted(sample):
            return sample
        clock.sleep(0.002)
    raise AssertionError("it never came")


@pytest.mark.parametrize("held", ["controller", "hand"])
def test_what_the_headset_tracks_arrives_and_what_ends_it_holds(
    held: str, emulator: str, browser: Any, device: WebXrHeadset
) -> None:
    script = f"{emulator};{EMULATED} device.primaryInputMode = '{held}';"
    command = "Page.addScriptToEvaluateOnNewDocument"
    browser.execute_cdp_cmd(command, {"source": script})
    browser.get(device.url)
    button, end = browser.find_element("id", "enter"), clock.now() + LONG
    while not button.is_enabled() and clock.now() < end:
        clock.sleep(0.05)
    button.click()
    wait_for(device, lambda sample: sample.sequence > 0)
    browser.execute_script(WORN)

    def worn(sample: DeviceSample) -> bool:
        human = sample.human
        if human is None or human.positions is None:
            return False
        return bool(np.allclose(human.positions[0], [0.1, 0.0, 1.68], atol=0.01))

    human = wait_for(device, worn).human
    assert human is not None
    assert human.positions is not None
    assert human.segments == ("Head", "LeftHand", "RightHand")
    near = [[0.0, 0.2, 0.8], [0.0, -0.2, 0.8]]
    np.testing.assert_allclose(human.positions[1:], near, atol=0.15)
    if held == "controller":
        press = "device.controllers.right.updateButtonValue"
        browser.execute_script(f"{press}('trigger', 0.8); {press}('a-button', 1);")
        wait_for(device, lambda sample: Request.ENGAGE in sample.requests)
    else:
        browser.execute_script("device.hands.right.updatePinchValue(1)")
    close = 0.79 if held == "controller" else 0.95

    def right(sample: DeviceSample) -> bool:
        return sample.hands is not None and sample.hands.right > close

    wait_for(device, right)
    for change, word in (
        ("device.updateVisibilityState('visible-blurred')", "blurred"),
        ("device.updateVisibilityState('visible'); device.recenter()", "recentred"),
    ):
        browser.execute_script(change)
        sample = wait_for(device, lambda sample: bool(sample.requests))
        assert sample.requests == (Request.HOLD,)
        assert word in dict(sample.dropped)
    browser.get("about:blank")
    sample = wait_for(device, lambda sample: bool(sample.requests))
    assert set(sample.requests) == {Request.HOLD}


def halves(browser: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean colours in the middles of both eyes, of what is drawn."""
    with Image.open(io.BytesIO(browser.get_screenshot_as_png())) as picture:
        image = np.array(picture.convert("RGB")).astype(float)
    height, width = image.shape[:2]
    rows = slice(2 * height // 5, 3 * height // 5)
    columns = [slice(k * width // 8, (k + 2) * width // 8) for k in (1, 5)]
    left, right = (image[rows, c].mean(axis=(0, 1)) for c in columns)
    return left, right


def shown_until(
    device: WebXrHeadset, browser: Any, true: Callable[[Any], object], stamp: Any = None
) -> None:
    """Show pictures, red to the left eye and blue to the right, until it is true."""
    image = np.zeros((120, 320, 3), dtype=np.uint8)
    image[:, :160, 0] = image[:, 160:, 2] = 255
    end = clock.now() + LONG
    while not true(browser):
        assert clock.now() < end, "it never came"
        taken = clock.now() if stamp is None else stamp
        device.show(
            RobotFeedback(stamp=taken, image=image, stereo=True, fovy=np.radians(70.0))
        )
        device.read()
        clock.sleep(0.033)


def test_each_eye_sees_its_picture_and_an_old_one_is_grey(
    emulator: str, browser: Any, device: WebXrHeadset
) -> None:
    script = f"{emulator};{EMULATED}"
    command = "Page.addScriptToEvaluateOnNewDocument"
    browser.execute_cdp_cmd(command, {"source": script})
    browser.get(device.url)
    flat = "return !document.getElementById('picture').hidden"
    shown_until(device, browser, lambda b: b.execute_script(flat))  # without XR, too
    browser.find_element("id", "enter").click()
    wait_for(device, lambda sample: sample.sequence > 0)
    browser.execute_script(WORN)

    def coloured(browser: Any) -> bool:
        left, right = halves(browser)
        return bool(left[0] > 150 > 80 > left[2] and right[2] > 150 > 80 > right[0])

    shown_until(device, browser, coloured)
    shown_until(device, browser, lambda b: device.picture_times()["count"] > 30)
    times = device.picture_times()
    assert 0.0 < times["whole p50"] < LONG
    browser.execute_script(FEELING)
    forces = np.array([0.0, 21.0])

    def felt(browser: Any) -> list[list[float]]:
        device.show(RobotFeedback(stamp=clock.now(), hand_forces=forces))
        return browser.execute_script("return window.felt")  # type: ignore[no-any-return]

    end = clock.now() + LONG
    while not felt(browser):
        assert clock.now() < end
        clock.sleep(0.05)
    assert felt(browser)[0] == [pytest.approx(0.5), 60]

    def grey(browser: Any) -> bool:
        return all(np.ptp(half) < 10 and half.max() < 80 for half in halves(browser))

    end = clock.now() + LONG
    while not grey(browser):  # no further picture comes
        assert clock.now() < end
        clock.sleep(0.1)


def test_a_browser_without_a_headset_looks_on_and_stops_the_robot(
    browser: Any, device: WebXrHeadset
) -> None:
    browser.get(device.url)
    device.tell(SessionNews(state="active", events=("[active] engage: by anna",)))

    def told() -> bool:
        text = browser.find_element("tag name", "body").text
        return "active" in text and "by anna" in text

    end = clock.now() + LONG
    while not told():
        assert clock.now() < end
        clock.sleep(0.05)
    for button, request in (("hold", Request.HOLD), ("stop", Request.STOP)):
        browser.find_element("id", button).click()
        sample = wait_for(device, lambda sample: bool(sample.requests))
        assert sample.requests == (request,)
