"""Files for trainers, read by readers that share nothing with their writers."""

from __future__ import annotations

import csv
import io
import pickle
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import BadInput, ModelNotFound, UnknownName
from telexist.retarget.kinematics import Configuration
from telexist.retarget.results import motion_paths, save_motion
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import exp_so3
from telexist.retarget.training import (
    DIALECTS,
    ModelTree,
    TrainingOptions,
    encode_dialect,
    even_motion,
    exact_rate,
    parse_rate,
)
from telexist.robots.description import RobotModel, load_robot, model_tree

_ISAAC = "0 3 6 9 13 17 1 4 7 10 14 18 2 5 8 11 15 19 21 23 25 27 12 16 20 22 24 26 28"
ISAAC_OF_MUJOCO = np.array([int(place) for place in _ISAAC.split()])
"""Published for G1: the place in Isaac's vector of each joint of MuJoCo's."""


@pytest.fixture(scope="module")
def robot(shared_data: Path) -> Callable[[str], RobotModel]:
    def load(name: str) -> RobotModel:
        try:
            return load_robot(name, [shared_data / "robots"])
        except ModelNotFound:
            pytest.skip(f"the model of {name} is not on this machine")

    return load


def waving(model: ModelTree, *, rate: float = 30.0, frames: int = 61) -> RobotMotion:
    """Return a smooth motion in which everything moves and turns."""
    time = np.arange(frames) / rate
    n = len(model.joints)
    phase = np.linspace(0.0, 6.0, n)
    middle = np.where(np.isfinite(model.lower + model.upper), 0.5, 0.0)
    middle = middle * np.nan_to_num(model.lower + model.upper, posinf=0.0, neginf=0.0)
    q = middle + 0.1 * np.sin(2.0 * np.pi * 0.7 * time[:, None] + phase)
    turn = np.stack([0.2 * np.sin(time), 0.3 * np.cos(time), 0.8 * time], 1)
    return RobotMotion(
        robot=model.robot,
        source="test",
        time=time,
        joint_names=model.joints,
        joint_positions=q,
        joint_velocities=np.gradient(q, time, axis=0),
        base_position=np.stack([0.3 * time, 0.1 * np.sin(time), 0.8 + 0.0 * time], 1),
        base_rotation=exp_so3(turn),
        contact_left=np.sin(3.0 * time) > 0.0,
        contact_right=np.sin(3.0 * time) <= 0.0,
    )


def archive_of(data: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(data)) as file:
        return {key: file[key] for key in file.files}


def breadth_first_of_file(path: Path, names: set[str]) -> list[str]:
    """Walk the URDF's own XML level by level; welded links belong to their carrier."""
    root = ElementTree.parse(path).getroot()
    below: dict[str, list[tuple[str, str]]] = {}
    children = set()
    for joint in root.findall("joint"):
        parent, child = joint.find("parent"), joint.find("child")
        assert parent is not None and child is not None
        below.setdefault(parent.attrib["link"], []).append(
            (joint.attrib["name"], child.attrib["link"])
        )
        children.add(child.attrib["link"])
    (start,) = [
        e.attrib["name"]
        for e in root.findall("link")
        if e.attrib["name"] not in children
    ]
    found, queue = [], deque([start])
    while queue:
        inside = [queue.popleft()]
        while inside:
            steps = below.get(inside.pop(), [])
            welded = []
            for joint_name, link in steps:
                if joint_name in names:
                    found.append(joint_name)
                    queue.append(link)
                else:
                    welded.append(link)
            inside.extend(reversed(welded))
    return found


def test_breadth_first_is_the_published_order_of_g1(robot: Any) -> None:
    model = model_tree(robot("g1"))
    isaac = [model.joints[b - 1] for b in model.breadth_first_bodies()[1:]]
    mujoco_order = [model.joints[b - 1] for b in model.depth_first_bodies()[1:]]
    assert [isaac[place] for place in ISAAC_OF_MUJOCO] == mujoco_order
    assert mujoco_order[:6] == [
        f"left_{part}_joint"
        for part in (
            "hip_pitch",
            "hip_roll",
            "hip_yaw",
            "knee",
            "ankle_pitch",
            "ankle_roll",
        )
    ]


@pytest.mark.parametrize("name", ["talos", "icub", "valkyrie", "ergocub"])
def test_breadth_first_agrees_with_the_urdf_itself(robot: Any, name: str) -> None:
    loaded = robot(name)
    model = model_tree(loaded)
    if loaded.urdf.path.suffix != ".urdf":
        pytest.skip("not a URDF")
    expected = breadth_first_of_file(loaded.urdf.path, set(model.joints))
    assert [model.joints[b - 1] for b in model.breadth_first_bodies()[1:]] == expected


@pytest.mark.parametrize("name", ["g1", "talos"])
def test_bodies_are_where_pinocchio_has_them(robot: Any, name: str) -> None:
    loaded = robot(name)
    model = model_tree(loaded)
    motion = waving(model, rate=50.0)
    found = archive_of(encode_dialect("mjlab", motion, model)[0])
    order = model.depth_first_bodies()
    kinematics = loaded.body.kinematics
    frames = [kinematics.frame(model.bodies[body]) for body in order]
    for k in (0, 30, 60):
        kinematics.update(
            Configuration(
                world_p_base=motion.base_position[k],
                world_R_base=motion.base_rotation[k],
                q=motion.joint_positions[k],
            )
        )
        places = kinematics.positions(frames)
        np.testing.assert_allclose(found["body_pos_w"][k], places, atol=1e-6)
        turned = Rotation.from_matrix(kinematics.rotations(frames))
        wxyz = found["body_quat_w"][k]
        apart = (turned.inv() * Rotation.from_quat(wxyz[:, [1, 2, 3, 0]])).magnitude()
        assert apart.max() < 1e-6  # single precision
    slopes = np.gradient(found["body_pos_w"].astype(float), 1.0 / 50.0, axis=0)
    apart = np.abs(slopes - found["body_lin_vel_w"])[2:-2].max()
    assert apart < 0.02  # [m/s] of up to 2; both are differences over 40 ms
    assert np.abs(found["body_lin_vel_w"]).max() > 0.4


def test_centres_of_mass_move_as_beyondmimic_says(robot: Any) -> None:
    model = model_tree(robot("g1"))
    motion = waving(model, rate=50.0)
    mine = archive_of(encode_dialect("beyondmimic", motion, model)[0])
    order = model.breadth_first_bodies()
    R = Rotation.from_quat(mine["body_quat_w"][..., [1, 2, 3, 0]].reshape(-1, 4))
    arm = R.as_matrix().reshape(61, -1, 3, 3) @ model.body_p_com[order][..., None]
    centres = mine["body_pos_w"] + arm[..., 0]
    slopes = np.gradient(centres, 1.0 / 50.0, axis=0)
    assert np.abs(slopes - mine["body_lin_vel_w"])[2:-2].max() < 0.02
    assert np.abs(model.body_p_com).max() > 0.05, "this robot would show a difference"


@pytest.mark.parametrize("dialect", ["holosoma", "locomujoco"])
def test_qvel_is_what_mujoco_differentiates(robot: Any, dialect: str) -> None:
    model = model_tree(robot("g1"))
    motion = waving(model, rate=50.0)
    found = archive_of(encode_dialect(dialect, motion, model)[0])
    qpos = found["qpos" if dialect == "locomujoco" else "joint_pos"].astype(float)
    qvel = found["qvel" if dialect == "locomujoco" else "joint_vel"]
    links = "".join(
        '<body pos="0 0 1"><joint axis="0 0 1"/><geom size="0.1"/>'
        for _ in model.joints
    )
    world = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='0.1'/>"
        f"{links}{'</body>' * len(model.joints)}</body></worldbody></mujoco>"
    )
    rate = np.zeros(world.nv)
    for k in (5, 20, 40):
        mujoco.mj_differentiatePos(world, rate, 2.0 / 50.0, qpos[k - 1], qpos[k + 1])
        # turned over one step to the middle frame, whose axes qvel uses
        assert np.abs(rate[:3] - qvel[k, :3]).max() < 1e-5
        assert np.abs(rate[3:6] - qvel[k, 3:6]).max() < 0.02
        assert np.abs(rate[6:] - qvel[k, 6:]).max() < 1e-4
    if dialect == "locomujoco":
        assert list(found["jnt_type"][:3]) == [0, 3, 3]
        assert len(found["joint_names"]) == int(found["njnt"]) == world.nv - 5
    else:
        assert list(found["body_names"][:2]) == ["world", "pelvis"]


def test_tables_hold_what_their_readers_expect(robot: Any) -> None:
    model = model_tree(robot("g1"))
    motion = waving(model)
    rows = np.loadtxt(
        io.BytesIO(encode_dialect("unitree-csv", motion, model)[0]), delimiter=","
    )
    assert rows.shape == (61, 36)
    np.testing.assert_allclose(rows[:, :3], motion.base_position, atol=1e-8)
    turned = Rotation.from_quat(rows[:, 3:7]).as_matrix()  # x, y, z, w
    np.testing.assert_allclose(turned, motion.base_rotation, atol=1e-7)
    np.testing.assert_allclose(rows[:, 7:], motion.joint_positions, atol=1e-8)
    other = np.loadtxt(
        io.BytesIO(encode_dialect("protomotions", motion, model)[0]), delimiter=","
    )
    np.testing.assert_array_equal(other[:, [4, 5, 6, 3]], rows[:, 3:7])
    text = encode_dialect("seed-csv", motion, model, TrainingOptions(fps=Fraction(30)))
    table = list(csv.DictReader(io.StringIO(text[0].decode())))
    assert [row["Frame"] for row in table[:3]] == ["0", "1", "2"]
    angles = [[float(row[f"root_rotate{a}"]) for a in "XYZ"] for row in table]
    turned = Rotation.from_euler("xyz", angles, degrees=True).as_matrix()
    np.testing.assert_allclose(turned, motion.base_rotation, atol=1e-7)
    knees = [float(row["left_knee_joint_dof"]) for row in table]
    column = motion.joint_positions[:, model.joints.index("left_knee_joint")]
    np.testing.assert_allclose(np.radians(knees), column, atol=1e-8)
    assert float(table[9]["root_translateX"]) == pytest.approx(9.0, abs=1e-6)  # [cm]


def test_pickles_hold_what_their_readers_expect(robot: Any) -> None:
    loaded = robot("g1")
    model = model_tree(loaded)
    motion = waving(model)
    gmr = pickle.loads(encode_dialect("gmr", motion, model)[0])
    assert gmr["fps"] == 30.0
    turned = Rotation.from_quat(gmr["root_rot"]).as_matrix()
    np.testing.assert_allclose(turned, motion.base_rotation, atol=1e-12)
    assert gmr["local_body_pos"].dtype == np.float32
    kinematics = loaded.body.kinematics
    kinematics.update(
        Configuration(
            world_p_base=np.zeros(3),
            world_R_base=np.eye(3),
            q=motion.joint_positions[7],
        )
    )
    places = [kinematics.position(kinematics.frame(x)) for x in gmr["link_body_list"]]
    np.testing.assert_allclose(gmr["local_body_pos"][7], places, atol=1e-6)
    mimic = pickle.loads(encode_dialect("mimickit", motion, model)[0])
    frames = np.array(mimic["frames"])
    turned = Rotation.from_rotvec(frames[:, 3:6]).as_matrix()
    np.testing.assert_allclose(turned, motion.base_rotation, atol=1e-12)
    np.testing.assert_array_equal(frames[:, 6:], motion.joint_positions)


def test_sonic_gets_isaac_order_and_knows_one_robot(robot: Any, tmp_path: Path) -> None:
    model = model_tree(robot("g1"))
    motion = waving(model, rate=50.0)
    paths = save_motion(tmp_path, "a.g1", motion, ("sonic",), model=model)
    assert {path.parent.name for path in paths} == {"a.g1.sonic"}
    joints = np.loadtxt(paths[0], delimiter=",", skiprows=1)
    expected = motion.joint_positions
    np.testing.assert_allclose(joints[:, ISAAC_OF_MUJOCO], expected, atol=1e-8)
    other = model_tree(robot("talos"))
    with pytest.raises(BadInput, match="G1; talos has no joint"):
        encode_dialect("sonic", waving(other), other)


@pytest.mark.parametrize("rate", [30.0, 60.0, 100.0, 120.0])
def test_resampling_is_true_and_adds_no_jerk(robot: Any, rate: float) -> None:
    model = model_tree(robot("g1"))
    motion = waving(model, rate=rate, frames=int(4 * rate) + 1)
    even = even_motion(motion, model, Fraction(50))
    exact = waving(model, rate=50.0, frames=201)
    apart = np.degrees(even.q - exact.joint_positions)
    assert np.sqrt(np.mean(apart**2)) < 0.1
    jerk = [
        np.sqrt(np.mean((np.diff(q, 3, axis=0) * hz**3) ** 2))
        for q, hz in ((even.q, 50.0), (motion.joint_positions, rate))
    ]
    assert jerk[0] < 1.1 * jerk[1]
    middle = np.abs(np.sin(3.0 * exact.time)) > 0.1
    np.testing.assert_array_equal(even.contacts[middle, 0], exact.contact_left[middle])


def test_rounded_times_stand_for_exact_rates() -> None:
    assert exact_rate(np.arange(500) * 0.0083333) == 120
    assert exact_rate(np.arange(500) * 0.033367) == Fraction(30000, 1001)
    assert exact_rate(np.arange(500) * 0.0333333) == 30
    assert exact_rate(np.arange(50) / 62.5) == Fraction(125, 2)
    assert parse_rate("30000/1001") == Fraction(30000, 1001)
    for wrong in ("0", "1/0", "nan", "inf", "-5", "9" * 400, "fast"):
        with pytest.raises(BadInput):
            parse_rate(wrong)


def test_padding_begins_and_ends_standing_without_a_jump(robot: Any) -> None:
    model = model_tree(robot("g1"))
    motion = waving(model, rate=50.0)
    even = even_motion(motion, model, None, pad=1.0)
    assert len(even.q) == 61 + 100
    for end in (0, -1):
        np.testing.assert_allclose(even.q[end], model.standing.q, atol=1e-12)
        assert even.base_p[end, 2] == pytest.approx(model.standing.world_p_base[2])
    np.testing.assert_array_equal(even.q[50:111], motion.joint_positions)
    steps = np.diff(even.q, axis=0)
    inside = np.abs(np.diff(motion.joint_positions, 2, axis=0)).max()
    seams = np.abs(np.diff(steps, axis=0))[[49, 109]]
    assert seams.max() < 1.5 * inside, "speed is continuous where the motion begins"
    assert not even.contacts[40:50].any() and even.contacts[0].all()


def test_what_cannot_be_had_is_refused(robot: Any, tmp_path: Path) -> None:
    bolted = model_tree(robot("baxter"))
    for name in DIALECTS:
        with pytest.raises(BadInput, match="baxter"):
            encode_dialect(name, waving(bolted), bolted)
    model = model_tree(robot("g1"))
    with pytest.raises(BadInput, match="has no joint"):
        encode_dialect("mjlab", waving(bolted), model)
    with pytest.raises(BadInput, match="model_tree"):
        save_motion(tmp_path, "a", waving(model), ("mjlab",))
    with pytest.raises(UnknownName, match="mjlab"):
        motion_paths(tmp_path, "a", ("mjlap",))
    with pytest.raises(BadInput):
        TrainingOptions(pad=float("nan"))
