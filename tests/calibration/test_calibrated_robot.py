"""From a noisy operator of any size to the robot: neutral stays neutral."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.calibration.capture import Capture, CaptureStatus
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.source_traits import SourceTraits
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human_size import HumanSize
from telexist.retarget.kinematics import Configuration
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotFrame
from telexist.retarget.so3 import Array, log_so3
from telexist.teleop.loop.operator_motion import OperatorMotion
from telexist.teleop.settings.settings import SafetySettings

Body = Callable[[str], RobotBody]
Make = Callable[..., object]
Run = Callable[..., CaptureStatus]

NEUTRAL = 1.0  # [deg] of every mapped link, the issue's
SAME = 1.0  # [deg] of every joint, the issue's
EXACT = 1e-4  # [deg] rounding, which grows where a knee is straight
FEW = 0.02  # of the frames may differ where a foot lands a frame earlier
SECONDS, RATE = 10.0, 60.0  # [s], [Hz] of noise while the robot follows
ROBOTS = ["icub", "g1", "talos", "nao"]


def links(body: RobotBody, found: RobotFrame | Configuration) -> dict[str, Array]:
    kinematics = body.kinematics
    kinematics.update(
        Configuration(
            world_p_base=found.world_p_base,
            world_R_base=found.world_R_base,
            q=found.q,
        )
    )
    return {
        segment: kinematics.rotation(kinematics.frame(link))
        for segment, link in body.links.items()
    }


def worst_deg(a: dict[str, Array], b: dict[str, Array]) -> float:
    return max(float(np.rad2deg(np.linalg.norm(log_so3(a[s] @ b[s].T)))) for s in a)


@pytest.fixture(scope="module")
def calibrated(stander: Make, run_capture: Run) -> list[tuple[object, OperatorProfile]]:
    """Return operators of several sizes and headings, captured with noise and sway."""
    found = []
    for seed, (height, heading) in enumerate([(1.5, 2.0), (1.75, -3.0), (2.0, 0.6)]):
        person = stander(
            height=height, heading=heading, place=(1.0, -2.0, 0.0), seed=seed
        )
        status = run_capture(person, Capture(countdown=0.1))
        assert status.profile is not None, status.reasons
        found.append((person, status.profile))
    return found


@pytest.mark.parametrize("name", ROBOTS)
def test_the_neutral_operator_leaves_the_robot_neutral(
    name: str, body_of: Body, calibrated: list[tuple[object, OperatorProfile]]
) -> None:
    body = body_of(name)
    clip = builtin_clip(5.0)  # begins in a perfect N-pose
    perfect = links(body, Retargeter(body, clip.size).step(clip.frame(0)))
    for person, profile in calibrated:
        retargeter = Retargeter(body, profile.size)
        for k in range(3):
            raw = person.neutral(100.0 + k / 60.0)
            found = links(body, retargeter.step(profile.apply(raw)))
        assert worst_deg(found, perfect) < NEUTRAL
        assert worst_deg(found, links(body, body.neutral)) < NEUTRAL


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_a_trembling_operator_leaves_the_robot_neutral_in_the_mean(
    name: str, body_of: Body, calibrated: list[tuple[object, OperatorProfile]]
) -> None:
    """The noise and sway of the capture go on while the robot follows."""
    body = body_of(name)
    neutral = links(body, body.neutral)
    for person, profile in calibrated:
        motion = OperatorMotion(
            lambda operator, _: Retargeter(body, operator.size), SafetySettings()
        )
        motion.take_profile(profile)
        total = {segment: np.zeros((3, 3)) for segment in neutral}
        for k in range(round(SECONDS * RATE)):
            raw = person.raw(person.standing(100.0 + k / RATE))
            assert motion.follow(raw) is None
            assert motion.targets is not None
            assert all(motion.targets.planted)
            for segment, R in links(body, motion.targets).items():
                total[segment] += R
        mean = {segment: nearest_rotation(R) for segment, R in total.items()}
        assert worst_deg(mean, neutral) < NEUTRAL


def nearest_rotation(R: Array) -> Array:
    U, _, V = np.linalg.svd(R)
    nearest: Array = U @ np.diag([1.0, 1.0, np.linalg.det(U @ V)]) @ V
    return nearest


def scaled(clip: HumanClip, height: float) -> HumanClip:
    """Return the same motion by a person of another height."""
    k = height / clip.size.height
    size = HumanSize(
        joints={name: k * p for name, p in clip.size.joints.items()},
        tips={name: k * p for name, p in clip.size.tips.items()},
    )
    return replace(
        clip,
        positions=k * clip.positions,
        linear_velocities=k * clip.linear_velocities,
        size=size,
    )


def performed(body: RobotBody, clip: HumanClip) -> Array:
    profile = OperatorProfile.identity(clip.size)
    retargeter = Retargeter(body, profile.size)
    return np.array([retargeter.step(profile.apply(f)).q for f in clip.frames()])


@pytest.mark.parametrize(
    "name",
    [
        "icub",
        "baxter",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("g1", "talos", "nao")
        ),
    ],
)
def test_two_operators_move_the_same_joints(name: str, body_of: Body) -> None:
    body, clip = body_of(name), builtin_clip(30.0)
    short, tall = (performed(body, scaled(clip, h)) for h in (1.55, 1.95))
    assert np.rad2deg(np.abs(short - tall)).max() < EXACT


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [
        "cmu/02_01.bvh",
        "cmu/16_35.bvh",
        "bandai_namco/dataset-1_kick_normal_001.bvh",
        "animated_drawings/jumping_jacks.bvh",
    ],
)
@pytest.mark.parametrize("name", ["icub", "g1", "talos", "nao", "baxter"])
def test_two_operators_of_one_recording_move_the_same_joints(
    name: str, file: str, body_of: Body, shared_motions: Path
) -> None:
    body, clip = body_of(name), read_clip(shared_motions / file)
    short, tall = (performed(body, scaled(clip, h)) for h in (1.55, 1.95))
    assert np.rad2deg(np.abs(short - tall)).max() < EXACT


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "baxter"])
def test_two_calibrated_operators_move_the_same_joints(
    name: str, body_of: Body, stander: Make, run_capture: Run
) -> None:
    """Each with an own capture, heading and place, by good sensors."""
    body, clip = body_of(name), builtin_clip(30.0)
    joints = []
    for height, heading in ((1.55, 0.4), (1.95, -2.0)):
        motion = scaled(clip, height)
        person = stander(
            heading=heading, size=motion.size, noise_deg=0.05, any_frames=False
        )
        known = SourceTraits(aligned=frozenset(SEGMENTS))
        status = run_capture(person, Capture(countdown=0.1, traits=known))
        assert status.profile is not None, status.reasons
        retargeter = Retargeter(body, status.profile.size)
        raw = (person.raw(frame, noisy=False) for frame in motion.frames())
        joints.append([retargeter.step(status.profile.apply(f)).q for f in raw])
    apart = np.rad2deg(np.abs(np.array(joints[0]) - np.array(joints[1]))).max(axis=1)
    assert np.mean(apart > SAME) < FEW
    assert np.median(apart) < SAME / 10.0
