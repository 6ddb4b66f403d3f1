"""Planted soles stand still on the floor, lifted ones fly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.metrics.feet import (
    FeetReport,
    SoleMotion,
    measure_feet,
    sole_motions,
)
from telexist.retarget.metrics.link_motion import configurations, link_motion
from telexist.retarget.metrics.tracking import tracking_errors
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, exp_so3

Body = Callable[[str], RobotBody]

SLIDE = (0.005, 0.020)  # [m/s] median and p95, the issue's
DEPTH = 0.005  # [m] the issue's
HOVER = 0.010  # [m] the issue's
DRAGGED = 0.2  # [m/s] in the worst frame: a sole that rolls on an edge bears load too
LEANING = 6.5  # [deg] mean limb direction error, both feet held through the squat
STILL = 1e-3  # [m] over a second of standing
HEIGHT = 0.15  # share of a jump's height that speed limits and damping may cost

ROBOTS = ("icub", "g1", "talos", "human66")
FOUND = ("romeo", "jvrc1", "human48", "nao", "atlas", "h1", "valkyrie", "ergocub")
GRAVITY = 9.81  # [m/s^2]
RATE = 120.0  # [Hz]


def soles_of(body: RobotBody, motion: RobotMotion) -> dict[str, SoleMotion]:
    links = link_motion(body, motion, [sole.link for sole in body.soles.values()])
    return sole_motions(body, motion, links)


def feet_of(body: RobotBody, motion: RobotMotion) -> FeetReport:
    report = measure_feet(motion.time, soles_of(body, motion))
    assert report is not None
    return report


def check_feet(body: RobotBody, clip: HumanClip) -> None:
    report = feet_of(body, Retargeter(body, clip.size).run(clip))
    assert report.slide is not None
    assert report.hover is not None
    assert report.slide.p50 < SLIDE[0]
    assert report.slide.p95 < SLIDE[1]
    assert report.depth < DEPTH
    assert report.hover < HOVER


@pytest.mark.parametrize("name", ROBOTS)
def test_planted_soles_stand_still_and_on_the_floor(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    check_feet(body_of(name), builtin)


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_planted_soles_of_all_robots_stand_still(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    check_feet(body_of(name), builtin)


@pytest.mark.slow
@pytest.mark.parametrize("clip", ["cmu/111_37.bvh", "cmu/13_29.bvh"])
def test_feet_that_cannot_be_flat_do_not_sink(
    clip: str, body_of: Body, shared_motions: Path
) -> None:
    """H1 has no ankle roll, and these people lean on one leg or kneel."""
    body, human = body_of("h1"), read_clip(shared_motions / clip)
    report = feet_of(body, Retargeter(body, human.size).run(human))
    assert report.depth < DEPTH


@pytest.mark.slow
def test_a_foot_that_lands_does_not_drag_the_other(
    body_of: Body, builtin: HumanClip
) -> None:
    """Without ankle roll, the sole of H1 turns flat only with the whole robot."""
    body = body_of("h1")
    report = feet_of(body, Retargeter(body, builtin.size).run(builtin))
    assert report.slide is not None
    assert report.slide.max < DRAGGED


@pytest.mark.slow
def test_without_ankle_roll_the_sole_leans_rather_than_the_robot(
    body_of: Body, shared_motions: Path
) -> None:
    """Asked to be flat at any price, H1 was 7 degrees off in the mean of this squat."""
    body, human = body_of("h1"), read_clip(shared_motions / "cmu/115_06.bvh")
    motion = Retargeter(body, human.size).run(human)
    links = link_motion(body, motion, body.links.values())
    errors = tracking_errors(human, body, links).limb_direction
    assert np.degrees(errors.mean()) < LEANING
    assert motion.contact_left.mean() > 0.5


@pytest.mark.parametrize("name", ROBOTS)
def test_feet_are_planted_when_the_person_stands(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    motion = Retargeter(body_of(name), builtin.size).run(builtin)
    standing = builtin.time < 12.0  # N-pose, wave, reach and squat: both feet stand
    assert motion.contact_left[standing].mean() > 0.97
    assert motion.contact_right[standing].mean() > 0.97


@pytest.mark.parametrize("name", ROBOTS)
def test_a_lifted_leg_is_not_planted_and_the_other_is(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    motion = Retargeter(body, builtin.size).run(builtin)
    soles = soles_of(body, motion)
    heights = {
        side: builtin.positions[:, SEGMENTS.index(f"{side.capitalize()}Foot"), 2]
        for side in ("left", "right")
    }
    for lifted, other in (("left", "right"), ("right", "left")):
        rest = heights[lifted].min()
        up = (heights[lifted] > rest + 0.1) & (builtin.time < 20.0)
        assert up.sum() > 30  # the person does stand on one leg
        assert not soles[lifted].planted[up].any()
        assert soles[other].planted[up].mean() > 0.95
        assert soles[lifted].corners[up][..., 2].min() > 0.02


@pytest.mark.parametrize("name", ROBOTS)
def test_the_squat_lowers_the_base_over_standing_feet(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    motion = Retargeter(body, builtin.size).run(builtin)
    bottom = int(np.argmin(builtin.positions[:, 0, 2]))
    scale = body.leg_length / builtin.size.leg_length
    person = builtin.positions[0, 0, 2] - builtin.positions[bottom, 0, 2]
    robot = motion.base_position[0, 2] - motion.base_position[bottom, 2]
    assert robot > 0.5 * scale * person
    assert motion.contact_left[bottom]
    assert motion.contact_right[bottom]


def standing_clip(lift: Array, time: Array) -> HumanClip:
    """Return a person in N-pose whose whole body is lifted by `lift` (t, 3) [m]."""
    size, t = adult_size(), len(time)
    rotations = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    velocity = np.gradient(lift, time, axis=0)
    return HumanClip(
        name="made",
        source="test",
        time=time,
        rotations=rotations,
        angular_velocities=np.zeros((t, len(SEGMENTS), 3)),
        positions=size.positions(rotations, size.joints["Pelvis"] + lift),
        linear_velocities=np.repeat(velocity[:, None], len(SEGMENTS), axis=1),
        size=size,
    )


def jump(speed: float) -> tuple[HumanClip, np.ndarray]:
    """Return a ballistic jump between two seconds of standing, and when it flies."""
    time = np.arange(0.0, 2.0 + 2.0 * speed / GRAVITY, 1.0 / RATE)
    since = np.clip(time - 1.0, 0.0, 2.0 * speed / GRAVITY)
    lift = np.zeros((len(time), 3))
    lift[:, 2] = speed * since - 0.5 * GRAVITY * since**2
    return standing_clip(lift, time), lift[:, 2]


@pytest.mark.parametrize("speed", [1.5, 2.5])
@pytest.mark.parametrize("name", ROBOTS)
def test_a_jump_keeps_its_flight_phase(name: str, speed: float, body_of: Body) -> None:
    body = body_of(name)
    clip, lift = jump(speed)
    motion = Retargeter(body, clip.size).run(clip)
    soles = soles_of(body, motion)
    scale = body.leg_length / clip.size.leg_length
    high = lift > 0.06
    for sole in soles.values():
        assert not sole.planted[high].any()
        assert sole.corners[high][..., 2].min() > 0.0
        top = float(sole.centre[:, 2].max())
        assert top == pytest.approx(scale * lift.max(), rel=HEIGHT)
        assert sole.planted[clip.time < 0.9].all()
        assert sole.planted[-int(0.5 * RATE) :].all()
        assert np.abs(sole.centre[-1, :2] - sole.centre[0, :2]).max() < STILL
        assert sole.corners[..., 2].min() > -DEPTH


@pytest.mark.parametrize("name", ROBOTS)
def test_a_person_who_stands_is_a_robot_that_stands(name: str, body_of: Body) -> None:
    time = np.arange(0.0, 3.0, 1.0 / 60.0)
    clip = standing_clip(np.zeros((len(time), 3)), time)
    body = body_of(name)
    motion = Retargeter(body, clip.size).run(clip)
    assert np.ptp(motion.joint_positions[60:], axis=0).max() < STILL
    assert np.ptp(motion.base_position[60:], axis=0).max() < STILL
    for sole in soles_of(body, motion).values():
        assert sole.planted.all()
        assert np.abs(sole.corners[..., 2]).max() < STILL


def test_a_noisy_floor_does_not_lift_standing_feet(
    body_of: Body, builtin: HumanClip
) -> None:
    """A centimetre up or down is what recordings are wrong by."""
    body = body_of("g1")
    for shift in (-0.01, 0.01):
        lifted = replace(builtin, positions=builtin.positions + [0.0, 0.0, shift])
        check_feet(body, lifted)


@pytest.mark.parametrize("name", ["g1", "talos"])
def test_knees_elbows_and_wrists_of_a_person_who_lies_stay_above_the_floor(
    name: str, body_of: Body
) -> None:
    body, size, t = body_of(name), adult_size(), 60
    prone = exp_so3([0.0, np.pi / 2.0, 0.0])
    rotations = np.tile(prone, (t, len(SEGMENTS), 1, 1))
    positions = size.positions(rotations, np.tile([0.0, 0.0, 0.08], (t, 1)))
    time = np.arange(t) / 60.0
    zeros = np.zeros_like(positions)
    clip = HumanClip(
        name="made",
        source="test",
        time=time,
        rotations=rotations,
        angular_velocities=zeros,
        positions=positions,
        linear_velocities=zeros,
        size=size,
    )
    motion = Retargeter(body, clip.size).run(clip)
    body.kinematics.update(next(configurations(body, motion, [t - 1])))
    for segment in ("LowerLeg", "ForeArm", "Hand"):
        for side in ("Left", "Right"):
            link, point = body.points[f"{side}{segment}"]
            frame = body.kinematics.frame(link)
            R, p = body.kinematics.rotation(frame), body.kinematics.position(frame)
            assert (p + R @ point)[2] > 0.05 * body.leg_length
