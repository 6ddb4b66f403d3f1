"""MJCF models become the tree that MuJoCo itself computes with."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from telexist.retarget.errors import BadModel
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.robots.draft.draft import draft_robot
from telexist.robots.mjcf.read_model import is_mjcf, model_text, read_model
from telexist.robots.urdf.clean_urdf import clean_urdf
from telexist.robots.urdf.urdf import Urdf

PLACE = 1e-9  # [m] both compute the same chain in another order

ODD = """
<mujoco model="odd">
  <compiler angle="degree" eulerseq="zyx"/>
  <default><joint damping="1" armature="0.01"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="prop" pos="3 0 0"><geom size="0.1" mass="0.5"/></body>
    <body name="trunk" pos="0.1 0.2 1" euler="20 10 -30">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.3" mass="7"/>
      <body name="arm" pos="0 0.3 0.2" euler="0 40 0">
        <joint name="beside" axis="0 1 0" pos="0 0 0.1" range="-90 90"/>
        <geom type="capsule" size="0.04 0.1" pos="0 0 -0.1" mass="1"/>
        <body name="wrist" pos="0 0 -0.3">
          <joint name="wrist_x" axis="1 0 0" range="-30 60"/>
          <joint name="wrist_y" axis="0 1 0" pos="0 0 0.02" range="-45 45"/>
          <joint name="wrist_z" axis="0 0 1" ref="25" range="-10 80"/>
          <geom type="ellipsoid" size="0.03 0.05 0.1" mass="0.3"/>
          <body name="finger" pos="0.02 0 -0.1">
            <joint name="slide" type="slide" axis="1 0 0" range="0 0.05"/>
            <geom size="0.01" mass="0.05"/>
          </body>
          <body name="thumb" pos="-0.02 0 -0.1">
            <joint name="thumb" type="slide" axis="1 0 0" range="-0.05 0.05"/>
            <geom size="0.01" mass="0.05"/>
          </body>
        </body>
      </body>
      <body pos="0 -0.3 0.2">
        <joint axis="0 0 1" range="-90 90" actuatorfrcrange="-12 12"/>
        <geom type="cylinder" size="0.04 0.1" mass="1"/>
        <body name="welded" pos="0 0 0.1" quat="0.8 0 0.6 0"><geom size="0.02"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="beside" gear="2" ctrlrange="-30 30" ctrllimited="true"/>
    <position joint="wrist_x" kp="50" forcerange="-8 8"/>
  </actuator>
  <equality><joint joint1="thumb" joint2="slide" polycoef="0.001 -1 0 0 0"/></equality>
</mujoco>
"""


def written(folder: Path, text: str, name: str = "odd.xml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def places(model: object, data: object, urdf: Urdf) -> dict[str, np.ndarray]:
    """Return where MuJoCo has each link, relative to the root (4, 4)."""
    poses = {}
    for link in urdf.links:
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link)
        if body > 0:
            pose = np.eye(4)
            pose[:3, :3] = data.xmat[body].reshape(3, 3)
            pose[:3, 3] = data.xpos[body]
            poses[link] = pose
    root = np.linalg.inv(poses[urdf.root])
    return {link: root @ pose for link, pose in poses.items()}


def compare_kinematics(path: Path, seed: int) -> None:
    urdf = read_model(path)
    kinematics = Kinematics(clean_urdf(urdf), path=str(path))
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        q = rng.uniform(-1.0, 1.0, len(kinematics.joints))
        for joint, value in zip(kinematics.joints, q, strict=True):
            number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
            if number < 0:  # made up for a joint without a name
                number = int(joint.removeprefix("joint_"))
            data.qpos[model.jnt_qposadr[number]] = value
        mujoco.mj_kinematics(model, data)
        kinematics.update(
            Configuration(world_p_base=np.zeros(3), world_R_base=np.eye(3), q=q)
        )
        for link, pose in places(model, data, urdf).items():
            frame = kinematics.frame(link)
            np.testing.assert_allclose(
                kinematics.position(frame), pose[:3, 3], atol=PLACE, err_msg=link
            )
            np.testing.assert_allclose(
                kinematics.rotation(frame), pose[:3, :3], atol=PLACE, err_msg=link
            )


def test_every_link_is_where_mujoco_has_it(tmp_path: Path) -> None:
    compare_kinematics(written(tmp_path, ODD), seed=1)


def test_a_shipped_humanoid_is_where_mujoco_has_it(shared_data: Path) -> None:
    compare_kinematics(shared_data / "robots" / "g1_mjcf" / "g1.xml", seed=2)


def test_masses_limits_and_efforts_come_along(tmp_path: Path) -> None:
    path = written(tmp_path, ODD)
    urdf, model = read_model(path), mujoco.MjModel.from_xml_path(str(path))
    trunk = model.body("trunk").id
    assert urdf.mass == pytest.approx(float(model.body_subtreemass[trunk]))
    assert urdf.root == "trunk", "the prop beside it is lighter"
    beside, wrist = urdf.joints["beside"].limits, urdf.joints["wrist_x"].limits
    assert (beside.lower, beside.upper) == pytest.approx((-np.pi / 2, np.pi / 2))
    assert beside.effort == pytest.approx(60.0), "control range times gear"
    assert wrist.effort == pytest.approx(8.0)
    (unnamed,) = (j for j in urdf.joints.values() if j.limits.effort == 12.0)
    assert unnamed.name.startswith("joint_")


def test_inertia_is_that_of_the_compiled_body(tmp_path: Path) -> None:
    """The whole robot's inertia about its root, by pinocchio and by MuJoCo."""
    import pinocchio as pin

    path = written(tmp_path, ODD)
    text = model_text(path)
    assert isinstance(text, str)
    mine = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    zero = np.zeros(mine.nq)
    zero[6] = 1.0
    pin_mass = pin.crba(mine, mine.createData(), zero)
    root = int(model.body("trunk").jntadr[0])
    data.qpos[:] = 0.0
    data.qpos[model.jnt_qposadr[root] + 3] = 1.0
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    first = int(model.jnt_dofadr[root])
    # both at the identity: MuJoCo's base rows are world axes, pinocchio's body axes
    own = full[first : first + 6, first : first + 6]
    np.testing.assert_allclose(pin_mass[:6, :6], own, atol=1e-9)


def test_a_joint_that_follows_another_keeps_its_rule(tmp_path: Path) -> None:
    rule = read_model(written(tmp_path, ODD)).joints["thumb"].mimic
    assert rule is not None
    assert (rule.leader, rule.multiplier, rule.offset) == ("slide", -1.0, 0.001)


def test_slides_and_hinges_at_the_root_are_its_floating_base(tmp_path: Path) -> None:
    base = "".join(
        f'<joint name="b{kind}{a}" type="{kind}" axis="{axis}"/>'
        for kind in ("slide", "hinge")
        for a, axis in enumerate(("1 0 0", "0 1 0", "0 0 1"))
    )
    urdf = read_model(written(tmp_path, ODD.replace("<freejoint/>", base)))
    assert not [name for name in urdf.joints if name.startswith("bslide")]


def test_a_bolted_robot_turns_on_the_world(tmp_path: Path) -> None:
    text = ODD.replace("<freejoint/>", '<joint name="turn" axis="0 0 1"/>')
    urdf = read_model(written(tmp_path, text))
    assert urdf.root == "world"
    assert urdf.joints["turn"].parent == "world"


def test_closed_loops_and_missing_meshes_are_said(tmp_path: Path) -> None:
    text = ODD.replace(
        "<equality>", '<equality><connect body1="arm" body2="welded" anchor="0 0 0"/>'
    )
    text = text.replace(
        "<worldbody>",
        '<asset><mesh name="gone" file="gone.stl"/></asset><worldbody>',
        1,
    ).replace(
        '<geom size="0.02"/>', '<geom size="0.02"/><geom type="mesh" mesh="gone"/>'
    )
    notes = " ".join(read_model(written(tmp_path, text)).notes)
    assert "close loops" in notes
    assert "1 meshes are not on this machine" in notes


BAD = {
    "empty": "<mujoco/>",
    "cut": ODD[:800],
    "an entity": '<!DOCTYPE a [<!ENTITY b "c">]><mujoco>&b;</mujoco>',
    "replicated": '<mujoco><worldbody><replicate count="1000000"><body><geom size="1"/>'
    "</body></replicate></worldbody></mujoco>",
    "deep": "<mujoco><worldbody>" + "<body>" * 5000 + "</body>" * 5000 + "</worldbody>"
    "</mujoco>",
    "no mass": "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
    "nan": ODD.replace('mass="7"', 'mass="nan"'),
    "unknown element": ODD.replace("<freejoint/>", "<freejoint/><wheel/>"),
    "an include that is not there": ODD.replace(
        "<actuator>", '<include file="none.xml"/><actuator>'
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_mjcf_is_refused_in_one_line(tmp_path: Path, case: str) -> None:
    with pytest.raises(BadModel) as caught:
        read_model(written(tmp_path, BAD[case]))
    assert "odd.xml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_mutated_mjcf_is_read_or_refused_but_never_crashes(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    letters = np.frombuffer(ODD.encode(), np.uint8)
    for _ in range(150):
        bad = letters.copy()
        at = rng.integers(0, len(bad), rng.integers(1, 6))
        bad[at] = rng.integers(32, 127, len(at))
        try:
            read_model(written(tmp_path, bad.tobytes().decode()))
        except BadModel as error:
            assert "\n" not in str(error)


def test_files_are_told_apart_by_their_first_element(tmp_path: Path) -> None:
    urdf = '<robot name="r"><mujoco><compiler/></mujoco><link name="a"/></robot>'
    assert not is_mjcf(written(tmp_path, urdf, "a.urdf"))
    assert is_mjcf(written(tmp_path, "<!-- a -->\n<mujoco/>", "b.xml"))
    assert not is_mjcf(tmp_path / "none.xml")


@pytest.mark.slow
def test_a_humanoid_is_drafted_like_its_urdf(shared_data: Path) -> None:
    draft = draft_robot(shared_data / "robots" / "g1_mjcf" / "g1.xml")
    assert 'link = "pelvis"' in draft.text
    assert 'LeftLowerLeg = "left_knee_link"' in draft.text
    assert 'RightForeArm = "right_wrist_roll_link"' in draft.text
    assert "forward = [1.0, 0.0, 0.0]" in draft.text
