"""Recordings played in real time."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, BadRecording
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, log_so3
from telexist.teleop import clock
from telexist.teleop.devices.person.clip_loop import looped_clip
from telexist.teleop.devices.players.clip_player import ClipPlayer
from telexist.teleop.terms.device_sample import DeviceSample, Provides

PATIENCE = 60.0  # [s] after which a player that says nothing has failed
CLIP = builtin_clip(rate=100.0)


def cut(first: int, last: int) -> HumanClip:
    part = slice(first, last)
    return dataclasses.replace(
        CLIP,
        time=CLIP.time[part] - CLIP.time[first],
        rotations=CLIP.rotations[part],
        angular_velocities=CLIP.angular_velocities[part],
        positions=CLIP.positions[part],
        linear_velocities=CLIP.linear_velocities[part],
    )


def collect(player: ClipPlayer, count: int) -> list[DeviceSample]:
    woken = threading.Event()
    samples: list[DeviceSample] = []
    player.open(woken.set)
    while len(samples) < count and woken.wait(PATIENCE):
        woken.clear()
        sample = player.read()
        if sample is not None:
            samples.append(sample)
    player.close()
    return samples


def test_plays_frames_in_order_at_their_times() -> None:
    player, began = ClipPlayer(CLIP, start=2.0), clock.now()
    samples = collect(player, 30)
    numbers = [sample.sequence for sample in samples]
    assert len(samples) == 30 and numbers == sorted(set(numbers))
    for sample in samples:
        assert sample.human is not None
        assert sample.human.stamp == sample.stamp
        expected = CLIP.frame(200 + sample.sequence)
        np.testing.assert_array_equal(sample.human.rotations, expected.rotations)
        due = began + sample.sequence / 100.0  # in real time, not as fast as possible
        assert due <= sample.stamp <= clock.now()


def test_once_ends_after_the_last_frame() -> None:
    player = ClipPlayer(cut(0, 10), loop=False)
    woken = threading.Semaphore(0)
    player.open(woken.release)
    assert not player.finished
    last, calls = None, 0
    while last is None or last.sequence < 9:
        assert woken.acquire(timeout=PATIENCE)
        calls += 1
        last = player.read() or last
    player._worker._thread.join(PATIENCE)  # type: ignore[union-attr]
    assert player.finished
    while woken.acquire(blocking=False):  # for what was read together with another
        calls += 1
    assert calls <= 10 and player.read() is None
    player.close()


def test_a_late_frame_is_skipped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    player = ClipPlayer(cut(0, 100), loop=False)
    monkeypatch.setattr("telexist.teleop.clock.now", iter_clock([0.0, 0.0, 0.0, 0.5]))
    samples = []
    player._mailbox.put = samples.append  # type: ignore[method-assign]
    player._play(NeverStop())
    assert [sample.sequence for sample in samples] == [0, 50, *range(51, 100)]
    assert dict(player.read().dropped) == {"late": 49}  # type: ignore[union-attr]


class NeverStop(threading.Event):
    """An event that nobody sets and for which nobody waits."""

    def wait(self, timeout: float | None = None) -> bool:
        return False


def iter_clock(times: list[float]) -> object:
    """Return a clock that gives these times and then stands still."""

    def now() -> float:
        return times.pop(0) if len(times) > 1 else times[0]

    return now


@pytest.mark.parametrize("span", [(0, 3521), (300, 420), (2050, 2200), (2500, 2700)])
def test_loop_joins_without_a_jump_of_pose_or_speed(span: tuple[int, int]) -> None:
    clip = cut(*span)
    whole, move = looped_clip(clip)
    second = [move.apply(whole.frame(k)) for k in range(3)]
    frames = [*(whole.frame(k) for k in range(len(whole))), *second]
    rotations = np.array([frame.rotations for frame in frames])
    positions = np.array([frame.positions for frame in frames])
    w, dw, dv = changes(rotations, positions)
    _, own_dw, own_dv = changes(CLIP.rotations, CLIP.positions)
    assert dw.max() <= 1.05 * own_dw.max()  # no harder than the person moves anyway
    assert dv.max() <= 1.05 * own_dv.max()
    stated = np.array([frame.angular_velocities for frame in frames])
    assert np.abs(stated[1:-1] - 0.5 * (w[1:] + w[:-1])).max() < 0.5


def changes(rotations: Array, positions: Array) -> tuple[Array, Array, Array]:
    """Return angular velocities and changes of both velocities in 10 ms."""
    w = log_so3(rotations[1:] @ np.swapaxes(rotations[:-1], -1, -2)) * 100.0
    v = np.diff(positions, axis=0) * 100.0
    size = np.linalg.norm
    return w, size(np.diff(w, axis=0), axis=-1), size(np.diff(v, axis=0), axis=-1)


def test_a_speed_at_the_end_bends_no_joint_too_far_on_the_way_back() -> None:
    clip = cut(200, 420)
    foot, toe = SEGMENT_INDEX["LeftFoot"], SEGMENT_INDEX["LeftToe"]
    speeds = clip.angular_velocities.copy()
    speeds[-1, toe] += (0.0, 20.0, 0.0)  # a marker that shook as the recording ended
    whole, _ = looped_clip(dataclasses.replace(clip, angular_velocities=speeds))
    joint = np.swapaxes(whole.rotations[:, foot], -1, -2) @ whole.rotations[:, toe]
    bent = np.linalg.norm(log_so3(joint), axis=-1)
    assert bent.max() < bent[: len(clip)].max() + 0.3


def test_limbs_keep_their_lengths_on_the_way_back() -> None:
    clip = cut(200, 420)
    whole, _ = looped_clip(clip)
    assert len(whole) > len(clip)
    for k, name in enumerate(SEGMENTS):
        if (parent := PARENT[name]) is None:
            continue
        offset = whole.positions[:, k] - whole.positions[:, SEGMENT_INDEX[parent]]
        length = np.linalg.norm(offset, axis=1)
        assert length.max() - length.min() < 1e-9, name


def test_each_pass_goes_on_from_where_the_last_one_ended() -> None:
    walk = cut(2060, 2200)  # ahead by one stride or two
    player = ClipPlayer(walk)
    _, move = looped_clip(walk)
    third = move.then(move).apply(walk.frame(0))
    assert third.positions is not None
    ahead = walk.positions[-1, 0] - walk.positions[0, 0]
    gone = third.positions[0] - walk.positions[0, 0]
    assert np.linalg.norm(ahead[:2]) > 0.3
    np.testing.assert_allclose(gone[:2], 2.0 * ahead[:2], atol=0.2)
    player.close()


def test_a_single_frame_is_repeated() -> None:
    samples = collect(ClipPlayer(cut(0, 1)), 5)
    numbers = [sample.sequence for sample in samples]
    assert len(samples) == 5 and numbers == sorted(set(numbers))
    for sample in samples:
        assert sample.human is not None
        np.testing.assert_array_equal(sample.human.rotations, CLIP.frame(0).rotations)


def test_says_what_it_is_before_it_is_opened() -> None:
    player = ClipPlayer()
    assert player.provides == {Provides.HUMAN}
    assert player.name == "recording builtin"
    assert player.read() is None
    assert player.clip.size.height > 1.5


def test_refuses_what_it_cannot_play(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="choose 0 to"):
        ClipPlayer(CLIP, start=1e3)
    with pytest.raises(BadInput, match="start nan"):
        ClipPlayer(CLIP, start=float("nan"))
    with pytest.raises(BadRecording, match="no such file"):
        ClipPlayer(tmp_path / "none.bvh")
