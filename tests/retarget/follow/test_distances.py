"""Links keep away from each other and off the floor, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.follow import Retargeter, RetargetSettings
from telexist.retarget.metrics.collisions import Collisions, find_collisions
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.description import RobotModel
from telexist.robots.urdf import link_hulls

RATE = 60.0  # [Hz]
ARM = ("UpperArm", "ForeArm", "Hand")
NOTHING = RetargetSettings(distances=False)
APART = RetargetSettings(distances=True)


def person(
    builtin: HumanClip, rotations: Array, height: Array | None = None
) -> HumanClip:
    """Return a clip of a person whose segments turn where they are.

    Args:
        builtin: Whose size it is.
        rotations: Of the segments (t, 23, 3, 3).
        height: Of the pelvis (t,) [m]; as it stands if None.
    """
    frames, names = len(rotations), list(SEGMENT_INDEX)
    places = np.array([builtin.size.joints[name] for name in names])
    positions = np.tile(places, (frames, 1, 1))
    if height is not None:  # laid down as a whole
        away = positions - positions[:, :1]
        positions = positions[:, :1] + np.einsum("tij,tkj->tki", rotations[:, 0], away)
        positions[..., 2] += (height - places[0, 2])[:, None]
    return replace(
        builtin,
        time=np.arange(frames) / RATE,
        rotations=rotations,
        positions=positions,
        angular_velocities=np.zeros((frames, len(names), 3)),
        linear_velocities=np.zeros((frames, len(names), 3)),
        hand_points=None,
    )


def standing(frames: int) -> Array:
    return np.tile(np.eye(3), (frames, len(SEGMENT_INDEX), 1, 1))


def turn(rotations: Array, segments: list[str], R: Array) -> None:
    """Turn segments, by one rotation for each frame, in place."""
    for segment in segments:
        k = SEGMENT_INDEX[segment]
        rotations[:, k] = R @ rotations[:, k]


def there_and_back(frames: int) -> Array:
    """Return shares that rise to 1 in a second, stay, and fall again."""
    t = np.arange(frames) / RATE
    up = np.clip(t - 0.5, 0.0, 1.0)
    down = np.clip(t[-1] - 0.5 - t, 0.0, 1.0)
    share = np.minimum(up, down)
    return share * share * (3.0 - 2.0 * share)


def folding_arms(builtin: HumanClip) -> HumanClip:
    """Return a person who folds both forearms through the belly, and waits there."""
    rotations, share = standing(300), there_and_back(300)[:, None]
    for side, sign in (("Left", -1.0), ("Right", 1.0)):
        lifts = exp_so3(share * np.array([0.0, -np.pi / 2.0, 0.0]))
        inwards = exp_so3(sign * share * np.array([0.0, 0.0, 0.55 * np.pi]))
        turn(rotations, [f"{side}ForeArm", f"{side}Hand"], lifts)
        turn(rotations, [f"{side}ForeArm", f"{side}Hand"], inwards)
    return person(builtin, rotations)


def judged(robot: RobotModel, motion: RobotMotion) -> Collisions:
    """Return what coal says of the convex shapes of the links."""
    return find_collisions(robot.body, motion, link_hulls(robot.urdf).collision)


@pytest.mark.parametrize("name", ["g1", "talos"])
def test_arms_that_would_go_through_the_trunk_stay_before_it(
    name: str, robot_of: Callable[[str], RobotModel], builtin: HumanClip
) -> None:
    robot, clip = robot_of(name), folding_arms(builtin)
    through = judged(robot, Retargeter(robot.body, clip.size, NOTHING).run(clip))
    kept = Retargeter(robot.body, clip.size, APART).run(clip)
    assert through.deep_frames > 20
    assert judged(robot, kept).deep_frames == 0
    waiting = slice(120, 200)
    assert np.sqrt((kept.joint_velocities[waiting] ** 2).mean()) < 0.02, "it trembles"


@pytest.mark.parametrize("name", ["g1", "talos"])
def test_a_motion_in_which_nothing_comes_near_is_the_same_to_the_last_bit(
    name: str, body_of: Callable[[str], RobotBody], builtin: HumanClip
) -> None:
    body, rotations = body_of(name), standing(120)
    t = np.arange(120)[:, None] / RATE
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        out = sign * (0.7 + 0.3 * np.sin(2.0 * t)) * np.array([1.0, 0.0, 0.0])
        turn(rotations, [f"{side}{part}" for part in ARM], exp_so3(out))
    clip = person(builtin, rotations)
    kept = Retargeter(body, clip.size, APART).run(clip)
    free = Retargeter(body, clip.size, NOTHING).run(clip)
    assert (kept.joint_positions == free.joint_positions).all()
    assert (kept.base_position == free.base_position).all()


def lying(builtin: HumanClip, axis: Array) -> HumanClip:
    """Return a person who is laid down about an axis, the middle at 0.1 m."""
    rotations, share = standing(240), there_and_back(240)
    turn(rotations, list(SEGMENT_INDEX), exp_so3(share[:, None] * axis * np.pi / 2.0))
    stands = builtin.size.joints["Pelvis"][2]
    return person(builtin, rotations, stands + share * (0.1 - stands))


@pytest.mark.parametrize("axis", [(0, 1, 0), (0, -1, 0), (1, 0, 0)], ids=str)
def test_a_robot_that_lies_down_stays_on_the_floor(
    axis: tuple[float, float, float],
    robot_of: Callable[[str], RobotModel],
    builtin: HumanClip,
) -> None:
    robot, clip = robot_of("g1"), lying(builtin, np.array(axis, dtype=float))
    kept = Retargeter(robot.body, clip.size, APART).run(clip)
    assert judged(robot, kept).floor_depth < 0.01


def test_a_first_frame_in_which_arms_are_in_the_trunk_starts_beside_it(
    robot_of: Callable[[str], RobotModel], builtin: HumanClip
) -> None:
    robot, clip = robot_of("g1"), folding_arms(builtin)
    inside = replace(
        clip,
        time=clip.time[:2],
        rotations=clip.rotations[150:152],
        positions=clip.positions[150:152],
        angular_velocities=clip.angular_velocities[:2],
        linear_velocities=clip.linear_velocities[:2],
    )
    kept = Retargeter(robot.body, clip.size, APART).run(inside)
    assert judged(robot, kept).deep_frames == 0


def test_live_and_clip_are_the_same_where_links_touch(
    body_of: Callable[[str], RobotBody], builtin: HumanClip
) -> None:
    body, clip = body_of("g1"), folding_arms(builtin)
    whole = Retargeter(body, clip.size, APART).run(clip)
    live = Retargeter(body, clip.size, APART)
    q = np.array([live.step(frame).q for frame in clip.frames()])
    assert (q == whole.joint_positions).all()
