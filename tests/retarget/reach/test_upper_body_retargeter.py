"""Head and hands drive the robot: reached, turned, inside all limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadFrame
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.human_size import HumanSize
from telexist.retarget.kinematics import Configuration
from telexist.retarget.reach.arm import straightened
from telexist.retarget.reach.choose import choose_retargeter
from telexist.retarget.reach.upper_body_retargeter import UpperBodyRetargeter
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.rotation_map import fixed_rotation_map
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame, RobotFrame
from telexist.retarget.so3 import Array, log_so3, rotation_y, rotation_z

Body = Callable[[str], RobotBody]

HEADSET = ("Head", "LeftHand", "RightHand")
TRACKERS = (*HEADSET, "Pelvis", "LeftFoot", "RightFoot")
ROBOTS = ["icub", "g1", "talos", "nao", "baxter", "h1"]
REACHED = 0.02  # [m] the median hand of robots that keep up, from its scaled place
HANGING = 0.04  # [m] the iCub's elbows stay bent, so its hands hang ahead
TURNED = 5.0  # [deg] the median hand of robots with wrists
NEUTRAL = 1.0  # [deg] of every joint
SAME = 1e-4  # [rad] rounding, which grows where an arm is straight
FLAT = 0.003  # [m] of a sole that stands
RATE = 60.0
ENDS = ("UpperArm", "Hand")


def only(frame: HumanFrame, names: Sequence[str]) -> HumanFrame:
    rows = [frame.segments.index(name) for name in names]
    return replace(
        frame,
        segments=tuple(names),
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=frame.positions[rows],
        linear_velocities=frame.linear_velocities[rows],
    )


def standing(
    size: HumanSize, turns: dict[str, Array], stamp: float, sunk: float = 0.0
) -> HumanFrame:
    """Return a person with some segments turned, by forward kinematics."""
    R = np.array([turns.get(name, np.eye(3)) for name in SEGMENTS])
    pelvis = size.joints["Pelvis"] - np.array([0.0, 0.0, sunk])
    zeros = np.zeros((len(SEGMENTS), 3))
    return HumanFrame(
        stamp=stamp,
        segments=SEGMENTS,
        rotations=R,
        angular_velocities=zeros,
        positions=size.positions(R, pelvis),
        linear_velocities=zeros,
    )


def place(body: RobotBody, found: RobotFrame, segment: str) -> Array:
    """Return where the robot has the joint of a segment (3,) [m]."""
    kinematics = body.kinematics
    kinematics.update(
        Configuration(
            world_p_base=found.world_p_base, world_R_base=found.world_R_base, q=found.q
        )
    )
    link, point = body.points[segment]
    frame = kinematics.frame(link)
    return kinematics.position(frame) + kinematics.rotation(frame) @ point


def arm_of(body: RobotBody, side: str) -> tuple[Array, float]:
    """Return the robot's shoulder under an upright trunk, and its arm's length [m]."""
    neutral = RobotFrame(
        stamp=0.0,
        q=body.neutral.q,
        dq=np.zeros_like(body.neutral.q),
        world_p_base=body.neutral.world_p_base,
        world_R_base=body.neutral.world_R_base,
        planted=(True, True),
    )
    names = [f"{side}{part}" for part in ("UpperArm", "ForeArm", "Hand")]
    shoulder, elbow, wrist = (place(body, neutral, name) for name in names)
    length = np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow)
    return shoulder, float(length)


def hold(
    retargeter: UpperBodyRetargeter, frame: HumanFrame, seconds: float
) -> RobotFrame:
    """Show the same pose for some time."""
    for k in range(int(seconds * RATE)):
        found = retargeter.step(replace(frame, stamp=frame.stamp + (k + 1) / RATE))
    return found


@pytest.mark.parametrize("name", ROBOTS)
def test_n_pose_is_the_robots_neutral_posture(name: str, body_of: Body) -> None:
    body, size = body_of(name), adult_size(1.7)
    retargeter = UpperBodyRetargeter(body, size)
    found = retargeter.step(only(standing(size, {}, 0.0), HEADSET))
    assert np.rad2deg(np.abs(found.q - body.neutral.q)).max() < NEUTRAL
    np.testing.assert_allclose(found.world_p_base, body.neutral.world_p_base)


@pytest.mark.parametrize("height", [1.55, 1.95])
@pytest.mark.parametrize("name", ["icub", "g1", "talos", "human66"])
def test_hands_reach_places_scaled_by_arm_length(
    name: str, height: float, body_of: Body
) -> None:
    """Upper arm half ahead, elbow bent: shoulder to wrist is scaled, whoever it is."""
    body, size = body_of(name), adult_size(height)
    turns = {}
    for side in ("Left", "Right"):
        turns[f"{side}UpperArm"] = rotation_y(-0.4)
        for part in ("ForeArm", "Hand"):
            turns[f"{side}{part}"] = rotation_y(-1.6)
    frame = standing(size, turns, 0.0)
    retargeter = UpperBodyRetargeter(body, size)
    retargeter.step(only(frame, HEADSET))
    found = hold(retargeter, only(frame, HEADSET), 1.0)
    for side in ("Left", "Right"):
        shoulder, own = arm_of(body, side)
        person = [frame.positions[SEGMENTS.index(f"{side}{p}")] for p in ENDS]
        wanted = (person[1] - person[0]) * own / size.arm_length
        wrist = place(body, found, f"{side}Hand")
        np.testing.assert_allclose(wrist - shoulder, wanted, atol=REACHED)


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_operators_of_any_size_move_the_same_joints(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body, q = body_of(name), []
    for k in (0.85, 1.15):
        size = HumanSize(
            joints={n: k * p for n, p in builtin.size.joints.items()},
            tips={n: k * p for n, p in builtin.size.tips.items()},
        )
        retargeter = UpperBodyRetargeter(body, size)
        frames = (only(builtin.frame(i), HEADSET) for i in range(100, 500, 8))
        q.append(
            [retargeter.step(replace(f, positions=k * f.positions)).q for f in frames]
        )
    np.testing.assert_allclose(q[0], q[1], atol=SAME)


@pytest.mark.parametrize(
    "name",
    [
        "icub",
        "g1",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("talos", "nao", "baxter", "h1")
        ),
    ],
)
def test_a_whole_clip_stays_inside_all_limits(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    retargeter, before = UpperBodyRetargeter(body, builtin.size), None
    for k in range(0, len(builtin), 4):
        found = retargeter.step(only(builtin.frame(k), HEADSET))
        assert np.isfinite(found.q).all() and np.isfinite(found.dq).all()
        assert np.all(found.q >= body.lower) and np.all(found.q <= body.upper)
        if before is not None:
            dt = found.stamp - before.stamp
            moved = np.abs(found.q - before.q)
            assert np.all(moved <= body.velocity * dt * (1.0 + 1e-6) + 1e-9)
            np.testing.assert_allclose(found.dq, (found.q - before.q) / dt)
        before = found


@pytest.mark.parametrize("name", ["g1", "talos", "icub"])
def test_hands_follow_a_clip_in_place_and_direction(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    """While the person stands: the wave and the reach, the first eight seconds."""
    body = body_of(name)
    retargeter = UpperBodyRetargeter(body, builtin.size)
    human_R_robot = fixed_rotation_map(body)
    arms = {side: arm_of(body, side) for side in ("Left", "Right")}
    far, turned = [], []
    for k in range(0, 480, 4):
        frame = builtin.frame(k)
        found = retargeter.step(only(frame, HEADSET))
        for side in ("Left", "Right"):
            shoulder, own = arms[side]
            person = [frame.positions[SEGMENTS.index(f"{side}{p}")] for p in ENDS]
            wanted = (person[1] - person[0]) * own / builtin.size.arm_length
            hand = f"{side}Hand"
            wrist = place(body, found, hand)
            far.append(float(np.linalg.norm(wrist - shoulder - wanted)))
            link = body.kinematics.frame(body.links[hand])
            target = frame.rotations[SEGMENTS.index(hand)]
            wanted_R = target @ human_R_robot[hand]
            now = body.kinematics.rotation(link)
            turned.append(np.rad2deg(np.linalg.norm(log_so3(wanted_R @ now.T))))
    assert np.median(far) < (HANGING if name == "icub" else REACHED)
    assert np.median(turned) < TURNED


def test_the_head_turns_and_the_trunk_follows_in_time(body_of: Body) -> None:
    body, size = body_of("icub"), adult_size()
    look = {"Head": rotation_z(0.3)}
    frame = only(standing(size, look, 0.0), HEADSET)
    retargeter = UpperBodyRetargeter(body, size)
    retargeter.step(only(standing(size, {}, 0.0), HEADSET))
    found = hold(retargeter, frame, 1.0)
    yaw = body.kinematics.index("neck_yaw")
    assert found.q[yaw] == pytest.approx(0.3, abs=0.03)
    # a person who turned round as a whole is again a person who looks ahead
    R = rotation_z(2.0)
    whole = standing(size, {}, 2.0)
    turned = replace(
        whole, rotations=R @ whole.rotations, positions=whole.positions @ R.T
    )
    found = hold(retargeter, only(turned, HEADSET), 10.0)
    assert abs(found.q[yaw]) < np.deg2rad(25.0)


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
@pytest.mark.parametrize("names", [TRACKERS, TRACKERS[:4]], ids=["feet", "pelvis"])
def test_a_pelvis_tracker_bends_the_knees_over_standing_feet(
    name: str, names: tuple[str, ...], body_of: Body
) -> None:
    body, size = body_of(name), adult_size()
    up = only(standing(size, {}, 0.0), names)
    low = standing(size, {}, 0.0, sunk=0.1)
    feet = [SEGMENTS.index(s) for s in ("LeftFoot", "RightFoot")]
    p = low.positions.copy()
    p[feet] = standing(size, {}, 0.0).positions[feet]
    retargeter = UpperBodyRetargeter(body, size)
    first = retargeter.step(up)
    assert np.rad2deg(np.abs(first.q - body.neutral.q)).max() < 2.0 * NEUTRAL
    found = hold(retargeter, only(replace(low, positions=p), names), 2.0)
    sunk = first.world_p_base[2] - found.world_p_base[2]
    assert sunk == pytest.approx(0.1 * body.leg_length / size.leg_length, rel=0.02)
    assert found.planted == (True, True)
    for sole in body.soles.values():
        place(body, found, "LeftHand")  # updates the kinematics
        frame = body.kinematics.frame(sole.link)
        R, p0 = body.kinematics.rotation(frame), body.kinematics.position(frame)
        corners = p0 + (sole.link_p_sole + sole.corners() @ sole.link_R_sole.T) @ R.T
        assert np.abs(corners[:, 2]).max() < FLAT


def test_a_hand_that_vanishes_is_held(body_of: Body) -> None:
    body, size = body_of("g1"), adult_size()
    turns = {f"Left{part}": rotation_y(-1.2) for part in ("ForeArm", "Hand")}
    frame = only(standing(size, turns, 0.0), HEADSET)
    retargeter = UpperBodyRetargeter(body, size)
    retargeter.step(frame)
    before = hold(retargeter, frame, 1.0)
    later = replace(only(frame, ("Head", "RightHand")), stamp=1.0)
    after = hold(retargeter, later, 1.0)
    assert np.rad2deg(np.abs(after.q - before.q)).max() < NEUTRAL


def test_frames_that_cannot_be_followed_change_nothing(body_of: Body) -> None:
    body, size = body_of("g1"), adult_size()
    retargeter = UpperBodyRetargeter(body, size)
    good = only(standing(size, {}, 1.0), HEADSET)
    first = retargeter.step(good)
    bad = good.positions.copy()
    bad[1, 0] = np.nan
    for frame in (
        replace(good, stamp=1.5, positions=bad),
        replace(good, stamp=1.5, positions=None, linear_velocities=None),
        replace(only(good, ("LeftHand", "RightHand")), stamp=1.5),
        good,
    ):
        with pytest.raises(BadFrame):
            retargeter.step(frame)
    again = retargeter.step(replace(good, stamp=1.5))
    np.testing.assert_allclose(again.q, first.q, atol=1e-6)


def test_the_right_retargeter_is_chosen(body_of: Body) -> None:
    body, size = body_of("g1"), adult_size()
    assert isinstance(choose_retargeter(body, size, HEADSET), UpperBodyRetargeter)
    assert isinstance(choose_retargeter(body, size, TRACKERS), UpperBodyRetargeter)
    assert isinstance(choose_retargeter(body, size, SEGMENTS), Retargeter)
    blind = choose_retargeter(body, size, HEADSET, placed=False)
    assert isinstance(blind, Retargeter)


def test_a_straight_arm_has_no_singularity() -> None:
    reach = np.linspace(0.0, 1.2, 2001)
    found = np.array([straightened(float(r)) for r in reach])
    assert found[0] == 0.0 and found[-1] == 1.0
    slope = np.diff(found) / np.diff(reach)
    assert slope.min() >= -1e-9 and slope.max() < 2.0
    # the angle of the elbow, arccos-like, moves at a finite rate
    elbow = 2.0 * np.arccos(np.clip(found, 0.0, 1.0))
    assert np.abs(np.diff(elbow) / np.diff(reach)).max() < 25.0
