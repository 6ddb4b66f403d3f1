from __future__ import annotations

import pytest
from telexist.teleop.viewers.clip.playback import Playback


def test_time_stands_still_until_played() -> None:
    playback = Playback(10.0)
    assert playback.advance(1.0) == 0.0
    assert playback.toggle() is True
    assert playback.advance(1.0) == 1.0
    assert playback.toggle() is False
    assert playback.advance(1.0) == 1.0


def test_speed_scales_time() -> None:
    playback = Playback(10.0)
    playback.toggle()
    playback.set_speed(0.25)
    assert playback.advance(2.0) == 0.5


def test_end_is_followed_by_the_start() -> None:
    playback = Playback(2.0)
    playback.toggle()
    playback.seek(1.5)
    assert playback.advance(1.0) == pytest.approx(0.5)


@pytest.mark.parametrize(("wanted", "got"), [(-1.0, 0.0), (5.0, 2.0), (1.0, 1.0)])
def test_seeking_stays_inside(wanted: float, got: float) -> None:
    playback = Playback(2.0)
    playback.seek(wanted)
    assert playback.time == got


def test_single_frame_can_be_played() -> None:
    playback = Playback(0.0)
    playback.toggle()
    assert playback.advance(1.0) == 0.0
