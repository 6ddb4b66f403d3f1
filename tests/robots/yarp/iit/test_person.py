"""A person in IIT's terms: joints of their model, links of a suit, nodes, shoes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, BadMessage, UnknownName
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import exp_so3, rotation_x
from telexist.robots.yarp.iit import (
    IFEEL_NODES,
    PERSON_JOINTS,
    GoalScale,
    SensorStatus,
    WearableSensor,
    frame_items,
    n_pose_to_t_pose,
    person_angles,
    person_torques,
    read_frames,
    read_shoes,
    read_suit,
    read_walk_goal,
    read_wearable_data,
    suit_sensors,
    walk_goal_items,
    wearable_data_items,
)
from telexist.robots.yarp.wire import (
    YARP_3,
    YARP_4,
    FrameReader,
    decode_bottle,
    decode_either,
    encode_bottle,
)

RNG = np.random.default_rng(18)
AXES = {"x": np.eye(3)[0], "y": np.eye(3)[1], "z": np.eye(3)[2]}


def random_person() -> np.ndarray:
    """Return rotations of a person whose joints bend by up to a radian or so."""
    world = np.tile(np.eye(3), (23, 1, 1))
    for k, name in enumerate(SEGMENTS[1:], 1):
        bend = exp_so3(0.6 * RNG.standard_normal(3).clip(-1.5, 1.5))
        world[k] = world[SEGMENT_INDEX[str(PARENT[name])]] @ bend
    return exp_so3(RNG.standard_normal(3)) @ world


def test_the_joints_of_their_model_give_the_person_back() -> None:
    assert len(PERSON_JOINTS) == 66 and len(set(PERSON_JOINTS)) == 66
    assert PERSON_JOINTS[:3] == ("jL5S1_rotx", "jL5S1_roty", "jL5S1_rotz")
    assert "jLeftElbow_roty" in PERSON_JOINTS and "jRightHip_rotx" in PERSON_JOINTS
    for _ in range(50):
        world = random_person()
        angles = person_angles(world).reshape(22, 3)
        built = [world[0]]
        for k, name in enumerate(SEGMENTS[1:]):
            R = built[SEGMENT_INDEX[str(PARENT[name])]]
            for angle, axis in zip(angles[k], AXES.values(), strict=True):
                R = R @ exp_so3(angle * axis)
            built.append(R)
        assert np.abs(np.array(built) - world).max() < 1e-12


def test_the_torques_do_the_work_of_the_moments() -> None:
    """Power: torques times joint velocities is moments times angular velocities."""
    for _ in range(20):
        n_pose, h = random_person(), 1e-6
        rates = RNG.standard_normal((23, 3))
        later = exp_so3(h * rates) @ n_pose
        before, after = (person_angles(n_pose_to_t_pose(R)) for R in (n_pose, later))
        moments = RNG.standard_normal((23, 3))
        torques = person_torques(before, moments)
        power = 0.0
        for k, name in enumerate(SEGMENTS[1:], 1):
            parent = SEGMENT_INDEX[str(PARENT[name])]
            relative = n_pose[parent].T @ (rates[k] - rates[parent])
            power += float(moments[k] @ relative)
        assert torques @ (after - before) / h == pytest.approx(power, rel=1e-3)


def test_in_t_pose_all_joints_of_their_model_are_zero() -> None:
    t_pose = np.tile(np.eye(3), (23, 1, 1))
    for side, angle in (("Left", np.pi / 2), ("Right", -np.pi / 2)):
        for part in ("UpperArm", "ForeArm", "Hand"):
            t_pose[SEGMENT_INDEX[f"{side}{part}"]] = rotation_x(angle)
    left = t_pose[SEGMENT_INDEX["LeftForeArm"]] @ [0.0, 0.0, -1.0]
    assert left == pytest.approx([0.0, 1.0, 0.0]), "the left arm points to the left"
    assert np.abs(person_angles(n_pose_to_t_pose(t_pose))).max() < 1e-12


def test_a_suit_is_read_as_it_was_written_in_both_versions() -> None:
    frame = builtin_clip().frame(200)
    R = n_pose_to_t_pose(frame.rotations)
    assert frame.positions is not None and frame.linear_velocities is not None
    sensors = suit_sensors(
        SEGMENTS,
        R,
        frame.positions,
        frame.linear_velocities,
        frame.angular_velocities,
    )
    for dialect in (YARP_3, YARP_4):
        data = encode_bottle(wearable_data_items("XsensSuit", sensors), dialect)
        items, found = decode_either(data)
        assert found == dialect
        pose = read_suit(*read_wearable_data(items))
        assert pose is not None and pose.segments == SEGMENTS
        assert np.abs(pose.rotations - R).max() < 1e-12
        assert pose.positions is not None
        assert np.array_equal(pose.positions, frame.positions)
        assert pose.angular_velocities is not None
        assert np.array_equal(pose.angular_velocities, frame.angular_velocities)


def test_nodes_of_an_ifeel_are_segments_and_the_sick_are_left_out() -> None:
    values = (1.0, *([0.0] * 18))
    sensors = [
        WearableSensor("vLink", f"iFeelSuit::vLink::{node}", SensorStatus.OK, values)
        for node in IFEEL_NODES
    ]
    sick = WearableSensor(
        "vLink", "iFeelSuit::vLink::Node#6", SensorStatus.TIMEOUT, values
    )
    pose = read_suit("iFeelSuit", [*sensors[:1], sick, *sensors[2:]])
    assert pose is not None and pose.positions is None
    assert "T8" not in pose.segments and pose.silent == ("T8",)
    pelvis = pose.rotations[pose.segments.index("Pelvis")]
    assert pelvis @ [0.0, 0.0, 1.0] == pytest.approx([0.0, -1.0, 0.0])
    other = read_suit("iFeelSuit", sensors, {"Node#6": "Head"})
    assert other is not None and "Head" in other.segments
    with pytest.raises(UnknownName, match="Haed"):
        read_suit("iFeelSuit", sensors, {"Node#6": "Haed"})
    broken = WearableSensor("vLink", "X::vLink::Head", SensorStatus.OK, (0.0,) * 19)
    with pytest.raises(BadInput, match="X::vLink::Head"):
        read_suit("X", [broken])


def test_shoes_add_up_and_know_their_side() -> None:
    def sensor(name: str, force: float, status: int = 1) -> WearableSensor:
        values = (0.0, 0.0, force, 0.0, 0.0, 0.0)
        return WearableSensor("ft6D", name, SensorStatus(status), values)

    wrench = read_shoes(
        [
            sensor("FTShoes::ft6D::LeftFront", 300.0),
            sensor("FTShoes::ft6D::LeftRear", 100.0),
            sensor("FTShoes::ft6D::RightFront", 50.0),
        ]
    )
    assert wrench is not None and wrench[:, 2].tolist() == [400.0, 50.0]
    nodes = read_shoes(
        [sensor("iFeelSuit::ft6D::Node#2", 7.0), sensor("X::ft6D::Node#1::Front", 5.0)]
    )
    assert nodes is not None and nodes[:, 2].tolist() == [5.0, 7.0]
    sick = read_shoes([sensor("A::ft6D::LeftShoe", 1.0, status=4)])
    assert sick is not None and np.isnan(sick).all()
    assert read_shoes([sensor("A::ft6D::Chair", 1.0)]) is None


def test_goals_go_there_and_back_and_nonsense_is_refused() -> None:
    scale = GoalScale()
    goal = walk_goal_items((0.25, -0.1, 0.4), scale, 3)
    assert goal == pytest.approx([0.5, 0.4, -0.2])
    assert read_walk_goal(goal, scale) == pytest.approx((0.25, -0.1, 0.4))
    assert walk_goal_items((9.0, 9.0, -9.0), scale, 3) == [1.0, -1.0, 1.0]
    assert read_walk_goal([0.5, -1.0], scale) == pytest.approx((0.25, 0.0, -1.0))
    for bad in ([], [0.1], [0.1, "x"], [float("nan")] * 3, [1e9, 0.0, 0.0], [0.0] * 4):
        with pytest.raises(BadMessage):
            read_walk_goal(bad, scale)
    with pytest.raises(BadInput, match="finite"):
        walk_goal_items((float("nan"), 0.0, 0.0), scale, 3)


def test_frames_are_set_with_the_bytes_of_the_real_client(shared_data: Path) -> None:
    path = shared_data / "yarp" / "3.12" / "tf.jsonl"
    if not path.exists():
        pytest.skip("no captures of YARP here: see tests/conftest.py")
    reader, count, shown = FrameReader(), 0, 0
    servers: dict[int, str] = {}
    for line in path.read_text().splitlines()[1:]:
        turn = json.loads(line)
        if "to" in turn:
            servers[turn["conn"]] = turn["to"]
        name = servers.get(turn.get("conn", -1), "")
        data = bytes.fromhex(turn.get("hex", ""))
        if turn.get("from") != "client" or not data.startswith(b"YA\n"):
            continue
        reader.feed(data)
        while (frame := reader.frame()) is not None:
            if not frame.payload:
                continue
            items = decode_bottle(frame.payload, YARP_3)
            if "Set_nws" in name and items[0] == "setTransformRPC":
                (sent,) = read_frames([0, [items[1]]]).items()  # type: ignore[list-item]
                (names, (p, quat)) = sent
                assert quat[0] == pytest.approx(quat[3]), "a quarter turn to the left"
                R = exp_so3([0.0, 0.0, np.pi / 2])
                time = items[1][2]  # type: ignore[index]
                mine = frame_items(names, R, p, time)  # type: ignore[arg-type]
                theirs = np.array(items[1][4:])  # type: ignore[index]
                assert np.array(mine[1][4:]) == pytest.approx(theirs)  # type: ignore[index]
                head = slice(0, 130)  # up to the first number that is rounded
                written = encode_bottle(mine, YARP_3)
                assert written[head] == frame.payload[head]
                assert len(written) == len(frame.payload)
                count += 1
            elif name == "/probe/tf":
                shown += len(read_frames(items))
    assert count >= 5 and shown >= 3
