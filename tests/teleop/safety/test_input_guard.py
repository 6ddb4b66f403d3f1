from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_x, rotation_z
from telexist.teleop.safety.input_guard import InputGuard
from telexist.teleop.settings.settings import SafetySettings

HAND = SEGMENTS.index("LeftHand")


def _frame(stamp: float, turn: float = 0.0, segment: int = HAND) -> HumanFrame:
    rotations = np.tile(np.eye(3), (23, 1, 1))
    rotations[segment] = rotation_x(turn)
    return HumanFrame(
        stamp=stamp,
        segments=SEGMENTS,
        rotations=rotations,
        angular_velocities=np.zeros((23, 3)),
        positions=np.zeros((23, 3)),
    )


def test_real_motion_passes(shared_motions: Path) -> None:
    for name in ("cmu/16_35.bvh", "cmu/79_22.bvh"):
        path = next(iter(shared_motions.glob(f"**/{name.split('/')[1]}")), None)
        if path is None:
            pytest.skip(f"{name} is not on this machine")
        guard = InputGuard(SafetySettings())
        verdicts = [guard.check(frame) for frame in read_clip(str(path)).frames()]
        assert [v for v in verdicts if v is not None] == []


def test_a_person_who_spins_and_turns_the_head_passes() -> None:
    guard = InputGuard(SafetySettings())
    rate = 30.0  # [Hz]: the head turns by up to 0.8 rad from frame to frame
    for k in range(60):
        t = k / rate
        spun = 12.0 * max(t - 0.1, 0.5 * t * min(t / 0.2, 1.0))  # 12 rad/s in 0.2 s
        rotations = np.tile(rotation_z(spun), (23, 1, 1))
        rotations[5:7] = rotation_z(spun + 1.2 * np.sin(10.0 * t))  # neck and head
        frame = dataclasses.replace(_frame(t), rotations=rotations)
        assert guard.check(frame) is None


@pytest.mark.parametrize("away", [0.04, 0.1])
def test_a_hand_that_was_away_and_is_elsewhere_has_jumped(away: float) -> None:
    guard = InputGuard(SafetySettings())
    steps = round(away / 0.01)
    for k in range(10):
        assert guard.check(_frame(0.01 * k)) is None
    for k in range(10, 10 + steps):
        assert guard.check(_without_hand(_frame(0.01 * k))) is None
    back = _frame(0.01 * (10 + steps))
    positions = np.zeros((23, 3))
    positions[HAND] = (0.3, 0.2, 0.6)
    verdict = guard.check(dataclasses.replace(back, positions=positions))
    assert verdict is not None
    assert verdict.kind == "jump"
    assert "LeftHand" in verdict.reason


def test_a_frozen_source_is_seen_though_a_hand_comes_and_goes() -> None:
    guard = InputGuard(SafetySettings(frozen_after=0.5))
    frames = [_frame(0.01 * k) for k in range(100)]
    shown = [f if k // 10 % 2 else _without_hand(f) for k, f in enumerate(frames)]
    kinds = {v.kind for frame in shown if (v := guard.check(frame)) is not None}
    assert kinds == {"frozen"}


def _without_hand(frame: HumanFrame) -> HumanFrame:
    rows = [k for k in range(23) if k != HAND]
    assert frame.positions is not None
    return HumanFrame(
        stamp=frame.stamp,
        segments=tuple(SEGMENTS[k] for k in rows),
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=frame.positions[rows],
    )


def test_one_outlier_is_passed_over_and_a_lasting_jump_is_a_fault() -> None:
    guard = InputGuard(SafetySettings(outliers=3))
    assert guard.check(_frame(0.0)) is None
    outlier = guard.check(_frame(0.01, turn=1.5))
    assert outlier is not None
    assert outlier.kind == "jump"
    assert not outlier.grave
    assert "LeftHand" in outlier.reason
    assert guard.check(_frame(0.02)) is None
    verdicts = [guard.check(_frame(0.03 + 0.01 * k, turn=1.5)) for k in range(3)]
    assert [v.grave for v in verdicts if v] == [False, False, True]
    assert guard.check(_frame(0.07, turn=1.5)) is None  # this is where it is now


def test_time_that_goes_back_is_refused() -> None:
    guard = InputGuard(SafetySettings())
    guard.check(_frame(1.0))
    verdict = guard.check(_frame(0.5))
    assert verdict is not None
    assert verdict.kind == "backwards"


@pytest.mark.parametrize("value", [np.nan, np.inf, 7.0])
def test_what_is_no_rotation_is_refused(value: float) -> None:
    good = _frame(0.0)
    rotations = good.rotations.copy()
    rotations[3, 1, 1] = value
    bad = dataclasses.replace(good, rotations=rotations)
    verdict = InputGuard(SafetySettings()).check(bad)
    assert verdict is not None
    assert verdict.kind == "nan"
    assert "T12" in verdict.reason


def test_a_frozen_source_is_seen_and_a_quiet_one_is_not() -> None:
    guard = InputGuard(SafetySettings(frozen_after=0.5))
    rng = np.random.default_rng(1)
    for k in range(200):  # sensors have noise, however still the person stands
        assert guard.check(_frame(0.01 * k, turn=1e-6 * rng.normal())) is None
    verdicts = [guard.check(_frame(2.0 + 0.01 * k)) for k in range(100)]
    assert verdicts[40] is None
    assert verdicts[60] is not None
    assert verdicts[60].kind == "frozen"
    assert verdicts[60].grave


def test_nobody_bends_a_knee_like_that() -> None:
    guard = InputGuard(SafetySettings(outliers=1))
    verdict = guard.check(_frame(0.0, turn=3.1, segment=SEGMENTS.index("LeftFoot")))
    assert verdict is not None
    assert verdict.kind == "implausible"
    assert "LeftFoot" in verdict.reason


def test_a_person_who_is_thrown_across_the_room_is_a_jump() -> None:
    guard = InputGuard(SafetySettings(outliers=1))
    guard.check(_frame(0.0))
    far = dataclasses.replace(_frame(0.01), positions=np.ones((23, 3)))
    verdict = guard.check(far)
    assert verdict is not None
    assert verdict.kind == "jump"


@pytest.mark.parametrize("rate", [24.0, 30.0, 50.0, 60.0, 240.0])
def test_a_whole_body_that_turns_at_once_is_a_jump_at_any_rate(rate: float) -> None:
    guard = InputGuard(SafetySettings(outliers=3))
    assert guard.check(_frame(0.0)) is None
    first = _frame(1.0 / rate)
    turned = rotation_x(np.radians(60.0)) @ first.rotations
    verdicts = [
        guard.check(dataclasses.replace(first, rotations=turned, stamp=k / rate))
        for k in (1, 2, 3)
    ]
    assert [v.kind for v in verdicts if v] == ["jump"] * 3
    assert verdicts[-1] is not None
    assert verdicts[-1].grave
