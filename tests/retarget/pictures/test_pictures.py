"""Pictures: cameras, solids and whole sheets, without a display."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.link_hull import hull_of
from telexist.retarget.metrics.report import make_report
from telexist.retarget.pictures.camera import FRONT, SIDE, THREE_QUARTER
from telexist.retarget.pictures.moments import choose_moments
from telexist.retarget.pictures.neutral import neutral_figure
from telexist.retarget.pictures.robot_solids import RobotFigure, link_sides
from telexist.retarget.pictures.save import encode_figure, save_figure
from telexist.retarget.pictures.sheet import draw_sheet
from telexist.retarget.pictures.solids import ball, capsule, wrapped
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.description.robot_model import load_body

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def human66() -> RobotBody:
    return load_body("human66")


def waving(t: int) -> HumanClip:
    time = np.arange(t) / 30.0
    rotations = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    rotations[:, SEGMENTS.index("LeftUpperArm")] = exp_so3(
        np.sin(3.0 * time)[:, None] * np.array([1.0, 0.0, 0.0])
    )
    size = adult_size()
    return HumanClip(
        name="waving",
        source="test",
        time=time,
        rotations=rotations,
        angular_velocities=np.zeros((t, len(SEGMENTS), 3)),
        positions=size.positions(rotations, np.tile(size.joints["Pelvis"], (t, 1))),
        linear_velocities=np.zeros((t, len(SEGMENTS), 3)),
        size=size,
    )


def still(body: RobotBody, time: Array) -> RobotMotion:
    t = len(time)
    return RobotMotion(
        robot=body.name,
        source="test",
        time=time,
        joint_names=body.kinematics.joints,
        joint_positions=np.tile(body.neutral.q, (t, 1)),
        joint_velocities=np.zeros((t, body.kinematics.n)),
        base_position=np.tile(body.neutral.world_p_base, (t, 1)),
        base_rotation=np.tile(body.neutral.world_R_base, (t, 1, 1)),
        contact_left=np.ones(t, dtype=bool),
        contact_right=np.arange(t) % 2 == 0,
    )


def volume(vertices: Array, faces: np.ndarray) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def test_from_the_front_the_left_hand_is_on_the_right_of_the_paper() -> None:
    left, ahead, up = (
        np.array([0.0, 1, 0]),
        np.array([1.0, 0, 0]),
        np.array([0.0, 0, 1]),
    )
    assert FRONT.see(left)[0] == pytest.approx(1.0)
    assert SIDE.see(ahead)[0] == pytest.approx(1.0)
    for camera in (FRONT, SIDE, THREE_QUARTER):
        assert camera.see(up)[1] > 0.9
        assert np.linalg.det(camera.axes()) == pytest.approx(1.0)


def test_solids_are_turned_outwards_and_have_their_volume() -> None:
    middle = np.array([0.3, -2.0, 1.0])
    round_ball = ball(middle, 0.5, "")
    exact = 4.0 / 3.0 * np.pi * 0.5**3
    assert volume(round_ball.vertices, round_ball.faces) == pytest.approx(
        exact, rel=0.25
    )
    bone = capsule(middle, middle + np.array([0.0, 3.0, 4.0]), (0.1, 0.1), "left")
    exact = np.pi * 0.1**2 * 5.0
    assert volume(bone.vertices, bone.faces) == pytest.approx(exact, rel=0.15)
    both = wrapped([(middle, 0.2), (middle + 1.0, 0.2)], "")
    assert volume(both.vertices, both.faces) > np.pi * 0.2**2 * np.sqrt(3.0) * 0.8


def test_every_link_of_an_arm_has_its_side(human66: RobotBody) -> None:
    sides = link_sides(human66)
    for segment, link in human66.links.items():
        expected = next((s for s in ("Left", "Right") if segment.startswith(s)), "")
        assert sides[link] == expected.lower()
    assert sides[human66.kinematics.base] == ""


def test_moments_are_in_order_and_inside_the_clip() -> None:
    for t in (1, 2, 7, 8, 9, 30, 500):
        moments = choose_moments(waving(t), 8)
        assert len(moments) == min(t, 8)
        assert moments == sorted(set(moments))
        assert moments[0] >= 0 and moments[-1] < t


@pytest.mark.parametrize("t", [1, 2, 90])
def test_a_sheet_is_drawn_for_clips_of_any_length(
    human66: RobotBody, tmp_path: Path, t: int
) -> None:
    clip = waving(t)
    motion = still(human66, clip.time)
    report = make_report(clip, human66, motion)
    path = tmp_path / "waving.human66.png"
    save_figure(path, draw_sheet(clip, human66, motion, report))
    assert path.read_bytes().startswith(PNG)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_equal_motions_give_equal_pictures(human66: RobotBody) -> None:
    clip = waving(20)
    motion = still(human66, clip.time)
    report = make_report(clip, human66, motion)
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * 0.1
    hulls = [hull_of(link, cube) for link in human66.links.values()]
    pictures = [
        encode_figure(draw_sheet(clip, human66, motion, report, hulls=hulls))
        for _ in range(2)
    ]
    assert pictures[0] == pictures[1]


def test_a_robot_without_feet_or_limbs_has_a_sheet_too(human66: RobotBody) -> None:
    links = {"Pelvis": human66.links["Pelvis"]}
    bare = replace(human66, links=links, limb_directions={}, soles={}, fixed_base=True)
    clip = waving(10)
    motion = still(bare, clip.time)
    report = make_report(clip, bare, motion)
    assert encode_figure(draw_sheet(clip, bare, motion, report)).startswith(PNG)


def test_the_neutral_posture_is_drawn(human66: RobotBody) -> None:
    figure = neutral_figure(human66, adult_size())
    assert encode_figure(figure).startswith(PNG)


def test_feet_without_shapes_hang_on_their_ankles(human66: RobotBody) -> None:
    figure = RobotFigure(human66)
    solids = figure.solids(human66.neutral)
    for side in ("left", "right"):
        outline = figure.sole_outline(side)
        foot = [
            s.vertices
            for s in solids
            if s.side == side and np.abs(s.vertices[:, 2]).min() < 1e-2
        ]
        points = np.concatenate(foot)
        assert points[:, 2].max() > 0.05, "from the sole up to the ankle"
        reach = np.ptp(points[:, 0]) - np.ptp(outline[:, 0])
        assert -0.01 < reach < 0.2, "from heel to toe"
        assert np.ptp(points[:, 1]) < 0.2, "not across the sole"
