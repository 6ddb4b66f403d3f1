"""Not one sample beyond a limit, on any clip, robot and frame rate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.metrics.limits import measure_limits
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import angular_velocities, slerp

Body = Callable[[str], RobotBody]
Take = Callable[[HumanClip, slice], HumanClip]

SHIPPED = ("icub", "g1", "talos", "romeo", "baxter", "jvrc1", "human66", "human48")
FOUND = ("nao", "atlas", "h1", "valkyrie", "ergocub", "booster_t1")
RATES = (30.0, 60.0, 144.0, 240.0)  # [Hz]
LONGEST = 8.0  # [s] of each recording

FILES = (
    "animated_drawings/jumping.bvh",
    "animated_drawings/jumping_jacks.bvh",
    "bandai_namco/dataset-1_kick_normal_001.bvh",
    "bandai_namco/dataset-1_run_normal_001.bvh",
    "bandai_namco/dataset-2_raise-up-both-hands_normal_001.bvh",
    "bvh_toolbox/test_mocapbank.bvh",
    "cmu/02_01.bvh",
    "cmu/02_04.bvh",
    "cmu/111_37.bvh",
    "cmu/13_29.bvh",
    "cmu/49_18.bvh",
    "cmu/87_02.bvh",
    "gmr_xsens/251021_04_boxing_120Hz_cm_3DsMax.bvh",
    "mvnx_blender_io/test_mocap.mvnx",
)


def check(body: RobotBody, clip: HumanClip) -> None:
    motion = Retargeter(body, clip.size).run(clip)
    report = measure_limits(body, motion)
    assert report.position_violations == 0, report.worst
    assert report.velocity_violations == 0, report.worst
    assert report.coupling_violations == 0, report.worst
    for array in (motion.joint_positions, motion.base_position, motion.base_rotation):
        assert np.isfinite(array).all()


def resampled(clip: HumanClip, rate: float) -> HumanClip:
    """Return the same motion at another rate, turned evenly between samples."""
    time = np.arange(0.0, min(clip.time[-1], LONGEST), 1.0 / rate)
    after = np.clip(np.searchsorted(clip.time, time, "right"), 1, len(clip) - 1)
    share = (time - clip.time[after - 1]) / np.diff(clip.time)[after - 1]
    rotations = slerp(
        clip.rotations[after - 1],
        clip.rotations[after],
        np.repeat(share[:, None], len(SEGMENTS), axis=1),
    )
    way = clip.positions[after] - clip.positions[after - 1]
    positions = clip.positions[after - 1] + share[:, None, None] * way
    return HumanClip(
        name=clip.name,
        source=clip.source,
        time=time,
        rotations=rotations,
        angular_velocities=angular_velocities(rotations, time),
        positions=positions,
        linear_velocities=np.gradient(positions, time, axis=0),
        size=clip.size,
    )


@pytest.mark.parametrize("name", SHIPPED + FOUND)
def test_the_builtin_motion_breaks_no_limit(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    check(body_of(name), builtin)


@pytest.mark.parametrize("rate", [30.0, 100.0, 240.0])
def test_the_frame_rate_breaks_no_limit(rate: float, body_of: Body) -> None:
    check(body_of("icub"), builtin_clip(rate))


@pytest.mark.parametrize("name", ["icub", "g1", "baxter"])
def test_motion_too_fast_for_any_robot_breaks_no_limit(
    name: str, body_of: Body, builtin: HumanClip, take: Take
) -> None:
    """Every tenth frame, played at the full rate: ten times as fast."""
    fast = take(builtin, slice(None, None, 10))
    check(
        body_of(name),
        HumanClip(
            name="fast",
            source="test",
            time=0.1 * fast.time,
            rotations=fast.rotations,
            angular_velocities=10.0 * fast.angular_velocities,
            positions=fast.positions,
            linear_velocities=10.0 * fast.linear_velocities,
            size=fast.size,
        ),
    )


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_a_person_who_turns_at_random_breaks_no_limit(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    """No two segments agree with each other, and no frame with the next."""
    rng = np.random.default_rng(0)
    t = 150
    time, order = builtin.time[:t], rng.permuted(np.arange(len(builtin)))[:t]
    mixed = np.stack(
        [builtin.rotations[rng.permuted(order), k] for k in range(len(SEGMENTS))],
        axis=1,
    )
    clip = HumanClip(
        name="random",
        source="test",
        time=time,
        rotations=mixed,
        angular_velocities=angular_velocities(mixed, time),
        positions=builtin.positions[order],
        linear_velocities=np.gradient(builtin.positions[order], time, axis=0),
        size=builtin.size,
    )
    check(body_of(name), clip)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_no_recording_breaks_a_limit_at_any_rate(
    file: str, body_of: Body, shared_motions: Path
) -> None:
    clip = read_clip(shared_motions / file)
    for name in ("icub", "g1", "talos", "baxter", "human48"):
        for rate in RATES:
            check(body_of(name), resampled(clip, rate))
