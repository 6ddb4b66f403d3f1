"""Sources that show a part of the person, or no positions: the robot stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.follow.frame_arrays import frame_arrays
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.metrics.feet import sole_motions
from telexist.retarget.metrics.link_motion import link_motion
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame, RobotFrame, RobotMotion
from telexist.retarget.so3 import Array, log_so3

Body = Callable[[str], RobotBody]

PLANTED = 2e-3  # [m] planted soles may creep this far while the body moves above them
NEAR = 0.1  # [m] base and joints of two sources of the same motion
JUMP = 0.05  # [m] that the base may move in a frame: 3 m/s

HEADSET = ("Head", "LeftHand", "RightHand")
UPPER = tuple(
    name
    for name in SEGMENTS
    if "Leg" not in name and "Foot" not in name and "Toe" not in name
)
ARMS_ONLY = tuple(name for name in SEGMENTS if "Arm" in name or "Hand" in name)


def only(frame: HumanFrame, names: Sequence[str]) -> HumanFrame:
    index = [SEGMENTS.index(name) for name in names]
    assert frame.positions is not None
    assert frame.linear_velocities is not None
    return HumanFrame(
        stamp=frame.stamp,
        segments=tuple(names),
        rotations=frame.rotations[index],
        angular_velocities=frame.angular_velocities[index],
        positions=frame.positions[index],
        linear_velocities=frame.linear_velocities[index],
        sequence=frame.sequence,
    )


def without_positions(frame: HumanFrame) -> HumanFrame:
    return replace(frame, positions=None, linear_velocities=None)


def motion_of(body: RobotBody, frames: Sequence[RobotFrame]) -> RobotMotion:
    return RobotMotion(
        robot=body.name,
        source="test",
        time=np.array([f.stamp for f in frames]),
        joint_names=body.kinematics.joints,
        joint_positions=np.array([f.q for f in frames]),
        joint_velocities=np.array([f.dq for f in frames]),
        base_position=np.array([f.world_p_base for f in frames]),
        base_rotation=np.array([f.world_R_base for f in frames]),
        contact_left=np.array([f.planted[0] for f in frames]),
        contact_right=np.array([f.planted[1] for f in frames]),
    )


def soles(body: RobotBody, motion: RobotMotion) -> dict[str, Array]:
    links = link_motion(body, motion, [sole.link for sole in body.soles.values()])
    found = sole_motions(body, motion, links)
    return {side: sole.corners for side, sole in found.items()}


@pytest.mark.parametrize("position", [True, False], ids=["placed", "turned"])
@pytest.mark.parametrize(
    "names", [HEADSET, UPPER, ARMS_ONLY], ids=["headset", "upper", "arms"]
)
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_a_source_without_legs_leaves_the_feet_planted(
    name: str,
    names: tuple[str, ...],
    position: bool,
    body_of: Body,
    builtin: HumanClip,
) -> None:
    body = body_of(name)
    retargeter, found = Retargeter(body, builtin.size), []
    for k in range(0, 700):
        frame = only(builtin.frame(k), names)
        frame = frame if position else without_positions(frame)
        found.append(retargeter.step(frame))
    motion = motion_of(body, found)
    assert np.isfinite(motion.joint_positions).all()
    assert np.all(motion.joint_positions >= body.lower)
    assert np.all(motion.joint_positions <= body.upper)
    assert motion.contact_left.all()
    assert motion.contact_right.all()
    for corners in soles(body, motion).values():
        assert np.abs(corners - corners[0]).max() < PLANTED


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_arms_follow_a_source_that_shows_only_the_upper_body(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    part, whole = (Retargeter(body, builtin.size) for _ in range(2))
    arm = [SEGMENTS.index(f"Right{part_}") for part_ in ("UpperArm", "ForeArm")]
    for k in range(0, 450):  # the wave and the reach
        frame = builtin.frame(k)
        a, b = part.step(only(frame, UPPER)), whole.step(frame)
    assert len(arm) == 2
    moved = [j for j in body.kinematics.joints if "shoulder" in j or "elbow" in j]
    index = [body.kinematics.index(j) for j in moved]
    np.testing.assert_allclose(a.q[index], b.q[index], atol=NEAR)


@pytest.mark.parametrize("name", ["icub", "g1", "baxter", "human66"])
def test_a_whole_body_without_positions_stands_on_its_lowest_foot(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    retargeter = Retargeter(body, builtin.size)
    found = [retargeter.step(without_positions(builtin.frame(k))) for k in range(720)]
    whole = Retargeter(body, builtin.size).run(builtin)
    motion = motion_of(body, found)
    assert np.isfinite(motion.base_position).all()
    # the legs squat as with positions, without being told how high the pelvis is
    bottom = int(np.argmin(builtin.positions[:720, 0, 2]))
    np.testing.assert_allclose(
        motion.joint_positions[bottom], whole.joint_positions[bottom], atol=NEAR
    )
    for corners in soles(body, motion).values():
        assert corners[..., 2].min() > -0.005


def jumps(found: Sequence[RobotFrame]) -> float:
    places = np.array([f.world_p_base for f in found])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=-1).max())


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_the_base_does_not_jump_when_the_pelvis_comes_into_view(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    away = np.array([5.0, -4.0, 0.0])
    retargeter, found = Retargeter(body_of(name), builtin.size), []
    for k in range(60):
        frame = builtin.frame(k)
        frame = replace(frame, positions=frame.positions + away)
        found.append(retargeter.step(only(frame, HEADSET) if k < 30 else frame))
    assert jumps(found) < JUMP


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_the_base_does_not_jump_when_positions_come_and_go(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    away = np.array([5.0, -4.0, 0.0])
    retargeter, found = Retargeter(body_of(name), builtin.size), []
    for k in range(90):
        frame = builtin.frame(k)
        frame = replace(frame, positions=frame.positions + away)
        hidden = (k // 15) % 2 == 1
        found.append(retargeter.step(without_positions(frame) if hidden else frame))
    assert jumps(found) < JUMP


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_segments_that_vanish_and_return_do_not_make_joints_jump(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    retargeter, before = Retargeter(body, builtin.size), None
    for k in range(400):
        frame = builtin.frame(k)
        frame = only(frame, UPPER) if (k // 20) % 2 else frame
        found = retargeter.step(frame)
        if before is not None:
            dt = found.stamp - before.stamp
            assert np.all(np.abs(found.q - before.q) <= 1.001 * body.velocity * dt)
            turned = log_so3(found.world_R_base @ before.world_R_base.T)
            assert np.linalg.norm(turned) < 0.2
        before = found


def test_the_order_of_segments_plays_no_part(body_of: Body, builtin: HumanClip) -> None:
    one, other = (Retargeter(body_of("g1"), builtin.size) for _ in range(2))
    for k in range(300, 320):
        frame = builtin.frame(k)
        a, b = one.step(frame), other.step(only(frame, SEGMENTS[::-1]))
        np.testing.assert_array_equal(a.q, b.q)


def test_frames_of_all_kinds_run_the_same_machine_code(
    body_of: Body, builtin: HumanClip
) -> None:
    """A kind that needed its own would stop a live session to compile it."""
    retargeter = Retargeter(body_of("g1"), builtin.size)
    kinds = [
        builtin.frame(0),
        without_positions(builtin.frame(1)),
        only(builtin.frame(2), UPPER),
        without_positions(only(builtin.frame(3), HEADSET)),
        replace(builtin.frame(4), linear_velocities=None),
    ]
    for frame in kinds:
        retargeter.step(frame)
    layouts = {
        tuple((a.dtype, a.flags.writeable, a.flags.c_contiguous) for a in arrays)
        for arrays in (
            (found.R, found.w, found.p, found.v, found.shown)
            for found in (frame_arrays(frame, builtin.size) for frame in kinds)
        )
    }
    assert len(layouts) == 1
