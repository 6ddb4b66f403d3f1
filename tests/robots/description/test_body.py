"""Building a robot from a file and a model: facing, standing, and mistakes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadConfig, BadModel, ModelNotFound
from telexist.retarget.so3 import rotation_from_rpy
from telexist.robots.description.robot_model import load_body, load_robot
from telexist.robots.description.stance import facing_rotation, sole_corners

URDF = """
<robot name="stool">
  <link name="world"/><link name="trunk"/><link name="left"/><link name="right"/>
  <link name="toe"/>
  <joint name="tie" type="floating"><parent link="world"/><child link="trunk"/></joint>
  <joint name="hip_l" type="continuous"><parent link="trunk"/><child link="left"/>
    <origin xyz="0.1 0 -0.5"/><axis xyz="1 0 0"/></joint>
  <joint name="hip_r" type="revolute"><parent link="trunk"/><child link="right"/>
    <origin xyz="-0.1 0 -0.5"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="0.5" velocity="2" effort="1"/>
    <mimic joint="hip_l" multiplier="-1"/></joint>
  <joint name="bend" type="prismatic"><parent link="left"/><child link="toe"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"""

SPEC = """
name = "stool"
locked = ["bend"]
[model]
path = "stool.urdf"
[base]
link = "trunk"
forward = [0.0, -1.0, 0.0]
[links]
Pelvis = "trunk"
LeftUpperLeg = "left"
RightUpperLeg = "right"
[neutral]
bend = 0.2
hip_l = 0.1
[soles.left]
link = "left"
position = [0.0, 0.0, -0.4]
rpy = [0.0, 0.0, -1.5707963]
length = 0.2
width = 0.1
[soles.right]
link = "right"
position = [0.0, 0.0, -0.4]
rpy = [0.0, 0.0, -1.5707963]
length = 0.2
width = 0.1
"""


@pytest.fixture
def spec_path(tmp_path: Path) -> Path:
    (tmp_path / "stool.urdf").write_text(URDF, encoding="utf-8")
    path = tmp_path / "robot.toml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def test_robot_beside_its_toml_is_built(spec_path: Path) -> None:
    robot = load_robot(spec_path)
    body = robot.body
    assert body.kinematics.joints == ("hip_l", "hip_r")
    assert robot.locked == {"bend": 0.2}
    assert robot.limits.default_position == ("hip_l",)
    assert "floating" in robot.urdf.notes[0]


def test_follower_follows_and_tightens_its_leader(spec_path: Path) -> None:
    body = load_body(spec_path)
    np.testing.assert_allclose(body.neutral.q, [0.1, -0.1])
    np.testing.assert_allclose(body.lower, [-0.5, -1.0])
    np.testing.assert_allclose(body.upper, [1.0, 0.5])
    np.testing.assert_allclose(body.velocity, [2.0, 2.0])


def test_robot_turns_to_face_x_and_stands_at_the_origin(spec_path: Path) -> None:
    body = load_body(spec_path)
    np.testing.assert_allclose(
        body.neutral.world_R_base @ [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], atol=1e-12
    )
    corners = sole_corners(body.kinematics, body.neutral, body.soles)
    both = np.concatenate([corners["left"], corners["right"]])
    np.testing.assert_allclose(both.mean(axis=0), 0.0, atol=1e-12)


def test_arrays_of_a_body_cannot_be_changed(spec_path: Path) -> None:
    body = load_body(spec_path)
    neutral = body.neutral
    for array in (body.lower, body.upper, body.velocity, neutral.q):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('Pelvis = "trunk"', 'Pelvis = "trnk"', "links.Pelvis"),
        ('link = "trunk"', 'link = "nobody"', "base.link"),
        ("hip_l = 0.1", "hip_x = 0.1", "neutral"),
        ('locked = ["bend"]', 'locked = ["tie"]', "locked"),
        ('link = "left"', 'link = "nobody"', "soles.left.link"),
        ("[neutral]", "[limits.hip_l]\nlower = 3.0\nupper = 2.0\n[neutral]", "limits"),
        ("[neutral]", "[limits.hip_l]\nvelocity = -1.0\n[neutral]", "limits.hip_l"),
    ],
)
def test_names_and_numbers_that_do_not_fit_the_model_are_errors(
    spec_path: Path, old: str, new: str, place: str
) -> None:
    assert old in SPEC
    spec_path.write_text(SPEC.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadConfig) as caught:
        load_body(spec_path)
    assert caught.value.place.startswith(place)
    assert "\n" not in str(caught.value)


def test_wrong_link_suggests_a_near_name(spec_path: Path) -> None:
    text = SPEC.replace('Pelvis = "trunk"', 'Pelvis = "trnk"')
    spec_path.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig, match="did you mean 'trunk'"):
        load_body(spec_path)


def test_missing_and_broken_models_are_told(spec_path: Path) -> None:
    model = spec_path.parent / "stool.urdf"
    model.write_text("<robot", encoding="utf-8")
    with pytest.raises(BadModel):
        load_body(spec_path)
    model.unlink()
    with pytest.raises(ModelNotFound, match="stool.urdf"):
        load_body(spec_path)


def test_fixed_base_stays_where_the_model_has_it() -> None:
    try:
        body = load_body("baxter")
    except ModelNotFound:
        pytest.skip("the model of baxter is not on this machine")
    assert body.fixed_base
    np.testing.assert_allclose(body.neutral.world_p_base, 0.0)
    np.testing.assert_allclose(body.neutral.world_R_base, np.eye(3), atol=1e-12)


def test_facing_rotation_turns_forward_to_x_and_up_to_z() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        R = rotation_from_rpy(rng.uniform(-3.0, 3.0, 3))
        turned = facing_rotation(2.0 * R[:, 0], 0.5 * R[:, 2])
        np.testing.assert_allclose(turned @ R, np.eye(3), atol=1e-12)
