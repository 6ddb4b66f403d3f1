"""Which browsers can be pressed, by their heartbeats."""

from __future__ import annotations

import pytest
from telexist.teleop.viewers.web.browser_beats import (
    MOST,
    SILENT,
    BrowserBeats,
    beat_frame,
)


class Watch:
    """A clock that is set by hand."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def beats(watch: Watch) -> BrowserBeats:
    return BrowserBeats(watch)


def test_a_browser_that_beats_can_be_pressed_until_it_is_silent(
    beats: BrowserBeats, watch: Watch
) -> None:
    assert beats.answer("/beat?browser=3&seen=1") == ""
    watch.time = 0.9 * SILENT
    assert beats.problem(3) == "" and beats.ready([3])
    watch.time = 1.1 * SILENT
    assert beats.problem(3) == "has been silent for 0.8 s" and not beats.ready([3])
    beats.answer("/beat?browser=3&seen=1")
    assert beats.problem(3) == "" and beats.ready([3])


def test_a_hidden_browser_cannot_be_pressed_although_it_beats(
    beats: BrowserBeats,
) -> None:
    beats.answer("/beat?browser=3&seen=1")
    beats.answer("/beat?browser=3&seen=0")
    assert beats.problem(3) == "is hidden" and not beats.ready([3])
    beats.answer("/beat?browser=3&seen=1")
    assert beats.problem(3) == ""


def test_a_client_that_never_beat_is_no_browser(beats: BrowserBeats) -> None:
    assert beats.problem(7) == "" and not beats.ready([7])


def test_the_frame_of_a_browser_asks_for_a_script_with_its_number(
    beats: BrowserBeats,
) -> None:
    path = beat_frame(12).partition('src="')[2].partition('"')[0]
    script = beats.answer(path)
    assert script is not None
    assert "/beat?browser=12&seen=" in script and "visibilitychange" in script
    assert beats.problem(12) == "" and not beats.ready([12])  # a script is no beat


@pytest.mark.parametrize(
    "path",
    [
        "/beat",
        "/beat?browser=",
        "/beat?browser=-1&seen=1",
        "/beat?browser=1e3&seen=1",
        "/beat?browser=%3Cscript%3E&seen=1",
        "/beat?browser=99999999999&seen=1",
        "/beat?browser=\u0663&seen=1",
    ],
)
def test_nonsense_is_answered_by_nothing(beats: BrowserBeats, path: str) -> None:
    assert beats.answer(path) == ""
    assert not beats.ready(range(10))


@pytest.mark.parametrize("path", ["/", "/beats", "/assets/beat", "/?browser=1&seen=1"])
def test_all_else_is_somebody_elses(beats: BrowserBeats, path: str) -> None:
    assert beats.answer(path) is None


def test_browsers_are_bounded_in_number_and_forgotten(beats: BrowserBeats) -> None:
    for browser in range(MOST + 5):
        beats.answer(f"/beat?browser={browser}&seen=1")
    assert not beats.ready(range(MOST, MOST + 5))
    beats.forget([1])
    assert beats.ready([1]) and not beats.ready(range(2, MOST))
