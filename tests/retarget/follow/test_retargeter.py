"""The Python API: live and whole-clip use agree, bad frames leave no trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadFrame
from telexist.retarget.follow.retargeter import Retargeter, RetargetSettings
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame, RobotFrame, RobotMotion

Body = Callable[[str], RobotBody]
Take = Callable[[HumanClip, slice], HumanClip]

ROBOTS = ("icub", "g1", "baxter", "human66")


def frames_of(motion: RobotMotion) -> list[tuple[np.ndarray, ...]]:
    return list(
        zip(
            motion.joint_positions,
            motion.joint_velocities,
            motion.base_position,
            motion.base_rotation,
            motion.contact_left,
            motion.contact_right,
            strict=True,
        )
    )


def assert_same(a: RobotMotion, b: RobotMotion) -> None:
    """Demand equality to the last bit."""
    for left, right in zip(frames_of(a), frames_of(b), strict=True):
        for x, y in zip(left, right, strict=True):
            np.testing.assert_array_equal(x, y)


def assert_same_frame(a: RobotFrame, b: RobotFrame) -> None:
    for name in ("q", "dq", "world_p_base", "world_R_base"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert (a.stamp, a.planted) == (b.stamp, b.planted)


@pytest.fixture(scope="module")
def short(builtin: HumanClip, take: Take) -> HumanClip:
    return take(builtin, slice(500, 800))  # into the squat


@pytest.mark.parametrize("name", ROBOTS)
def test_live_frames_give_the_numbers_of_the_whole_clip(
    name: str, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of(name)
    whole = Retargeter(body, builtin.size).run(builtin)
    live = Retargeter(body, builtin.size)
    for k, frame in enumerate(builtin.frames()):
        found = live.step(frame)
        np.testing.assert_array_equal(found.q, whole.joint_positions[k])
        np.testing.assert_array_equal(found.dq, whole.joint_velocities[k])
        np.testing.assert_array_equal(found.world_p_base, whole.base_position[k])
        np.testing.assert_array_equal(found.world_R_base, whole.base_rotation[k])
        assert found.planted == (whole.contact_left[k], whole.contact_right[k])


@pytest.mark.parametrize("name", ROBOTS)
def test_watching_the_progress_changes_nothing(
    name: str, body_of: Body, short: HumanClip
) -> None:
    seen: list[int] = []
    retargeter = Retargeter(body_of(name), short.size)
    watched = retargeter.run(short, on_frame=seen.append)
    assert seen == list(range(len(short)))
    assert_same(watched, retargeter.run(short))


def test_the_same_clip_gives_the_same_motion_again(
    body_of: Body, short: HumanClip
) -> None:
    retargeter = Retargeter(body_of("icub"), short.size)
    first = retargeter.run(short)
    assert_same(first, retargeter.run(short))
    assert_same(first, Retargeter(body_of("icub"), short.size).run(short))


def test_reset_makes_the_next_frame_a_first_frame(
    body_of: Body, builtin: HumanClip
) -> None:
    used, fresh = (Retargeter(body_of("g1"), builtin.size) for _ in range(2))
    for k in range(300, 330):
        used.step(builtin.frame(k))
    used.reset()
    for k in (10, 11, 12):
        assert_same_frame(used.step(builtin.frame(k)), fresh.step(builtin.frame(k)))


def test_two_retargeters_of_one_robot_do_not_know_of_each_other(
    body_of: Body, builtin: HumanClip, short: HumanClip
) -> None:
    body = body_of("icub")
    alone = Retargeter(body, short.size).run(short)
    one, other = Retargeter(body, short.size), Retargeter(body, builtin.size)
    for k in range(60):
        other.step(builtin.frame(k))
        np.testing.assert_array_equal(
            one.step(short.frame(k)).q, alone.joint_positions[k]
        )


def test_results_are_copies_of_the_state(body_of: Body, short: HumanClip) -> None:
    one, other = (Retargeter(body_of("g1"), short.size) for _ in range(2))
    for k in range(5):
        spoilt, kept = one.step(short.frame(k)), other.step(short.frame(k))
        assert_same_frame(spoilt, kept)
        for array in (spoilt.q, spoilt.dq, spoilt.world_p_base, spoilt.world_R_base):
            array += 1.0


def test_a_clip_of_one_frame_is_a_posture(
    body_of: Body, short: HumanClip, take: Take
) -> None:
    motion = Retargeter(body_of("g1"), short.size).run(take(short, slice(0, 1)))
    assert motion.joint_positions.shape == (1, 29)
    assert not motion.joint_velocities.any()


def test_the_first_frame_is_reached_at_once(body_of: Body, builtin: HumanClip) -> None:
    """From frame 0 on the robot follows: nothing is left to catch up on."""
    body = body_of("g1")
    retargeter = Retargeter(body, builtin.size)
    deepest = builtin.frame(int(np.argmin(builtin.positions[:, 0, 2])))
    first = retargeter.step(deepest)
    later = retargeter.step(replace(deepest, stamp=deepest.stamp + 0.5))
    np.testing.assert_allclose(later.q, first.q, atol=np.deg2rad(3.0))


def spoil(frame: HumanFrame, name: str, value: float) -> HumanFrame:
    array = np.array(getattr(frame, name))
    array[3].flat[1] = value
    return replace(frame, **{name: array})


BAD = {
    f"{name} {value}": (lambda f, name=name, value=value: spoil(f, name, value))
    for name in ("rotations", "angular_velocities", "positions", "linear_velocities")
    for value in (np.nan, np.inf, -np.inf)
}
BAD |= {
    "stamp nan": lambda f: replace(f, stamp=np.nan),
    "stamp inf": lambda f: replace(f, stamp=np.inf),
    "stretched": lambda f: replace(f, rotations=1.1 * f.rotations),
    "mirrored": lambda f: replace(f, rotations=f.rotations * [1.0, 1.0, -1.0]),
    "zeros": lambda f: replace(f, rotations=0.0 * f.rotations),
    "unknown segment": lambda f: replace(f, segments=("Tail", *f.segments[1:])),
    "doubled segment": lambda f: replace(f, segments=("Head", *f.segments[1:])),
    "nothing shown": lambda f: HumanFrame(
        stamp=f.stamp,
        segments=(),
        rotations=np.zeros((0, 3, 3)),
        angular_velocities=np.zeros((0, 3)),
    ),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("name", ["icub", "baxter"])
def test_a_bad_frame_is_refused_and_leaves_no_trace(
    name: str, kind: str, body_of: Body, short: HumanClip
) -> None:
    body = body_of(name)
    disturbed, calm = (Retargeter(body, short.size) for _ in range(2))
    for k in range(4):
        assert_same_frame(disturbed.step(short.frame(k)), calm.step(short.frame(k)))
    with pytest.raises(BadFrame) as caught:
        disturbed.step(BAD[kind](short.frame(4)))
    assert "\n" not in str(caught.value)
    for k in range(4, 8):
        assert_same_frame(disturbed.step(short.frame(k)), calm.step(short.frame(k)))


@pytest.mark.parametrize("late", [0.0, 1e-9, 0.02, 1e3])
def test_a_frame_not_later_than_the_last_is_refused(
    late: float, body_of: Body, short: HumanClip
) -> None:
    body = body_of("icub")
    disturbed, calm = (Retargeter(body, short.size) for _ in range(2))
    for k in range(4):
        assert_same_frame(disturbed.step(short.frame(k)), calm.step(short.frame(k)))
    with pytest.raises(BadFrame, match="not later than the last"):
        disturbed.step(replace(short.frame(4), stamp=short.frame(3).stamp - late))
    assert_same_frame(disturbed.step(short.frame(4)), calm.step(short.frame(4)))


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_first_frame_is_refused(
    kind: str, body_of: Body, short: HumanClip
) -> None:
    body = body_of("g1")
    disturbed, calm = (Retargeter(body, short.size) for _ in range(2))
    with pytest.raises(BadFrame):
        disturbed.step(BAD[kind](short.frame(0)))
    assert_same_frame(disturbed.step(short.frame(0)), calm.step(short.frame(0)))


def test_bad_values_are_named_by_their_segment(body_of: Body, short: HumanClip) -> None:
    frame = spoil(short.frame(7), "positions", np.nan)
    with pytest.raises(BadFrame, match=r"frame 7 .*T12: positions not finite"):
        Retargeter(body_of("g1"), short.size).step(frame)


def test_a_bolted_robot_needs_the_segment_to_which_it_is_bolted(
    body_of: Body, short: HumanClip
) -> None:
    frame = short.frame(0)
    arms = [k for k, segment in enumerate(SEGMENTS) if "Arm" in segment]
    part = HumanFrame(
        stamp=0.0,
        segments=tuple(SEGMENTS[k] for k in arms),
        rotations=frame.rotations[arms],
        angular_velocities=frame.angular_velocities[arms],
    )
    with pytest.raises(BadFrame, match="lacks T8"):
        Retargeter(body_of("baxter"), short.size).step(part)


@pytest.mark.parametrize("gap", [1e-4, 0.5, 10.0])
def test_early_and_late_frames_keep_all_limits(
    gap: float, body_of: Body, builtin: HumanClip
) -> None:
    body = body_of("icub")
    retargeter = Retargeter(body, builtin.size)
    before = retargeter.step(builtin.frame(0))
    for k in range(1, 12):
        frame = replace(builtin.frame(170 * k), stamp=k * gap)
        found = retargeter.step(frame)
        assert np.all(found.q >= body.lower)
        assert np.all(found.q <= body.upper)
        assert np.all(np.abs(found.q - before.q) <= 1.001 * body.velocity * gap)
        before = found


def test_without_feet_the_base_follows_the_person(
    body_of: Body, builtin: HumanClip
) -> None:
    body = body_of("g1")
    settings = RetargetSettings(feet=False)
    motion = Retargeter(body, builtin.size, settings).run(builtin)
    scale = body.leg_length / builtin.size.leg_length
    wanted = scale * (builtin.positions[:, 0] - builtin.positions[0, 0])
    moved = motion.base_position - motion.base_position[0]
    np.testing.assert_allclose(moved, wanted, atol=0.05)
    assert not motion.contact_left.any()
