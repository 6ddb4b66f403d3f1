"""Standing feet creep under noise, to where its mean has them, and under nothing else.

Soles are measured by pinocchio, from the joints.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.metrics.feet import measure_feet, sole_motions
from telexist.retarget.metrics.link_motion import link_motion
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, exp_so3, rotation_z

Body = Callable[[str], RobotBody]

RATE = 60.0  # [Hz]
NOISE = np.deg2rad(2.0) / np.sqrt(3.0)  # [rad] about each axis
FOUND = np.deg2rad(0.6)  # of a sole's heading, after some seconds of noise
STANCE = 0.006  # [m] of the feet's distance then; noise is wrong by three times that
STAYED = np.deg2rad(0.1)  # of a sole under a person who is seen clearly
SLIDE = 0.020  # [m/s] p95, the issue's
FEET = [SEGMENTS.index(f"{side}Foot") for side in ("Left", "Right")]


def standing(rotations: Array) -> HumanClip:
    """Return a person in N-pose whose segments are turned (t, s, 3, 3)."""
    size, t = adult_size(), len(rotations)
    still = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    zeros = np.zeros((t, len(SEGMENTS), 3))
    return HumanClip(
        name="made",
        source="test",
        time=np.arange(t) / RATE,
        rotations=rotations,
        angular_velocities=zeros,
        positions=size.positions(still, np.tile(size.joints["Pelvis"], (t, 1))),
        linear_velocities=zeros,
        size=size,
    )


def trembling(seed: int, seconds: float) -> HumanClip:
    rng = np.random.default_rng(seed)
    shape = (round(seconds * RATE), len(SEGMENTS), 3)
    return standing(exp_so3(rng.normal(scale=NOISE, size=shape)))


def headings(body: RobotBody, motion: RobotMotion) -> Array:
    """Return where the soles point (t, 2) [rad]; robots stand straight in neutral."""
    links = link_motion(body, motion, [sole.link for sole in body.soles.values()])
    found = []
    for side in ("left", "right"):
        sole = body.soles[side]
        x = (links.rotation(sole.link) @ sole.link_R_sole)[..., 0]
        found.append(np.arctan2(x[:, 1], x[:, 0]))
    return np.array(found).T


def apart(body: RobotBody, motion: RobotMotion) -> Array:
    """Return the way from the right sole to the left one (t, 2) [m]."""
    links = link_motion(body, motion, [sole.link for sole in body.soles.values()])
    soles = sole_motions(body, motion, links)
    between: Array = (soles["left"].centre - soles["right"].centre)[:, :2]
    return between


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_a_foot_planted_in_a_noisy_frame_gets_where_the_mean_has_it(
    name: str, seed: int, body_of: Body
) -> None:
    body, clip = body_of(name), trembling(seed, 8.0)
    motion = Retargeter(body, clip.size).run(clip)
    clear = standing(np.tile(np.eye(3), (2, len(SEGMENTS), 1, 1)))
    neutral = Retargeter(body, clip.size).run(clear)
    off = np.abs(headings(body, motion) - headings(body, neutral)[0]).max(axis=1)
    assert off[-60:].max() < FOUND
    stance = apart(body, motion) - apart(body, neutral)[0]
    wrong = np.linalg.norm(stance, axis=1)
    assert wrong[-60:].max() < max(STANCE, wrong[0] / 3.0)
    assert motion.contact_left.all() and motion.contact_right.all()


def test_it_creeps_slowly(body_of: Body) -> None:
    body, clip = body_of("g1"), trembling(0, 8.0)
    motion = Retargeter(body, clip.size).run(clip)
    links = link_motion(body, motion, [sole.link for sole in body.soles.values()])
    report = measure_feet(motion.time, sole_motions(body, motion, links))
    assert report is not None and report.slide is not None
    assert report.slide.p95 < SLIDE


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_under_a_person_who_is_seen_clearly_a_foot_stays(
    name: str, body_of: Body
) -> None:
    """The person turns both feet on the spot, by 10 degrees, less than lets them go."""
    body, t = body_of(name), round(5.0 * RATE)
    rotations = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    turned = np.deg2rad(5.0) * (1.0 - np.cos(2.0 * np.pi * np.arange(t) / t))
    for foot in FEET:
        rotations[:, foot] = [rotation_z(angle) for angle in turned]
    motion = Retargeter(body, adult_size()).run(standing(rotations))
    assert np.ptp(headings(body, motion), axis=0).max() < STAYED
