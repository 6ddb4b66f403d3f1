"""The page in a real browser: Debian's Chromium, headless, without a GPU."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.robots.description.robot_model import load_robot
from telexist.teleop.viewers.clip.clip_page import ClipPage
from telexist.teleop.viewers.figures.figure import human_figure
from telexist.teleop.viewers.figures.robot_figure import robot_figure

pytestmark = pytest.mark.slow

PATIENCE = 180.0  # [s] software rendering on a busy machine is slow


def wait_for(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def page() -> Iterator[ClipPage]:
    clip = builtin_clip(rate=20.0)
    robot = load_robot("human66")
    motion = Retargeter(robot.body, clip.size).run(clip)
    figures = [human_figure(clip), robot_figure(robot, motion, clip)]
    page = ClipPage(figures, title=clip.name, host="127.0.0.1", port=0)
    thread = threading.Thread(target=page.run)
    thread.start()
    yield page
    page.close()
    thread.join(timeout=PATIENCE)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def browser(page: ClipPage, open_chromium) -> Iterator:
    window = open_chromium(page.url, "900,600")
    wait_for(lambda: window.has("canvas"), "the canvas")
    wait_for(lambda: window.has_button("Play"), "the play button")
    yield window


def picture(browser: Any) -> np.ndarray:
    """Return the middle of a screenshot (rows, columns, 3)."""
    image = browser.picture()
    rows, columns = image.shape[:2]
    return image[rows // 6 : -rows // 6, columns // 6 : 2 * columns // 3]


def test_people_and_robots_are_drawn(browser) -> None:
    def colourful() -> bool:
        spread = np.ptp(picture(browser), axis=2)
        return bool((spread > 60.0).mean() > 0.003)

    wait_for(colourful, "the orange and blue limbs")


def test_labels_and_readings_are_shown(browser) -> None:
    for word in ("builtin", "human66", "limbs", "links", "Speed", "Follow"):
        wait_for(lambda word=word: word in browser.words(), word)


def test_slider_moves_time(browser, page: ClipPage) -> None:
    slider = '[role="slider"]'
    before = page.figures[1].place_of("LeftHand")
    browser.press_on(slider, "End")
    wait_for(lambda: page.playback.time == page.playback.duration, "the last frame")
    wait_for(lambda: page.shown_time == page.playback.duration, "the page to show it")
    last = len(page.figures[0].figure.time) - 1
    assert [figure.index for figure in page.figures] == [last, last]
    assert np.linalg.norm(page.figures[1].place_of("LeftHand") - before) > 0.1
    browser.press_on(slider, "Home")
    wait_for(lambda: page.shown_time == 0.0, "the first frame")


def test_play_and_pause(browser, page: ClipPage) -> None:
    page.playback.seek(0.0)
    still = picture(browser)
    browser.click("Play")
    wait_for(lambda: page.playback.playing, "play")
    wait_for(lambda: page.shown_time > 2.5, "time to pass")
    browser.click("Pause")
    wait_for(lambda: not page.playback.playing, "pause")
    stopped = page.playback.time
    wait_for(lambda: page.shown_time == stopped, "the page to stop")
    wait_for(
        lambda: np.abs(picture(browser) - still).max() > 60.0, "the picture to change"
    )
    assert page.playback.time == stopped


def test_on_the_spot_keeps_figures_at_their_places(browser, page: ClipPage) -> None:
    page.playback.seek(page.playback.duration * 0.7)
    wait_for(lambda: np.linalg.norm(page.figures[0].spot) > 0.3, "the person to walk")
    browser.click_box("On the spot")
    wait_for(lambda: not np.any(page.figures[0].spot), "the person to come back")
    browser.click_box("On the spot")
    wait_for(lambda: np.linalg.norm(page.figures[0].spot) > 0.3, "the person to leave")
