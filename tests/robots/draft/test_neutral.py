"""The neutral posture of simple machines whose answer is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.robot_body import Mimic
from telexist.robots.description.limits import joint_limits, keep_followers_inside
from telexist.robots.description.mimics import resolve_mimics
from telexist.robots.draft.anatomy import recognise
from telexist.robots.draft.body_tree import BodyTree
from telexist.robots.draft.link_map import map_links
from telexist.robots.draft.neutral import NeutralPosture, neutral_posture
from telexist.robots.draft.palms import find_palms
from telexist.robots.urdf.clean_urdf import clean_urdf
from telexist.robots.urdf.read_urdf import parse_urdf
from telexist.robots.urdf.urdf import Urdf

ANGLE = 5e-3  # [rad] the pull towards zero leaves this much
WIDE = (-2.0, 2.0)


def toy(
    *,
    elbow: tuple[float, float] = (-2.5, 0.0),
    adduction: tuple[float, float] = WIDE,
    knee_mimics: bool = False,
    finger: bool = False,
) -> Urdf:
    """Return a T-posed robot of sticks, its left half at positive y.

    Elbows turn about z, so that they bend forward while the arms point aside.
    """
    lines = ['<link name="trunk"><inertial><mass value="9"/></inertial></link>']

    def joint(name: str, parent: str, xyz: str, axis: str, *limits: float) -> None:
        lower, upper = limits
        mimic = ""
        if knee_mimics and name == "R_knee":
            mimic = '<mimic joint="L_knee" multiplier="1"/>'
        lines.append(
            f'<joint name="{name}" type="revolute"><parent link="{parent}"/>'
            f'<child link="{name}_link"/><origin xyz="{xyz}"/><axis xyz="{axis}"/>'
            f'<limit lower="{lower}" upper="{upper}" velocity="5" effort="9"/>'
            f"{mimic}</joint>"
        )

    def link(name: str, com: str, mass: float = 1.0) -> None:
        lines.append(
            f'<link name="{name}_link"><inertial><origin xyz="{com}"/>'
            f'<mass value="{mass}"/></inertial></link>'
        )

    for side, s in (("L", 1.0), ("R", -1.0)):
        parent = "trunk"
        bend = elbow if s > 0 else (-elbow[1], -elbow[0])
        down = adduction if s > 0 else (-adduction[1], -adduction[0])
        for name, xyz, axis, limits, com in (
            ("pitch", f"0 {0.2 * s} 0.5", "0 1 0", WIDE, "0 0 0"),
            ("roll", "0 0 0", "1 0 0", down, "0 0 0"),
            ("twist", "0 0 0", "0 1 0", WIDE, f"0 {0.15 * s} 0"),
            ("elbow", f"0 {0.3 * s} 0", "0 0 1", bend, f"0 {0.15 * s} 0"),
            ("prosup", "0 0 0", "0 1 0", WIDE, f"0 {0.15 * s} 0"),
            ("wrist", f"0 {0.25 * s} 0", "1 0 0", (-0.5, 0.5), f"0 {0.05 * s} 0"),
        ):
            joint(f"{side}_{name}", parent, xyz, axis, *limits)
            link(f"{side}_{name}", com)
            parent = f"{side}_{name}_link"
        if finger:
            # closes towards +x when the arm hangs: palms face ahead at zero
            joint(f"{side}_finger", parent, f"0 {0.1 * s} 0", "0 0 1", *_curl(s))
            link(f"{side}_finger", f"0 {0.03 * s} 0", 0.1)
        parent = "trunk"
        for name, xyz, axis, limits, com in (
            ("yaw", f"0 {0.1 * s} 0", "0 0 1", WIDE, "0 0 0"),
            ("hip_roll", "0 0 0", "1 0 0", WIDE, "0 0 0"),
            ("hip", "0 0 0", "0 1 0", WIDE, "0 0 -0.2"),
            ("knee", "0 0 -0.4", "0 1 0", (0.0, 2.5), "0 0 -0.2"),
            ("ankle", "0 0 -0.4", "0 1 0", (-1.0, 1.0), "0.03 0 -0.05"),
        ):
            joint(f"{side}_{name}", parent, xyz, axis, *limits)
            link(f"{side}_{name}", com)
            parent = f"{side}_{name}_link"
    return parse_urdf(f'<robot name="toy">{"".join(lines)}</robot>', path=Path("toy"))


def _curl(s: float) -> tuple[float, float]:
    return (-1.5, 0.0) if s > 0 else (0.0, 1.5)


def solved(urdf: Urdf) -> tuple[dict[str, float], NeutralPosture, tuple[Mimic, ...]]:
    anatomy = recognise(BodyTree(urdf))
    link_map = map_links(anatomy)
    following = resolve_mimics(urdf, dict.fromkeys(link_map.locked, 0.0))
    kinematics = Kinematics(clean_urdf(urdf, locked=following.locked))
    joints = kinematics.joints
    limits = joint_limits(urdf, joints, {})
    found = neutral_posture(
        urdf,
        kinematics,
        link_map.links,
        world_R_root=np.eye(3),
        limits=keep_followers_inside(limits, joints, following.mimics),
        mimics=following.mimics,
        palms=find_palms(anatomy),
    )
    q = dict(zip(joints, found.q.tolist(), strict=True))
    return q, found, following.mimics


def test_a_t_pose_comes_down_by_its_shoulders_alone() -> None:
    q, found, _ = solved(toy())
    expected = {joint: 0.0 for joint in q} | {
        "L_roll": -np.pi / 2,
        "R_roll": np.pi / 2,
    }
    assert q == pytest.approx(expected, abs=ANGLE)
    assert max(found.errors.values()) < ANGLE


def test_an_elbow_that_bends_the_other_way_turns_the_arm() -> None:
    q, _, _ = solved(toy(elbow=(0.0, 2.5)))
    turned = abs(q["L_twist"]) + abs(q["L_pitch"])
    assert turned > 1.0
    assert q["L_twist"] == pytest.approx(q["R_twist"], abs=ANGLE)


def test_arms_that_cannot_hang_are_straight_and_as_low_as_they_go() -> None:
    q, found, _ = solved(toy(adduction=(-1.0, 1.0)))
    assert q["L_roll"] == pytest.approx(-1.0, abs=ANGLE)
    assert q["L_elbow"] == pytest.approx(0.0, abs=ANGLE)
    expected = np.pi / 2 - 1.0
    assert found.errors["LeftUpperArm"] == pytest.approx(expected, abs=ANGLE)


def test_an_elbow_that_cannot_straighten_stays_at_its_limit() -> None:
    q, _, _ = solved(toy(elbow=(-2.5, -0.3)))
    assert q["L_elbow"] == pytest.approx(-0.3, abs=ANGLE)
    assert q["L_roll"] == pytest.approx(-np.pi / 2, abs=0.02)


def test_palms_are_turned_to_the_thighs() -> None:
    q, _, _ = solved(toy(finger=True))
    # From ahead inwards; the axis points down on the left and up on the right.
    assert q["L_prosup"] == pytest.approx(np.pi / 2, abs=0.02)
    assert q["R_prosup"] == pytest.approx(np.pi / 2, abs=0.02)


def test_followers_follow() -> None:
    q, _, mimics = solved(toy(knee_mimics=True))
    assert [mimic.joint for mimic in mimics] == ["R_knee"]
    assert q["R_knee"] == pytest.approx(q["L_knee"], abs=1e-12)
