"""A limb starts in the best posture it has, and leaves one in which it is caught."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.metrics.link_motion import link_motion
from telexist.retarget.metrics.tracking import tracking_errors
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, angular_velocities, exp_so3

Body = Callable[[str], RobotBody]

RATE = 120.0  # [Hz]
RESTING = 10.0  # [deg] Baxter's forearms can hang within 7, its upper arms within 31
RESAMPLED = 1.0  # [deg] rms, the issue's
ARM = ("UpperArm", "ForeArm", "Hand")


def raised_arms(angles: Array) -> HumanClip:
    """Return a person who stands and raises both arms ahead by angles (t,) [rad]."""
    size, t = adult_size(), len(angles)
    time = np.arange(t) / RATE
    rotations = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    arms = exp_so3(np.array([0.0, -1.0, 0.0]) * angles[:, None])
    for side in ("Left", "Right"):
        for part in ARM:
            rotations[:, SEGMENTS.index(side + part)] = arms
    positions = size.positions(rotations, np.tile(size.joints["Pelvis"], (t, 1)))
    return HumanClip(
        name="made",
        source="test",
        time=time,
        rotations=rotations,
        angular_velocities=angular_velocities(rotations, time),
        positions=positions,
        linear_velocities=np.gradient(positions, time, axis=0),
        size=size,
    )


def arms_up_and_down(rest: float) -> HumanClip:
    """Return arms held out for 0.5 s, lowered in 1 s, then at rest for a time [s]."""
    out, down = np.full(60, 1.4), np.linspace(1.4, 0.0, 120)
    return raised_arms(np.concatenate([out, down, np.zeros(int(rest * RATE))]))


def forearms_deg(body: RobotBody, clip: HumanClip, motion: RobotMotion) -> Array:
    """Return how far each forearm points away from the person's (t, 2) [deg]."""
    links = link_motion(body, motion, body.links.values())
    errors = tracking_errors(clip, body, links)
    which = [errors.limbs.index(f"{side}ForeArm") for side in ("Left", "Right")]
    degrees: Array = np.degrees(errors.limb_direction[:, which])
    return degrees


def test_the_first_frame_is_reached_in_the_best_posture(body_of: Body) -> None:
    """Hanging arms suit Baxter best far from its neutral posture."""
    body, clip = body_of("baxter"), raised_arms(np.zeros(2))
    motion = Retargeter(body, clip.size).run(clip)
    assert forearms_deg(body, clip, motion)[0].max() < RESTING


@pytest.mark.parametrize("speed", [1.0, 10.0])
def test_a_limb_at_rest_leaves_a_posture_that_is_not_its_best(
    speed: float, body_of: Body
) -> None:
    body, clip = body_of("baxter"), arms_up_and_down(rest=20.0)
    body = replace(body, velocity=speed * body.velocity)
    motion = Retargeter(body, clip.size).run(clip)
    errors = forearms_deg(body, clip, motion)
    at_rest = clip.time > 1.5
    assert errors[at_rest].max() > RESTING  # it did get caught
    assert errors[-1].max() < RESTING


def test_a_limb_that_is_merely_late_stays(body_of: Body) -> None:
    """Arms that swing faster than the robot's do not send it on detours."""
    body = body_of("g1")
    angles = 0.6 + 0.6 * np.sin(2.0 * np.pi * np.arange(480) / RATE)
    clip = raised_arms(angles)
    slow = replace(body, velocity=0.05 * body.velocity)
    late = Retargeter(slow, clip.size).run(clip)
    straight = Retargeter(body, clip.size).run(clip)
    # a detour would end in another family of postures, radians away
    low = straight.joint_positions.min(axis=0) - 0.3
    high = straight.joint_positions.max(axis=0) + 0.3
    assert np.all(late.joint_positions > low)
    assert np.all(late.joint_positions < high)


@pytest.mark.parametrize("speed", [1.0, 10.0])
def test_when_a_limb_leaves_does_not_depend_on_the_rate(
    speed: float, body_of: Body
) -> None:
    body, fine = body_of("baxter"), arms_up_and_down(rest=6.0)
    body = replace(body, velocity=speed * body.velocity)
    every = slice(None, None, 2)
    coarse = replace(
        fine,
        time=fine.time[every],
        rotations=fine.rotations[every],
        angular_velocities=fine.angular_velocities[every],
        positions=fine.positions[every],
        linear_velocities=fine.linear_velocities[every],
    )
    a = Retargeter(body, fine.size).run(fine).joint_positions[every]
    b = Retargeter(body, fine.size).run(coarse).joint_positions
    assert np.degrees(np.sqrt(np.mean((a - b) ** 2))) < RESAMPLED
