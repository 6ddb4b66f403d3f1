"""Distances between solids, against another library, and which pairs may meet."""

from __future__ import annotations

import coal
import numpy as np
import pytest
from scipy.spatial import ConvexHull
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.link_hull import RoundedHull
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.retarget.solids import FAR, find_gaps, find_meetings

RODS = 5
NEAR = 0.1  # [m]


def chain(reach: float = 3.1) -> RobotBody:
    """Return rods of 1 m, one after the other, that turn about z and then about y."""
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    links = "".join(
        f'<link name="rod{k}"><inertial><mass value="1"/>{inertia}</inertial></link>'
        for k in range(RODS)
    )
    joints = "".join(
        f'<joint name="hinge{k}" type="revolute"><parent link="rod{k}"/>'
        f'<child link="rod{k + 1}"/><origin xyz="1 0 0"/>'
        f'<axis xyz="0 {k % 2} {1 - k % 2}"/>'
        '<limit lower="-3.2" upper="3.2" effort="1" velocity="9"/></joint>'
        for k in range(RODS - 1)
    )
    kinematics = Kinematics(f'<robot name="chain">{links}{joints}</robot>')
    wide = np.full(kinematics.n, reach)
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


def lumps(seed: int) -> list[RoundedHull]:
    """Return a lump of eight corners about the middle of each rod."""
    rng = np.random.default_rng(seed)
    return [
        RoundedHull(
            link=f"rod{k}",
            corners=np.array([0.5, 0.0, 0.0])
            + rng.normal(size=(8, 3)) * np.array([0.3, 0.1, 0.1]),
            radius=0.02,
        )
        for k in range(RODS)
    ]


def true_distance(body: RobotBody, hulls: tuple[RoundedHull, ...], q: Array) -> float:
    kinematics = body.kinematics
    kinematics.update(
        Configuration(world_p_base=np.zeros(3), world_R_base=np.eye(3), q=q)
    )
    shapes, places = [], []
    for hull in hulls:
        points, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for corner in hull.corners:
            points.append(corner)
        for a, b, c in ConvexHull(hull.corners).simplices.tolist():
            faces.append(coal.Triangle(a, b, c))
        shapes.append(coal.Convex(points, faces))
        frame = kinematics.frame(hull.link)
        places.append(
            coal.Transform3s(kinematics.rotation(frame), kinematics.position(frame))
        )
    found = coal.DistanceResult()
    coal.distance(
        shapes[0], places[0], shapes[1], places[1], coal.DistanceRequest(), found
    )
    return float(found.min_distance)


@pytest.mark.parametrize("seed", range(4))
def test_gaps_are_those_of_another_library(seed: int) -> None:
    body, hulls = chain(), lumps(seed)
    pairs = np.array([(a, b) for a in range(RODS) for b in range(a + 2, RODS)])
    q = np.random.default_rng(seed).uniform(-3.0, 3.0, size=(60, RODS - 1))
    gaps = find_gaps(body, hulls, pairs, q)
    seen = 0
    for row, posture in zip(gaps, q, strict=True):
        for gap, (a, b) in zip(row, pairs, strict=True):
            true = true_distance(body, (hulls[a], hulls[b]), posture)
            if true > 1e-4 and gap < FAR:
                seen += 1
                assert gap == pytest.approx(true - 0.04, abs=1e-5)
            elif true > 1e-4:
                assert true > NEAR
            elif true < -1e-4:
                assert gap == -np.inf
    assert seen > 50


def test_neighbours_are_no_pair_and_the_others_may_meet() -> None:
    body, hulls = chain(), lumps(0)
    found = find_meetings(body, hulls)
    pairs = {tuple(pair) for pair in found.pairs.tolist()}
    assert (0, 2) in pairs
    assert not any(b - a < 2 for a, b in pairs)
    assert (found.least > 0.0).all(), "none of them touches in neutral"


def test_what_cannot_meet_is_no_pair() -> None:
    stiff = chain(reach=0.2)
    assert len(find_meetings(stiff, lumps(0)).pairs) == 0


def test_what_touches_in_neutral_may_stay_as_deep() -> None:
    body = chain()
    slab = np.array([[x, y, z] for x in (0, 1) for y in (0, 0.1) for z in (0, 0.1)])
    hulls = [
        RoundedHull(link="rod0", corners=slab, radius=0.05),
        RoundedHull(link="rod4", corners=slab - [2.93, 0, 0], radius=0.05),
    ]
    found = find_meetings(body, hulls)
    assert found.pairs.tolist() == [[0, 1]]
    assert found.least[0] == pytest.approx(1.07 - 1.0 - 0.1, abs=1e-6)
