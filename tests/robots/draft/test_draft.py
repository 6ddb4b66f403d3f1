"""A robot.toml drafted from a bare URDF is right, and names play no part in it."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.config import decode
from telexist.retarget.errors import BadModel, ModelNotFound
from telexist.retarget.kinematics import Configuration
from telexist.robots.check.check import check_robot
from telexist.robots.description.find import find_model
from telexist.robots.description.library import load_spec
from telexist.robots.description.robot_model import RobotModel, build_robot, load_robot
from telexist.robots.description.skeleton import joint_centres
from telexist.robots.description.spec import RobotSpec
from telexist.robots.description.stance import facing_rotation
from telexist.robots.draft.anatomy import recognise
from telexist.robots.draft.body_tree import BodyTree
from telexist.robots.draft.draft import draft_robot, draft_urdf
from telexist.robots.urdf.read_urdf import parse_urdf, read_urdf
from telexist.robots.urdf.urdf import (
    Joint,
    JointLimits,
    MimicRule,
    Pose,
    Urdf,
    UrdfLink,
)

BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data"
FOLDER = Path(os.environ.get("TELEXIST_SHARED", BESIDE)) / "robots"

ROBOTS = (
    "atlas",
    "baxter",
    "booster_t1",
    "ergocub",
    "g1",
    "h1",
    "icub",
    "jvrc1",
    "nao",
    "romeo",
    "talos",
    "valkyrie",
)
ANGLE = 2e-3  # [rad] a least-squares answer reached over another order of joints
SOLE = 0.012  # [m] rims and rounded edges are judged by eye in the shipped files
BEND = 0.3  # [rad] by which elbows and knees are bent to see where they go
SYMMETRY = 6e-3  # [m] models are symmetric to a few millimetres


@cache
def model(name: str) -> Urdf | None:
    try:
        return read_urdf(find_model(load_spec(name), folders=[FOLDER]))
    except ModelNotFound:
        return None


def urdf_of(name: str) -> Urdf:
    urdf = model(name)
    if urdf is None:
        pytest.skip(f"the model of {name} is not on this machine")
    return urdf


@cache
def drafted(name: str) -> dict[str, Any]:
    return tomllib.loads(draft_urdf(urdf_of(name)).text)


@cache
def built(name: str) -> RobotModel:
    urdf = urdf_of(name)
    spec = _spec_of(draft_urdf(urdf).text)
    return build_robot(spec, urdf, path=Path(f"{name}.toml"))


def _spec_of(text: str) -> RobotSpec:
    return decode(RobotSpec, tomllib.loads(text), path="draft")


def renamed(urdf: Urdf, seed: int) -> tuple[Urdf, dict[str, str]]:
    """Give all links and joints random names; return the way back too."""
    rng = np.random.default_rng(seed)
    names = [*urdf.links, *(f"joint {name}" for name in urdf.joints)]
    codes = rng.permutation(10 * len(names))[: len(names)]
    new = {old: f"x{code:06d}" for old, code in zip(names, codes, strict=True)}

    def joint(old: Joint) -> Joint:
        mimic = old.mimic
        if mimic is not None:
            leader = new[f"joint {mimic.leader}"]
            mimic = MimicRule(
                leader=leader, multiplier=mimic.multiplier, offset=mimic.offset
            )
        return dataclasses.replace(
            old,
            name=new[f"joint {old.name}"],
            parent=new[old.parent],
            child=new[old.child],
            mimic=mimic,
        )

    joints = [joint(old) for old in urdf.joints.values()]
    links = [dataclasses.replace(k, name=new[k.name]) for k in urdf.links.values()]
    back = {code: old.removeprefix("joint ") for old, code in new.items()}
    return rebuilt(urdf, links, joints, root=new[urdf.root]), back


def rebuilt(
    urdf: Urdf, links: list[UrdfLink], joints: list[Joint], *, root: str
) -> Urdf:
    return Urdf(
        name=urdf.name,
        path=urdf.path,
        root=root,
        links={link.name: link for link in links},
        joints={joint.name: joint for joint in joints},
    )


@pytest.mark.parametrize("name", ROBOTS)
def test_draft_maps_the_same_bodies_as_the_shipped_file(name: str) -> None:
    mechanism = BodyTree(urdf_of(name))
    shipped = load_spec(name).links
    links = drafted(name)["links"]
    assert set(links) == set(shipped)
    for segment, link in links.items():
        assert mechanism.body_of(link) is mechanism.body_of(shipped[segment]), segment


@pytest.mark.parametrize("name", ROBOTS)
def test_draft_faces_where_the_shipped_file_does(name: str) -> None:
    pose_of = BodyTree(urdf_of(name)).pose_of
    shipped, base = load_spec(name).base, drafted(name)["base"]
    assert base["fixed"] == shipped.fixed
    np.testing.assert_allclose(
        pose_of[base["link"]].R @ facing_rotation(*_facing(base)).T,
        pose_of[shipped.link].R
        @ facing_rotation(np.array(shipped.forward), np.array(shipped.up)).T,
        atol=1e-3,
    )


def _facing(base: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(base["forward"]), np.array(base["up"])


@pytest.mark.parametrize("name", ROBOTS)
def test_soles_agree_with_the_shipped_file(name: str) -> None:
    shipped = load_robot(name, [FOLDER]).body if model(name) else None
    robot = built(name).body
    assert shipped is not None
    assert set(robot.soles) == set(shipped.soles)
    for side, sole in robot.soles.items():
        assert sole.length == pytest.approx(shipped.soles[side].length, abs=SOLE)
        assert sole.width == pytest.approx(shipped.soles[side].width, abs=SOLE)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_names_play_no_part(name: str, seed: int) -> None:
    urdf = urdf_of(name)
    other, back = renamed(urdf, seed)
    table, expected = tomllib.loads(draft_urdf(other).text), drafted(name)
    assert {s: back[k] for s, k in table["links"].items()} == expected["links"]
    assert {s: back[k] for s, k in table["hands"].items()} == expected["hands"]
    assert back[table["base"]["link"]] == expected["base"]["link"]
    assert table["base"]["forward"] == expected["base"]["forward"]
    assert table["base"]["up"] == expected["base"]["up"]
    locked = {back[joint] for joint in table.get("locked", [])}
    assert locked == set(expected.get("locked", []))
    neutral = {back[joint]: q for joint, q in table.get("neutral", {}).items()}
    assert neutral == pytest.approx(expected.get("neutral", {}), abs=ANGLE)
    for side, sole in table.get("soles", {}).items():
        assert back[sole.pop("link")] == expected["soles"][side]["link"]
        for key, value in sole.items():
            assert value == pytest.approx(expected["soles"][side][key], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_order_in_the_file_plays_no_part(name: str) -> None:
    urdf = urdf_of(name)
    rng = np.random.default_rng(7)
    links, joints = list(urdf.links.values()), list(urdf.joints.values())
    shuffled = rebuilt(
        urdf,
        [links[i] for i in rng.permutation(len(links))],
        [joints[i] for i in rng.permutation(len(joints))],
        root=urdf.root,
    )
    mechanism = BodyTree(urdf)
    table = tomllib.loads(draft_urdf(shuffled).text)
    for segment, link in drafted(name)["links"].items():
        other = table["links"][segment]
        assert mechanism.body_of(other) is mechanism.body_of(link), segment
    expected = drafted(name).get("neutral", {})
    assert table.get("neutral", {}) == pytest.approx(expected, abs=ANGLE)


@pytest.mark.parametrize("name", ROBOTS)
def test_facing_turns_with_the_model(name: str) -> None:
    urdf = urdf_of(name)
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turned = on_turned_root(urdf, R)
    plain, other = recognise(BodyTree(urdf)), recognise(BodyTree(turned))
    np.testing.assert_allclose(other.forward, R @ plain.forward, atol=1e-9)
    np.testing.assert_allclose(other.up, R @ plain.up, atol=1e-9)
    lefts = [[b.name for b in a.arms["left"].bodies] for a in (plain, other)]
    assert lefts[0] == lefts[1]


def test_up_is_found_where_the_base_lies_on_its_back() -> None:
    urdf = urdf_of("talos")
    R = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    anatomy = recognise(BodyTree(on_turned_root(urdf, R)))
    np.testing.assert_allclose(anatomy.up, [1.0, 0.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(anatomy.forward, [0.0, 0.0, -1.0], atol=1e-9)


def on_turned_root(urdf: Urdf, R: np.ndarray) -> Urdf:
    root = UrdfLink(name="turned root", mass=0.0, link_p_com=np.zeros(3))
    weld = Joint(
        name="turned weld",
        kind="fixed",
        parent=root.name,
        child=urdf.root,
        pose=Pose(p=np.zeros(3), R=R),
        axis=np.array([1.0, 0.0, 0.0]),
    )
    links = [root, *urdf.links.values()]
    return rebuilt(urdf, links, [weld, *urdf.joints.values()], root=root.name)


@pytest.mark.parametrize("name", ROBOTS)
def test_neutral_posture_is_inside_the_limits(name: str) -> None:
    body = built(name).body
    assert np.all(body.neutral.q >= body.lower)
    assert np.all(body.neutral.q <= body.upper)


@pytest.mark.parametrize("name", ROBOTS)
def test_neutral_posture_is_symmetric(name: str) -> None:
    centres = _world_points(built(name), built(name).body.neutral.q)
    for segment, p in centres.items():
        if segment.startswith("Left"):
            twin = centres["Right" + segment.removeprefix("Left")]
            np.testing.assert_allclose(p, twin * [1.0, -1.0, 1.0], atol=SYMMETRY)
            assert p[1] > 0.0, segment


@pytest.mark.parametrize("name", ROBOTS)
def test_elbows_bend_forward_and_knees_backward(name: str) -> None:
    robot = built(name)
    body, kinematics = robot.body, robot.body.kinematics
    skeleton = joint_centres(
        robot.urdf, kinematics, body.links, body.neutral, body.soles
    )
    assert skeleton.hinges
    straight = _world_points(robot, body.neutral.q)
    for segment, joint in skeleton.hinges.items():
        i = kinematics.index(joint)
        q = body.neutral.q.copy()
        q[i] += BEND if body.upper[i] - q[i] > q[i] - body.lower[i] else -BEND
        bent = _world_points(robot, q)
        arm = segment.endswith("ForeArm")
        end = segment.replace("ForeArm", "Hand").replace("LowerLeg", "Foot")
        ahead, aside, _ = bent[end] - straight[end]
        assert (ahead if arm else -ahead) > 2.0 * abs(aside), segment


def _world_points(robot: RobotModel, q: np.ndarray) -> dict[str, np.ndarray]:
    body, kinematics = robot.body, robot.body.kinematics
    kinematics.update(
        Configuration(
            world_p_base=body.neutral.world_p_base,
            world_R_base=body.neutral.world_R_base,
            q=q,
        )
    )
    points = {}
    for segment, (link, p) in body.points.items():
        frame = kinematics.frame(link)
        points[segment] = kinematics.position(frame) + kinematics.rotation(frame) @ p
    return points


@pytest.mark.parametrize("name", ["talos", "g1", "icub"])
def test_a_model_without_masses_and_shapes_keeps_its_link_map(name: str) -> None:
    urdf = urdf_of(name)
    bare = [
        UrdfLink(name=link.name, mass=0.0, link_p_com=np.zeros(3))
        for link in urdf.links.values()
    ]
    other = rebuilt(urdf, bare, list(urdf.joints.values()), root=urdf.root)
    mechanism = BodyTree(urdf)
    draft = draft_urdf(other)
    table = tomllib.loads(draft.text)
    assert any("soles.left" in note for note in draft.notes)
    for segment, link in drafted(name)["links"].items():
        found = table["links"].get(segment)
        assert found is not None, segment
        assert mechanism.body_of(found) is mechanism.body_of(link), segment


@pytest.mark.parametrize("name", ["h1", "jvrc1", "booster_t1"])
def test_a_model_without_limits_gets_stated_ones(name: str) -> None:
    urdf = urdf_of(name)
    joints = [
        dataclasses.replace(joint, limits=JointLimits(lower=0.0, upper=0.0))
        for joint in urdf.joints.values()
    ]
    other = rebuilt(urdf, list(urdf.links.values()), joints, root=urdf.root)
    draft = draft_urdf(other)
    table = tomllib.loads(draft.text)
    assert set(table["links"]) == set(drafted(name)["links"])
    limits = table["limits"]
    assert all(row["lower"] < row["upper"] for row in limits.values())
    assert all(row["velocity"] > 0.0 for row in limits.values())
    robot = build_robot(_spec_of(draft.text), other, path=Path("robot.toml"))
    assert robot.body.kinematics.n == len(limits)


def test_the_model_is_named_relative_to_the_file(tmp_path: Path) -> None:
    urdf = urdf_of("talos")
    draft = draft_robot(urdf.path, folder=tmp_path)
    path = tomllib.loads(draft.text)["model"]["path"]
    assert (tmp_path / path).resolve() == urdf.path.resolve()


@pytest.mark.parametrize("subject", ["humanSubject01_48dof", "humanSubject05_66dof"])
def test_a_human_model_gets_every_segment(subject: str) -> None:
    path = FOLDER / "human" / f"{subject}.urdf"
    if not path.is_file():
        pytest.skip("no human models on this machine")
    links = tomllib.loads(draft_robot(path).text)["links"]
    assert links == {segment: segment for segment in links}
    assert len(links) == 23


def test_legs_alone_are_recognised() -> None:
    path = FOLDER / "berkeley_humanoid" / "berkeley_humanoid.urdf"
    if not path.is_file():
        pytest.skip("no model of Berkeley's humanoid on this machine")
    table = tomllib.loads(draft_robot(path).text)
    assert table["links"]["LeftUpperLeg"] == "ll_hfe"
    assert table["links"]["LeftFoot"] == "ll_faa"
    assert "T8" not in table["links"]
    assert not table["base"]["fixed"]


def test_gears_and_rods_are_not_taken_for_fingers() -> None:
    path = FOLDER / "toddlerbot" / "toddlerbot.urdf"
    if not path.is_file():
        pytest.skip("no model of ToddlerBot on this machine")
    table = tomllib.loads(draft_robot(path).text)
    assert table["links"]["LeftHand"] == "hand"
    assert table["links"]["Head"] == "head"
    assert table["links"]["RightFoot"] == "ank_roll_link_2"


@pytest.mark.parametrize("robot", ["tiago_pro", "pr2", "centauro"])
def test_arms_on_a_platform_get_a_fixed_base(robot: str) -> None:
    path = _of_example_robot_data(robot)
    table = tomllib.loads(draft_robot(path).text)
    assert table["base"]["fixed"]
    assert table["base"]["forward"] == [1.0, 0.0, 0.0]
    assert {"T8", "LeftUpperArm", "LeftForeArm", "LeftHand"} <= set(table["links"])
    assert "Pelvis" not in table["links"]


@pytest.mark.parametrize("robot", ["panda", "kinova", "hyq", "go2", "tiago"])
def test_what_is_no_humanoid_is_refused_in_one_line(robot: str) -> None:
    path = _of_example_robot_data(robot)
    with pytest.raises(BadModel, match=r"no humanoid recognised.*\[links\]") as error:
        draft_robot(path)
    assert "\n" not in str(error.value)


def test_collar_bones_that_start_in_the_middle_are_no_error(tmp_path: Path) -> None:
    path = _of_example_robot_data("human")
    (tmp_path / "robot.toml").write_text(draft_robot(path).text)
    assert check_robot(tmp_path / "robot.toml").worst != "error"


def _of_example_robot_data(robot: str) -> Path:
    try:
        talos = find_model(load_spec("talos"))
    except ModelNotFound:
        pytest.skip("example-robot-data is not installed")
    folder = talos.parents[2] / f"{robot}_description"
    named = sorted(folder.glob(f"**/{robot}.urdf")) or sorted(folder.glob("**/*.urdf"))
    return named[0]


def test_a_robot_with_one_hand_keeps_its_link_map() -> None:
    urdf = urdf_of("talos")
    joints = [
        dataclasses.replace(joint, kind="fixed")
        if joint.name == "gripper_right_joint"
        else joint
        for joint in urdf.joints.values()
    ]
    other = rebuilt(urdf, list(urdf.links.values()), joints, root=urdf.root)
    assert tomllib.loads(draft_urdf(other).text)["links"] == drafted("talos")["links"]


def test_arms_alone_are_recognised_where_y_is_up() -> None:
    path = _of_example_robot_data("human")
    urdf = read_urdf(path)
    legs = {"left_hip_Z", "right_hip_Z"}
    joints = [
        dataclasses.replace(joint, kind="fixed")
        if _hangs_on(urdf, joint, legs)
        else joint
        for joint in urdf.joints.values()
    ]
    other = rebuilt(urdf, list(urdf.links.values()), joints, root=urdf.root)
    anatomy = recognise(BodyTree(other))
    assert not anatomy.legs
    np.testing.assert_allclose(anatomy.up, [0.0, 1.0, 0.0], atol=1e-9)
    assert anatomy.arms["left"].bodies[-1].links[0] == "left_hand"


def _hangs_on(urdf: Urdf, joint: Joint, names: set[str]) -> bool:
    return any(above.name in names for above in urdf.chain(joint.child))


def test_one_link_is_refused() -> None:
    urdf = parse_urdf('<robot name="a"><link name="b"/></robot>')
    with pytest.raises(BadModel, match="no humanoid recognised: 0 turning joints"):
        draft_urdf(urdf)


def test_a_long_chain_is_refused_without_recursion() -> None:
    links = "".join(f'<link name="l{i}"/>' for i in range(1500))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/>'
        f'<child link="l{i + 1}"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" velocity="1" effort="1"/></joint>'
        for i in range(1499)
    )
    urdf = parse_urdf(f'<robot name="a">{links}{joints}</robot>')
    with pytest.raises(BadModel, match="no two limbs"):
        draft_urdf(urdf)
