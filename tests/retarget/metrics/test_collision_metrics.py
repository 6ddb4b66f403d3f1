"""Self-collision on a chain of rods, where geometry alone gives the answer."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.link_hull import LinkHull, hull_of
from telexist.retarget.metrics.collisions import find_collisions
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

RODS = 5
THICK = 0.05  # [m] half the edge of a rod


def chain() -> RobotBody:
    """Return rods of 1 m in a row, each hinged about z to the one before."""
    links = "".join(
        f'<link name="rod{k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
        'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        for k in range(RODS)
    )
    joints = "".join(
        f'<joint name="hinge{k}" type="revolute"><parent link="rod{k}"/>'
        f'<child link="rod{k + 1}"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-3.2" upper="3.2" effort="1" velocity="9"/></joint>'
        for k in range(RODS - 1)
    )
    kinematics = Kinematics(f'<robot name="chain">{links}{joints}</robot>')
    wide = np.full(kinematics.n, 4.0)
    return RobotBody(
        name="chain",
        kinematics=kinematics,
        fixed_base=True,
        links={},
        limb_directions={},
        points={},
        neutral=kinematics.neutral(),
        lower=-wide,
        upper=wide,
        velocity=wide,
    )


def rods() -> list[LinkHull]:
    ends = np.array(
        [[x, y, z] for x in (0.1, 0.9) for y in (-THICK, THICK) for z in (-0.1, 0.1)]
    )
    return [hull_of(f"rod{k}", ends) for k in range(RODS)]


def motion_of(body: RobotBody, q: Array) -> RobotMotion:
    t = len(q)
    return RobotMotion(
        robot="chain",
        source="test",
        time=np.arange(t) / 100.0,
        joint_names=body.kinematics.joints,
        joint_positions=q,
        joint_velocities=np.zeros_like(q),
        base_position=np.zeros((t, 3)),
        base_rotation=np.tile(np.eye(3), (t, 1, 1)),
        contact_left=np.zeros(t, dtype=bool),
        contact_right=np.zeros(t, dtype=bool),
    )


def test_a_straight_chain_is_free_and_a_closed_square_is_not() -> None:
    body = chain()
    square = np.full(4, np.pi / 2.0)
    almost = np.array([0.5, 0.5, 0.5, 0.5])
    found = find_collisions(body, motion_of(body, np.stack([square, almost])), rods())
    assert (found.checked, found.frames) == (2, 1)
    assert dict(found.pairs) == {"rod0 / rod4": 1}


@pytest.mark.parametrize("seed", range(40))
def test_collisions_agree_with_points_inside_rectangles(seed: int) -> None:
    body = chain()
    q = np.random.default_rng(seed).uniform(-2.5, 2.5, 4)
    thin, thick = (_overlapping(q, THICK + grow) for grow in (-0.004, 0.004))
    found = set(find_collisions(body, motion_of(body, q[None]), rods()).pairs)
    assert thin <= found <= thick


def _overlapping(q: Array, half: float) -> set[str]:
    """Return the pairs of rods three or more apart that overlap, by dense sampling."""
    angles = np.concatenate([[0.0], np.cumsum(q)])
    along = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    starts = np.concatenate([[[0.0, 0.0]], np.cumsum(along, axis=0)])[:RODS]
    margin = half - THICK
    s, w = np.meshgrid(
        np.linspace(0.1 - margin, 0.9 + margin, 300), np.linspace(-half, half, 60)
    )
    pairs = set()
    for i, j in ((0, 3), (0, 4), (1, 4)):
        points = starts[i] + s[..., None] * along[i] + w[..., None] * across[i]
        seen = points - starts[j]
        inside = (
            (seen @ along[j] > 0.1 - margin)
            & (seen @ along[j] < 0.9 + margin)
            & (np.abs(seen @ across[j]) < half)
        )
        if inside.any():
            pairs.add(f"rod{i} / rod{j}")
    return pairs


def test_neighbours_within_two_joints_may_touch() -> None:
    body = chain()
    folded = np.array([np.pi, 0.0, 0.0, 0.0])
    found = find_collisions(body, motion_of(body, folded[None]), rods()[:3])
    assert found.frames == 0


def test_long_motions_are_sampled_and_say_so() -> None:
    body = chain()
    found = find_collisions(body, motion_of(body, np.zeros((1001, 4))), rods())
    assert found.every == 6
    assert found.checked == 167


def test_a_robot_without_shapes_is_skipped_with_a_reason() -> None:
    body = chain()
    found = find_collisions(body, motion_of(body, np.zeros((3, 4))), [])
    assert found.checked == 0 and found.skipped


@pytest.mark.parametrize("seed", range(4))
def test_hulls_are_convex_closed_and_turned_outwards(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hull = hull_of("cloud", rng.normal(size=(300, 3)), most=40)
    assert len(hull.vertices) <= 40
    corners = hull.vertices[hull.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    heights = np.einsum("fj,kj->fk", normals, hull.vertices)
    own = np.einsum("fj,fj->f", normals, corners[:, 0])
    assert (heights - own[:, None]).max() < 1e-9
    edges = {(f[i], f[(i + 1) % 3]) for f in hull.faces.tolist() for i in range(3)}
    assert edges == {(b, a) for a, b in edges}


def test_flat_and_empty_shapes_are_refused() -> None:
    square = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    for points in (square, np.empty((0, 3)), np.full((9, 3), np.nan)):
        with pytest.raises(BadInput):
            hull_of("flat", points)
