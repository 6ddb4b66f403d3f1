"""Driving simulated boards: order of axes, first reference, ramps, giving back."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, RobotLost, RobotStalled, UnknownName
from telexist.robots.description import RobotModel
from telexist.robots.drives import ReferenceGate
from telexist.robots.yarp.boards import (
    BoardAxis,
    ReferenceBytes,
    map_axes,
)
from telexist.robots.yarp.robot import YarpSettings
from telexist.robots.yarp.simulated import load_table
from telexist.robots.yarp.wire import YARP_3, YARP_4, Dialect, frame


def boards_of(name: str) -> dict[str, list[BoardAxis]]:
    table = load_table(name)
    return {
        b.part: [BoardAxis(a.name, a.lower, a.upper, a.speed) for a in b.axes]
        for b in table.boards
    }


def independent(data: bytes, version: int) -> tuple[list[int] | None, list[float]]:
    """Return axes (None: all) and values of a message; shares nothing with ours.

    Every value must be a 64-bit float in a list that says so.
    """
    assert data[:8] == b"YA\x0a\0\0\0RP"
    blocks = data[8]
    sizes = struct.unpack_from(f"<{blocks}i", data, 18)
    at = 18 + 4 * (blocks + data[9])
    assert data[at : at + 8] == b"\0\0\0\0~D\0\x01"
    assert at + sum(sizes) == len(data)
    at += sizes[0]
    float64 = {3: 10, 4: 20}[version]
    assert struct.unpack_from("<ii", data, at) == (256, 2)
    at += 8
    code, count = struct.unpack_from("<ii", data, at)
    at += 8
    words, axes = [], None
    if code == 256 + 9:
        for _ in range(count):
            words.append(data[at : at + 4])
            at += 4
    else:
        assert code == 256
        for _ in range(count):
            kind = struct.unpack_from("<i", data, at)[0]
            at += 4
            if kind == 9:
                words.append(data[at : at + 4])
                at += 4
            elif kind == 1:
                said = struct.unpack_from("<i", data, at)[0]
                at += 4
            else:
                assert kind == 256 + 1
                length = struct.unpack_from("<i", data, at)[0]
                axes = list(struct.unpack_from(f"<{length}i", data, at + 4))
                at += 4 + 4 * length
                assert said == length
    assert words == [b"ipod"] * (version == 4) + [b"dpos" if axes is None else b"dpog"]
    code, count = struct.unpack_from("<ii", data, at)
    assert code == 256 + float64
    values = list(struct.unpack_from(f"<{count}d", data, at + 8))
    assert at + 8 + 8 * count == len(data)
    return axes, values


@pytest.mark.slow
@pytest.mark.parametrize("dialect", [YARP_3, YARP_4], ids=["3", "4"])
def test_no_hostile_target_reaches_the_wire(
    robot_of: Callable[[str], RobotModel], dialect: Dialect
) -> None:
    body = robot_of("icub").body
    boards = boards_of("icub")
    found = map_axes(body.kinematics.joints, boards, all_joints=True).joints
    rows = [j.joint for j in found]
    lower = np.maximum(np.degrees(body.lower[rows]), [j.limits.lower for j in found])
    upper = np.minimum(np.degrees(body.upper[rows]), [j.limits.upper for j in found])
    speed = np.full(len(found), 100.0)
    gate = ReferenceGate(tuple(j.name for j in found), lower, upper, speed)
    groups = []
    for part, axes in boards.items():
        mine = [i for i, j in enumerate(found) if j.part == part]
        numbers = [found[i].axis for i in mine]
        groups.append(
            (mine, numbers, len(axes), ReferenceBytes(numbers, len(axes), dialect))
        )
    rng = np.random.default_rng(18)
    now = 0.0
    middle = (lower + upper) / 2.0
    gate.start(middle, now, np.full(len(found), 60.0))
    before, refused = middle, 0
    for i in range(50_000):
        dt = rng.choice([0.0, 0.001, 0.01, 0.01, 0.01, 0.5])
        now += dt
        kind = int(rng.integers(7))
        wanted: object = rng.uniform(lower, upper)
        if kind == 1:
            wanted = rng.normal(0.0, 10.0 ** rng.uniform(0, 300), len(found))
        elif kind == 2:
            wanted = np.where(rng.random(len(found)) < 0.1, np.nan, wanted)
        elif kind == 3:
            wanted = np.asarray(wanted)[: int(rng.integers(len(found)))]
        elif kind == 4:
            wanted = np.where(rng.random(len(found)) < 0.1, np.inf, wanted)
        elif kind == 5:
            wanted = np.asarray(wanted).astype(np.int32)
        try:
            reference = gate.step(wanted, now)  # type: ignore[arg-type]
        except BadInput:
            refused += 1
            now -= dt  # nothing was sent: the way was not used up
            continue
        sent = np.full(len(found), np.nan)
        for mine, numbers, count, maker in groups:
            data = frame(maker.make(reference[mine].tolist()))
            if i % 10 == 0:
                axes_told, values = independent(data, dialect.version)
                assert axes_told == numbers or (
                    axes_told is None and numbers == list(range(count))
                )
                assert len(values) == len(numbers)
            else:
                values = list(
                    struct.unpack(f"<{len(numbers)}d", data[-8 * len(numbers) :])
                )
            sent[mine] = values
        assert np.isfinite(sent).all()
        assert (sent >= lower).all() and (sent <= upper).all()
        assert (np.abs(sent - before) <= speed * min(dt, 0.02)).all()
        before = sent
    assert 15_000 < refused < 30_000


@pytest.mark.parametrize("table", ["icub", "icub3"])
@pytest.mark.parametrize("dialect", [YARP_3, YARP_4], ids=["3", "4"])
def test_joints_go_where_they_are_sent_by_name_and_are_given_back(
    rig: Callable[..., Any], table: str, dialect: Dialect
) -> None:
    drive = rig(table=table, dialect=dialect)
    drive.robot.connect()
    drive.robot.connect()
    assert all(check.well for check in drive.robot.preflight())
    before = {p: b.motion.measure() for p, b in drive.simulated.boards.items()}
    q = drive.pose()
    drive.send(q + 1.0)  # nothing goes out before arming
    assert all(not b.received for b in drive.simulated.boards.values())
    drive.robot.arm()
    for part, board in drive.simulated.boards.items():
        axes, values = independent(frame(board.received[0][1]), dialect.version)
        axes = axes or list(range(len(values)))
        first = np.array([before[part][j] for j in axes])
        if part.endswith("arm"):  # the model's elbow does not go below 15
            first[axes.index(3)] = max(first[axes.index(3)], 15.0)
        assert np.abs(first - values).max() <= 0.01
    joints = drive.robot.body.kinematics.joints
    q = drive.pose()
    goal = q.copy()
    yaw, pitch = (list(joints).index(f"torso_{x}") for x in ("yaw", "pitch"))
    goal[yaw], goal[pitch] = q[yaw] + 0.05, q[pitch] + 0.02

    def there() -> bool:
        drive.send(goal)
        return bool(np.abs(drive.pose() - goal).max() < 1e-6)

    drive.wait_for(there)
    board = drive.simulated.boards["torso"]
    at = {
        a.name: v for a, v in zip(board.table.axes, board.motion.measure(), strict=True)
    }
    assert at["torso_yaw"] == pytest.approx(np.degrees(goal[yaw]), abs=1e-6)
    assert at["torso_pitch"] == pytest.approx(np.degrees(goal[pitch]), abs=1e-6)
    for part, board in drive.simulated.boards.items():
        ours = [c for c in drive.robot._boards if c.part == part][0]
        modes = {j.axis: board.motion.modes[j.axis] for j in ours.joints}
        assert set(modes.values()) == {"posd"}
        others = [m for j, m in enumerate(board.motion.modes) if j not in modes]
        assert set(others) <= {"pos"}  # eyes and fingers are left alone
    drive.robot.disconnect()
    drive.robot.disconnect()
    for board in drive.simulated.boards.values():
        assert set(board.motion.modes) == {"pos"}
    with pytest.raises(RobotLost, match="not connected"):
        drive.send(q)


def test_the_first_way_is_slow_and_no_way_from_a_standstill_is_fast(
    rig: Callable[..., Any],
) -> None:
    drive = rig("ack=2&speed=100&first=0.1", parts=("torso",))
    drive.robot.connect()
    drive.robot.arm()
    board = drive.simulated.boards["torso"]
    goal = drive.pose()
    goal[list(drive.robot.body.kinematics.joints).index("torso_yaw")] = np.radians(5.0)

    def fastest(goal: np.ndarray) -> float:
        drive.robot.hold()
        begun = len(board.received)
        drive.wait_for(
            lambda: (drive.send(goal), np.abs(drive.pose() - goal).max() < 1e-6)[1]
        )
        rows = [independent(frame(m), 3)[1] for _, m in board.received[begun - 1 :]]
        way = np.abs(np.diff(np.array(rows), axis=0)).max(axis=1)
        return float(way.max())

    assert fastest(goal) <= 10.0 * 0.02 + 1e-9  # [deg] in one reference
    goal[list(drive.robot.body.kinematics.joints).index("torso_yaw")] = 0.0
    assert fastest(goal) <= 100.0 * 0.02 + 1e-9


def test_joints_beyond_their_limits_are_brought_inside_before_arming(
    rig: Callable[..., Any],
) -> None:
    def stretch(simulated: object) -> None:
        motion = simulated.boards["left_arm"].motion  # type: ignore[attr-defined]
        motion.position[3] = motion.reference[3] = 13.0  # the elbow's limit is 15

    drive = rig(parts=("left_arm",), prepare=stretch)
    drive.robot.connect()
    pose = next(c for c in drive.robot.preflight() if c.what == "pose")
    assert "l_elbow 13.0 outside 15.0" in pose.detail
    drive.robot.arm()
    board = drive.simulated.boards["left_arm"]
    for _, message in board.received:
        axes, values = independent(frame(message), 3)
        assert axes is not None and values[axes.index(3)] >= 15.0


def test_a_live_robot_takes_hostile_commands_without_passing_them_on(
    rig: Callable[..., Any],
) -> None:
    drive = rig("ack=2&first=1", parts=("torso", "head"))
    drive.robot.connect()
    drive.robot.arm()
    rng = np.random.default_rng(2)
    n = len(drive.pose())
    for i in range(300):
        q = rng.normal(0.0, 10.0 ** (i % 9), n)
        if i % 3 == 0:
            q[int(rng.integers(n))] = np.nan
            with pytest.raises(BadInput):
                drive.send(q)
        elif i % 3 == 1:
            with pytest.raises(BadInput):
                drive.send(q[:5])
        else:
            drive.send(q)
        time.sleep(0.002)
    for board in drive.simulated.boards.values():
        assert len(board.received) > 20
        assert not board.broken
        times = [t for t, _ in board.received]
        rows = []
        for _, message in board.received:
            axes, values = independent(frame(message), 3)
            for j, value in zip(axes or range(len(values)), values, strict=True):
                axis = board.table.axes[j]
                assert axis.lower <= value <= axis.upper
            rows.append(values)
        way = np.abs(np.diff(np.array(rows), axis=0)).max(axis=1)
        assert way.max() <= 100.0 * 0.02 + 1e-9
        assert way.sum() <= 100.0 * (times[-1] - times[0]) * 1.05 + 1.0


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("h:1?sped=3", "did you mean 'speed'"),
        ("h:1?speed=fast", "is no number"),
        ("h:1?speed=-3", "is not from"),
        ("h:99999", "is not from"),
        ("h:x", "is no number"),
        ("?prefix=icub", "does not begin with /"),
        ("?others=maybe", "neither yes nor no"),
    ],
)
def test_options_that_make_no_sense_are_told(place: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        YarpSettings.read(place)


def test_unknown_options_are_a_kind_of_unknown_name() -> None:
    assert issubclass(UnknownName, BadInput) and issubclass(RobotStalled, RobotLost)
