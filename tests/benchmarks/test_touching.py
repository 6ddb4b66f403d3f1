"""The judge of collisions, on bodies whose depth is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from telexist.benchmarks.fidelity.judged_robot import JudgedRobot
from telexist.benchmarks.fidelity.judged_solids import judged_solids
from telexist.benchmarks.fidelity.touching import JudgedBodies, touching_of

HALF = 0.1  # [m] of the cubes


def link(name: str) -> str:
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    cube = '<geometry><box size="0.2 0.2 0.2"/></geometry>'
    return (
        f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial>'
        f"<collision>{cube}</collision></link>"
    )


def rail(parent: str, child: str, at: str) -> str:
    return (
        f'<joint name="{child}" type="prismatic"><parent link="{parent}"/>'
        f'<child link="{child}"/><origin xyz="{at}"/><axis xyz="1 0 0"/>'
        '<limit lower="-9" upper="9" effort="1" velocity="9"/></joint>'
    )


@pytest.fixture
def robot(tmp_path: Path) -> JudgedRobot:
    """Return cubes on rails, one metre apart: first, second and third."""
    parts = [link(name) for name in ("first", "second", "third")]
    parts += [rail("first", "second", "1 0 0"), rail("second", "third", "1 0 0")]
    urdf = tmp_path / "rails.urdf"
    urdf.write_text(f'<robot name="rails">{"".join(parts)}</robot>')
    model = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
    return JudgedRobot(
        name="rails", urdf=urdf, model=model, base="first", joints={}, soles={}
    )


def result(folder: Path, q: list[tuple[float, float]], height: float) -> Path:
    path = folder / "clip.rails.npz"
    frames = len(q)
    np.savez(
        path,
        joint_names=np.array(["second", "third"]),
        joint_positions=np.array(q),
        base_position=np.tile([0.0, 0.0, height], (frames, 1)),
        base_quat_wxyz=np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1)),
    )
    return path


def test_depth_is_how_far_the_deepest_point_is_inside(robot: JudgedRobot) -> None:
    one, other, _ = judged_solids(robot.model, robot.urdf)
    for inside in (0.02, 0.05, 0.09):
        corner = np.array([[HALF - inside, 0.0, 0.0], [0.5, 0.0, 0.0]])
        assert one.depth(corner) == pytest.approx(inside, abs=0.002)
    assert other.depth(np.array([[0.3, 0.0, 0.0]])) == 0.0


def test_neighbours_may_overlap_and_the_others_may_not(
    robot: JudgedRobot, tmp_path: Path
) -> None:
    bodies = JudgedBodies(robot, {})
    # the second in the first; then the third 40 mm in the first
    q = [(0.0, 0.0), (-0.9, 0.5), (0.5, -2.34)]
    found = touching_of(result(tmp_path, q, 1.0), bodies)
    assert (found.frames, found.deep, found.floor) == (3, 1, 0)
    assert found.deepest == pytest.approx(0.04, abs=0.004)
    assert list(found.pairs) == ["root_joint / third"]


def test_what_overlaps_in_neutral_counts_from_there(
    robot: JudgedRobot, tmp_path: Path
) -> None:
    bodies = JudgedBodies(robot, {"second": 0.5, "third": -2.34})
    q = [(0.5, -2.34), (0.5, -2.345), (0.5, -2.36)]
    found = touching_of(result(tmp_path, q, 1.0), bodies)
    assert found.deep == 1
    assert found.deepest == pytest.approx(0.02, abs=0.004)


def test_what_sinks_into_the_floor_is_seen(robot: JudgedRobot, tmp_path: Path) -> None:
    bodies = JudgedBodies(robot, {})
    found = touching_of(result(tmp_path, [(0.0, 0.0)], 0.07), bodies)
    assert (found.floor, found.floor_deepest) == (1, pytest.approx(0.03))
