"""Captures: who is calibrated, and who is refused with which reason."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.calibration.capture import Capture, CapturePhase, CaptureStatus
from telexist.calibration.source_traits import ALIGNED, WORN, SourceTraits
from telexist.calibration.standing_pose import pose_rotation
from telexist.retarget.errors import BadInput
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import log_so3, rotation_x, rotation_y, rotation_z

Make = Callable[..., object]
Run = Callable[..., CaptureStatus]
Only = Callable[..., HumanFrame]

ANGLE = 1.0  # [deg] of any link after 2 degrees of noise, the issue's
LENGTH = 0.01  # of a length, after 1 mm of noise on its ends
HEADSET = ("Head", "LeftHand", "RightHand")


def capture(**options: object) -> Capture:
    return Capture(**{"countdown": 0.1, "duration": 2.0, **options})  # type: ignore[arg-type]


def angles_deg(found: HumanFrame, pose: str) -> np.ndarray:
    wanted = np.array([pose_rotation(pose, name) for name in found.segments])
    errors = log_so3(found.rotations @ np.swapaxes(wanted, -1, -2))
    return np.rad2deg(np.linalg.norm(errors, axis=-1))


@pytest.mark.parametrize("pose", ["n", "t"])
@pytest.mark.parametrize(
    ("height", "heading"), [(1.5, 0.4), (1.7, -3.1), (1.85, 2.0), (2.0, -1.5)]
)
def test_an_operator_who_stands_is_calibrated(
    height: float, heading: float, pose: str, stander: Make, run_capture: Run
) -> None:
    person = stander(
        height=height, heading=heading, place=(2.0, -1.0, 0.3), pose=pose, seed=7
    )
    status = run_capture(person, capture(pose=pose, operator="anna"))
    assert status.phase is CapturePhase.DONE, status.reasons
    profile = status.profile
    found = profile.apply(person.neutral())
    assert angles_deg(found, pose).max() < ANGLE
    rotations = np.array([pose_rotation(pose, name) for name in SEGMENTS])
    places = person.size.positions(rotations, person.size.joints["Pelvis"])
    np.testing.assert_allclose(found.positions, places, atol=0.01)
    assert profile.size.height == pytest.approx(height, rel=LENGTH)
    assert profile.size.arm_length == pytest.approx(person.size.arm_length, rel=LENGTH)
    assert profile.size.leg_length == pytest.approx(person.size.leg_length, rel=LENGTH)
    assert max(profile.residuals.values()) < 3.0
    assert min(profile.residuals.values()) > 1.0  # the sensors' 2 degrees


def test_known_frames_tell_the_heading_without_places(
    stander: Make, run_capture: Run
) -> None:
    person = stander(heading=2.2, any_frames=False)
    bare = lambda f, t: replace(f, positions=None, linear_velocities=None)  # noqa: E731
    n_frames = SourceTraits(aligned=frozenset(SEGMENTS), rest="n")
    status = run_capture(person, capture(traits=n_frames, height=1.6), bare)
    assert status.profile is not None, status.reasons
    assert status.profile.heading == pytest.approx(2.2, abs=0.02)
    assert status.profile.size.height == pytest.approx(1.6)
    unknown = run_capture(person, capture(), bare)
    assert "heading" in unknown.reasons[0]
    stated = run_capture(person, capture(heading=1.0), bare)
    assert stated.profile is not None and stated.profile.heading == 1.0


def test_a_stated_size_is_taken_over(stander: Make, run_capture: Run) -> None:
    person, size = stander(height=1.8), adult_size(1.8)
    status = run_capture(person, capture(size=size))
    assert status.profile is not None and status.profile.size is size
    known = capture()
    known.update(None, 49.99, size=size)
    again = run_capture(person, known)
    assert again.profile is not None and again.profile.size is size


def worn(frame: HumanFrame, only: Only, height: float, turn: np.ndarray) -> HumanFrame:
    """Put a headset before the eyes and grips into the palms."""
    part = only(frame, HEADSET)
    tracked = height * np.array([[0.06, 0.0, 0.031], [0, 0, -0.054], [0, 0, -0.054]])
    return replace(part, positions=part.positions + (turn @ tracked[..., None])[..., 0])


@pytest.mark.parametrize("pose", ["n", "t"])
@pytest.mark.parametrize("height", [1.5, 1.75, 2.0])
def test_headset_and_controllers_tell_size_and_heading(
    height: float, pose: str, stander: Make, run_capture: Run, only: Only
) -> None:
    person = stander(height=height, heading=2.5, pose=pose, place=(3.0, 1.0, 0.0))
    person.frames[SEGMENTS.index("Head")] = np.eye(3)
    turns = np.array([pose_rotation(pose, name) for name in HEADSET])
    turn = rotation_z(2.5) @ turns
    status = run_capture(
        person,
        capture(pose=pose, traits=WORN),
        lambda f, t: worn(f, only, height, turn),
    )
    assert status.profile is not None, status.reasons
    profile = status.profile
    assert profile.size.height == pytest.approx(height, rel=LENGTH)
    assert profile.size.arm_length == pytest.approx(person.size.arm_length, rel=LENGTH)
    found = profile.apply(worn(person.neutral(), only, height, turn))
    assert angles_deg(found, pose).max() < ANGLE
    rotations = np.array([pose_rotation(pose, name) for name in SEGMENTS])
    places = person.size.positions(rotations, person.size.joints["Pelvis"])
    rows = [SEGMENTS.index(name) for name in HEADSET]
    np.testing.assert_allclose(found.positions, places[rows], atol=0.015)


def refused(status: CaptureStatus, *words: str) -> None:
    assert status.phase is CapturePhase.REFUSED
    assert status.profile is None
    text = "\n".join(status.reasons)
    for word in words:
        assert word in text, text
    assert all("\n" not in line and line for line in status.reasons)


def turning(
    name: str, axis: Callable[[float], np.ndarray], angle: Callable[[float], float]
) -> Callable[[HumanFrame, float], HumanFrame]:
    def change(frame: HumanFrame, time: float) -> HumanFrame:
        R = frame.rotations.copy()
        row = frame.segments.index(name)
        R[row] = axis(angle(time)) @ R[row]
        return replace(frame, rotations=R)

    return change


@pytest.mark.parametrize(
    "angle",
    [
        lambda t: np.deg2rad(6.0) * t,  # slowly, all the time
        lambda t: 0.3 * np.sin(2.0 * t),  # a swing
        lambda t: 0.3 * np.sin(30.0 * t),  # quickly
        lambda t: 0.5 if t % 2.0 < 1.0 else 0.0,  # once
    ],
    ids=["drift", "swing", "shake", "jump"],
)
def test_a_segment_that_turns_is_refused_and_named(
    angle: Callable[[float], float], stander: Make, run_capture: Run
) -> None:
    change = turning("LeftForeArm", rotation_y, angle)
    refused(run_capture(stander(), capture(), change), "LeftForeArm", "stand still")


@pytest.mark.parametrize("speed", [0.06, 0.3])
def test_an_operator_who_walks_is_refused(
    speed: float, stander: Make, run_capture: Run
) -> None:
    def walk(frame: HumanFrame, time: float) -> HumanFrame:
        way = np.array([speed * (time - 50.0), 0.0, 0.0])
        return replace(frame, positions=frame.positions + way)

    refused(run_capture(stander(), capture(), walk), "Pelvis", "stand still")


@pytest.mark.parametrize("seed", range(6))
def test_noise_and_sway_are_not_taken_for_motion(
    seed: int, stander: Make, run_capture: Run
) -> None:
    person = stander(seed=seed, noise_deg=2.0 * np.sqrt(3.0), sway=0.01)
    assert run_capture(person, capture()).phase is CapturePhase.DONE
    slow = run_capture(person, capture(), rate=25.0)
    assert slow.phase is CapturePhase.DONE


def test_missing_and_vanishing_segments_are_named(
    stander: Make, run_capture: Run, only: Only
) -> None:
    bare = tuple(s for s in SEGMENTS if s not in ("LeftHand", "LeftForeArm"))
    status = run_capture(stander(), capture(), lambda f, t: only(f, bare))
    refused(status, "LeftHand: missing")
    counter = itertools.count()

    def vanish(frame: HumanFrame, time: float) -> HumanFrame:
        names = [s for s in SEGMENTS if s != "RightFoot" or next(counter) % 3]
        return only(frame, names)

    refused(run_capture(stander(), capture(), vanish), "RightFoot: missing in")


def test_silence_few_frames_and_gaps_are_refused(
    stander: Make, run_capture: Run
) -> None:
    refused(run_capture(stander(), capture(), lambda f, t: None), "no frame")
    refused(run_capture(stander(), capture(), rate=5.0), "frames in 2.0 s")
    hole = lambda f, t: None if 50.5 < t < 51.5 else f  # noqa: E731
    refused(run_capture(stander(), capture(), hole), "no frame for")


def test_frozen_input_is_refused(stander: Make, run_capture: Run, only: Only) -> None:
    person = stander()
    one = person.neutral()
    status = run_capture(person, capture(), lambda f, t: replace(one, stamp=t))
    refused(status, "frozen")

    def stuck(frame: HumanFrame, time: float) -> HumanFrame:
        R, p = frame.rotations.copy(), frame.positions.copy()
        row = SEGMENTS.index("RightHand")
        R[row], p[row] = one.rotations[row], one.positions[row]
        return replace(frame, rotations=R, positions=p)

    refused(run_capture(person, capture(), stuck), "RightHand: frozen")


def test_nan_is_refused_at_once_and_named(stander: Make, run_capture: Run) -> None:
    def spoil(frame: HumanFrame, time: float) -> HumanFrame:
        R = frame.rotations.copy()
        R[SEGMENTS.index("T8")] = np.nan
        return replace(frame, rotations=R)

    refused(run_capture(stander(), capture(), spoil), "T8", "not finite")


def test_one_wild_sample_does_no_harm(stander: Make, run_capture: Run) -> None:
    wild = turning("LeftHand", rotation_x, lambda t: 2.0 if 51.0 < t < 51.05 else 0.0)
    person = stander(seed=3)
    status = run_capture(person, capture(), wild)
    assert status.profile is not None, status.reasons
    assert angles_deg(status.profile.apply(person.neutral()), "n").max() < ANGLE


def test_the_wrong_pose_is_refused_with_advice(stander: Make, run_capture: Run) -> None:
    refused(run_capture(stander(pose="t"), capture()), "LeftUpperArm", "T-pose")
    refused(run_capture(stander(), capture(pose="t")), "RightForeArm", "N-pose")


def moved(
    person: object, rotations: dict[str, np.ndarray]
) -> Callable[..., HumanFrame]:
    """Return a change to another posture of the same person, as the device sees it."""
    R = np.array([rotations.get(name, np.eye(3)) for name in SEGMENTS])
    size = person.size

    def change(frame: HumanFrame, time: float) -> HumanFrame:
        still = person.standing(time)
        places = size.positions(R, size.joints["Pelvis"])
        return person.raw(replace(still, rotations=R, positions=places))

    return change


def limbs(parts: tuple[str, ...], R: np.ndarray) -> dict[str, np.ndarray]:
    return {f"{side}{part}": R for side in ("Left", "Right") for part in parts}


ARM = ("UpperArm", "ForeArm", "Hand")


@pytest.mark.parametrize("frames", [True, False], ids=["any frames", "known frames"])
@pytest.mark.parametrize(
    ("posture", "words"),
    [
        (limbs(("UpperLeg",), rotation_y(-np.pi / 2.0)), ("LeftUpperLeg", "stand up")),
        (limbs(ARM, rotation_y(np.pi)), ("LeftUpperArm", "points up")),
        (limbs(ARM, rotation_y(-np.pi / 2.0)), ("RightUpperArm", "points ahead")),
        (dict.fromkeys(SEGMENTS, rotation_y(np.pi)), ("upside down",)),
    ],
    ids=["sitting", "arms up", "arms ahead", "upside down"],
)
def test_other_postures_are_refused(
    posture: dict[str, np.ndarray],
    words: tuple[str, ...],
    frames: bool,
    stander: Make,
    run_capture: Run,
) -> None:
    person = stander(any_frames=frames)
    traits = SourceTraits() if frames else SourceTraits(aligned=frozenset(SEGMENTS))
    status = run_capture(person, capture(traits=traits), moved(person, posture))
    refused(status, *words)


def test_swapped_sides_are_refused(stander: Make, run_capture: Run) -> None:
    def other_side(name: str) -> str:
        if name.startswith("Left"):
            return name.replace("Left", "Right")
        return name.replace("Right", "Left")

    rows = [SEGMENTS.index(other_side(name)) for name in SEGMENTS]

    def crossed(frame: HumanFrame, time: float) -> HumanFrame:
        return replace(
            frame, rotations=frame.rotations[rows], positions=frame.positions[rows]
        )

    refused(run_capture(stander(), capture(), crossed), "swapped")
    person = stander(any_frames=False)
    refused(run_capture(person, capture(traits=ALIGNED), crossed), "swapped")


@pytest.mark.parametrize(
    ("lift", "words"),
    [
        ({"LeftHand": 0.9, "RightHand": 0.9}, ("LeftHand", "arms hang")),
        ({"Head": -0.5, "LeftHand": -0.5, "RightHand": -0.5}, ("stand upright",)),
    ],
    ids=["hands up", "sitting"],
)
def test_a_headset_shows_the_wrong_pose_too(
    lift: dict[str, float],
    words: tuple[str, ...],
    stander: Make,
    run_capture: Run,
    only: Only,
) -> None:
    person = stander(any_frames=False)

    def change(frame: HumanFrame, time: float) -> HumanFrame:
        part = worn(frame, only, 1.75, np.eye(3))
        up = np.array([[0.0, 0.0, lift.get(name, 0.0)] for name in HEADSET])
        return replace(part, positions=part.positions + up)

    refused(run_capture(person, capture(traits=WORN, height=1.75), change), *words)


def test_countdown_and_progress_are_told() -> None:
    waiting = Capture(countdown=3.0, duration=2.0)
    first = waiting.update(None, 10.0)
    assert first.phase is CapturePhase.COUNTING and first.remaining == 3.0
    assert waiting.update(None, 12.5).remaining == pytest.approx(0.5)
    going = waiting.update(None, 14.0)
    assert going.phase is CapturePhase.CAPTURING
    assert going.progress == pytest.approx(0.5)
    last = waiting.update(None, 15.0)
    assert last.over and waiting.update(None, 99.0) is last


@pytest.mark.parametrize(
    "options",
    [
        {"pose": "x"},
        {"countdown": -1.0},
        {"duration": float("nan")},
        {"duration": 1e9},
        {"height": 17.0},
        {"heading": float("inf")},
    ],
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Capture(**options)  # type: ignore[arg-type]
