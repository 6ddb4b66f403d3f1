"""The live page in a real browser: Debian's Chromium, headless, without a GPU."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, DeviceLost
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.robots.base.interface import RobotFeedback
from telexist.robots.description.robot_model import load_robot
from telexist.robots.fake.fake_robot import FakeRobot
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.device_sample import DeviceSample
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import STAGES, Event, State, Tick
from telexist.teleop.viewers.live.live_page import LivePage

pytestmark = pytest.mark.slow

PATIENCE = 180.0  # [s] software rendering on a busy machine is slow
AFTER = {
    Request.CALIBRATE: State.CALIBRATED,
    Request.ENGAGE: State.ACTIVE,
    Request.HOLD: State.HOLDING,
    Request.STOP: State.STOPPED,
    Request.RESET: State.IDLE,
}


def wait_for(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.1)


class Driver:
    """A small loop that plays a clip, obeys the page and shows it what happens."""

    def __init__(self, page: LivePage) -> None:
        self.page = page
        self.state = State.IDLE
        self.asked: list[Request] = []
        self.turns = 0
        self.lost = ""
        self._news = threading.Event()
        self._ending = False
        self._robot = FakeRobot(load_robot("human66"), now=time.perf_counter)
        self._clip = builtin_clip(rate=30.0)
        page.device.open(self._news.set)
        self._robot.connect()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def wait_for_browser(self, *, lost: bool, words: str = "") -> None:
        def told() -> bool:
            reason = self.page.device.lost
            return bool(reason) == lost and words in reason

        wait_for(told, f"the loop to hear '{words}'")

    def close(self) -> None:
        self._ending = True
        self._thread.join()

    def _run(self) -> None:
        while not self._ending:
            self._news.wait(0.02)
            self._news.clear()
            self.page.sink.put(self._turn())

    def _read(self) -> DeviceSample | None:
        try:
            return self.page.device.read()
        except DeviceLost as error:
            self.lost = str(error)
            return None

    def _turn(self) -> Tick:
        now, events = time.perf_counter(), ()
        sample = self._read()
        for request in sample.requests if sample else ():
            self.asked.append(request)
            self.state = AFTER[request]
            reason = f"<i>{request.value}</i> by page"
            event = Event(stamp=now, kind="state", reason=reason, state=self.state)
            events = (*events, event)
        self.turns += 1
        state = self._robot.read_state()
        assert state is not None
        red = np.full((240, 320, 3), (255, 0, 0), dtype=np.uint8)
        picture = RobotFeedback(stamp=now, image=red)
        values = {
            "com": np.array([0.0, 0.0, 0.9]),
            "dcm": np.zeros(2),
            "zmp": np.zeros(2),
            "support": np.array([[0.1, 0.1], [0.1, -0.1], [-0.1, 0.0]]),
            "footsteps": np.array([[0.3, 0.1, 0.0, 0.0], [0.5, -0.1, 0.1, 1.0]]),
            "contacts": np.array([[0.0, 0.1, 0.0, 0.0, 0.0, 300.0]]),
            "strange": np.array([np.nan]),
        }
        zero = np.zeros(len(state.q))
        return Tick(
            number=self.turns,
            stamp=now,
            period=0.02,
            state=self.state,
            human=self._clip.frame(self.turns % len(self._clip)),
            reference=RobotReference(stamp=now, q=state.q, dq=zero, ddq=zero),
            robot=state,
            report=ControllerReport(values=values),
            feedback=picture if self.turns % 20 == 0 else None,
            events=events,
            notice="hold N-pose: 2 s" if self.state is State.IDLE else "",
            stages=(0.001,) * len(STAGES),
            age=0.01,
        )


@pytest.fixture(scope="module")
def page() -> Iterator[LivePage]:
    page = LivePage(load_robot("human66"), port=0, title="Telexist test")
    page.open()
    page.open()
    yield page
    page.close()
    page.close()
    assert not page.alive


@pytest.fixture(scope="module")
def driver(page: LivePage) -> Iterator[Driver]:
    driver = Driver(page)
    yield driver
    driver.close()


@pytest.fixture(scope="module")
def browser(page: LivePage, driver: Driver, open_chromium) -> Iterator:
    window = open_chromium(page.url, "1200,800")
    wait_for(lambda: window.has("canvas"), "the canvas")
    wait_for(lambda: window.has_button("EMERGENCY STOP"), "the buttons")
    yield window


def test_person_robot_and_camera_are_drawn(browser) -> None:
    def drawn() -> bool:
        image = browser.picture()
        columns = image.shape[1]
        scene = image[:, columns // 3 : 2 * columns // 3]
        camera = image[:, : columns // 4]
        limbs = (np.ptp(scene, axis=2) > 60.0).mean()
        red = ((camera[..., 0] > 200) & (camera[..., 1] < 80)).mean()
        return bool(limbs > 0.003 and red > 0.03)

    wait_for(drawn, "orange and blue limbs, and a red picture")


def test_words_are_shown(browser) -> None:
    for word in (
        "Telexist test",
        "IDLE",
        "hold N-pose: 2 s",
        "Tracking error",
        "Loop period",
        "Latency by stage",
        "Events",
        "Head camera",
    ):
        wait_for(lambda word=word: word in browser.words(), word)


@pytest.mark.parametrize(
    ("label", "request_"),
    [
        ("Calibrate", Request.CALIBRATE),
        ("Engage", Request.ENGAGE),
        ("Hold", Request.HOLD),
        ("EMERGENCY STOP", Request.STOP),
        ("Reset", Request.RESET),
    ],
)
def test_buttons_do_what_they_say(
    browser, driver: Driver, label: str, request_: Request
) -> None:
    before = len(driver.asked)
    browser.click(label)
    wait_for(lambda: len(driver.asked) > before, f"{label} to arrive")
    assert driver.asked[before:] == [request_]
    state = AFTER[request_].value.upper()
    wait_for(lambda: state in browser.words(), f"the page to show {state}")
    event = f"<i>{request_.value}</i> by page"  # as text, not as HTML
    wait_for(lambda: event in browser.words(), "the event")


def test_escape_is_an_emergency_stop(browser, driver: Driver) -> None:
    browser.click("Engage")
    wait_for(lambda: driver.state is State.ACTIVE, "engaging")
    browser.press("\ue00c")  # Escape
    wait_for(lambda: driver.state is State.STOPPED, "the stop")


def test_a_browser_that_hangs_or_is_hidden_is_told_until_it_is_back(
    browser, driver: Driver
) -> None:
    browser.click("Engage")  # it has the buttons now
    driver.wait_for_browser(lost=False)
    browser.hang(3.0)
    driver.wait_for_browser(lost=True, words="silent")
    driver.wait_for_browser(lost=False)
    with browser.hidden():
        driver.wait_for_browser(lost=True, words="is hidden: nobody can press")
    driver.wait_for_browser(lost=False)
    browser.click("Hold")
    wait_for(lambda: driver.asked[-1] is Request.HOLD, "a press after that")


def test_emergency_stop_is_in_view_without_scrolling(browser) -> None:
    stop = browser.place("EMERGENCY STOP")
    assert stop["usable"]
    assert stop["top"] >= 0 and stop["bottom"] <= 0.5 * stop["height"]
    assert stop["left"] >= 0 and stop["right"] <= stop["width"]


def test_rude_clients_disturb_nobody(browser, page: LivePage, driver: Driver) -> None:
    rng, address = np.random.default_rng(5), ("127.0.0.1", page.port)
    for _ in range(30):
        with socket.create_connection(address, timeout=PATIENCE) as stream:
            stream.sendall(rng.bytes(200))
    sleepers = [socket.create_connection(address, timeout=PATIENCE) for _ in range(20)]
    before = len(driver.asked)
    browser.click("Hold")
    wait_for(lambda: len(driver.asked) > before, "a click among sleepers")
    for sleeper in sleepers:
        sleeper.close()
    assert page.alive


def test_a_busy_port_is_a_clear_error(page: LivePage) -> None:
    second = LivePage(load_robot("human66"), port=page.port)
    with pytest.raises(BadInput, match=f"port {page.port}.*--port"):
        second.open()
    second.close()


def test_every_page_has_a_token_of_its_own() -> None:
    robot = load_robot("human66")
    near, far = LivePage(robot), LivePage(robot, host="0.0.0.0")
    assert len(near.token) >= 32
    assert near.url == f"http://localhost:8080/?token={near.token}"
    assert far.url.endswith(f"?token={far.token}")
    assert near.token != far.token


def test_a_page_that_hangs_is_told_and_comes_back() -> None:
    page = LivePage(load_robot("human66"), port=0)
    page.open()
    driver = Driver(page)
    try:
        assert page.process_id is not None
        os.kill(page.process_id, signal.SIGSTOP)
        wait_for(lambda: driver.lost, "the loop to hear of it")
        assert "has not answered" in driver.lost
        os.kill(page.process_id, signal.SIGCONT)
        wait_for(lambda: not page.device._lost, "the page to be found again")
    finally:
        driver.close()
        page.close()


def test_the_session_outlives_its_page() -> None:
    page = LivePage(load_robot("human66"), port=0)
    page.open()
    driver = Driver(page)
    try:
        assert page.process_id is not None
        os.kill(page.process_id, signal.SIGKILL)
        wait_for(lambda: not page.alive, "the page to die")
        turns = driver.turns
        wait_for(lambda: driver.turns > turns + 20, "the loop to go on")
        wait_for(lambda: driver.lost, "the loop to hear of it")
        assert "its emergency stop with it: stop with Ctrl-C" in driver.lost
    finally:
        driver.close()
        page.close()
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", page.port), timeout=1.0),
    ):
        pytest.fail("somebody still serves the page")
