"""Random problems of inverse kinematics, and a small robot whose joints follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.ik.targets import (
    FloorGuard,
    OrientationTargets,
    PointTarget,
    Targets,
)
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import Coupling, Mimic, RobotBody
from telexist.retarget.so3 import Array, exp_so3

ENDLESS = 3.0  # [rad] stands in for a limit where there is none
BEYOND = 0.2  # [rad] or [m] by which a start may be outside
SINK = 0.05  # [m] by which the lowest sole may be above or below the floor


def _inertial() -> str:
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    return f'<inertial><mass value="1"/>{inertia}</inertial>'


def _joint(name: str, kind: str, ends: str, axis: str) -> str:
    parent, child = ends.split()
    return (
        f'<link name="{child}">{_inertial()}</link>'
        f'<joint name="{name}" type="{kind}">'
        f'<parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.1 0.05 0.2" rpy="0.3 0.2 -0.4"/><axis xyz="{axis}"/>'
        '<limit lower="-1.5" upper="1.5" velocity="4" effort="1"/></joint>'
    )


FOLLOWING = "".join(
    [
        f'<robot name="following"><link name="trunk">{_inertial()}</link>',
        _joint("shoulder", "revolute", "trunk upper", "0 1 0"),
        _joint("twist", "revolute", "upper middle", "0 0 1"),
        _joint("elbow", "revolute", "middle lower", "1 0 0"),  # follows the shoulder
        _joint("rail", "prismatic", "lower hand", "0.6 0 0.8"),
        _joint("hip", "revolute", "trunk thigh", "0 1 0"),
        _joint("knee", "revolute", "thigh shank", "0 1 0"),  # follows the hip
        _joint("toe", "revolute", "shank claw", "0 1 0"),
        "</robot>",
    ]
)


@pytest.fixture(scope="session", params=[False, True], ids=["free", "bolted"])
def following(request: pytest.FixtureRequest) -> RobotBody:
    """Return a robot two of whose mapped links are moved by following joints."""
    kinematics = Kinematics(FOLLOWING)
    lower, upper, velocity = kinematics.limits()
    lower[kinematics.index("knee")] = -0.5
    return RobotBody(
        name="following",
        kinematics=kinematics,
        fixed_base=request.param,
        links={
            "Pelvis": "trunk",
            "LeftUpperArm": "upper",
            "LeftForeArm": "lower",
            "LeftHand": "hand",
            "LeftUpperLeg": "thigh",
            "LeftLowerLeg": "shank",
            "LeftFoot": "claw",
        },
        limb_directions={},
        points={},
        neutral=replace(kinematics.neutral(), q=np.full(7, 0.05)),
        lower=lower,
        upper=upper,
        velocity=velocity,
        couplings=(
            Coupling(
                joints=("twist", "shoulder"),
                coefficients=(1.0, 0.5),
                lower=-0.6,
                upper=0.9,
            ),
        ),
        mimics=(
            Mimic(joint="elbow", leader="shoulder", multiplier=-0.7, offset=0.1),
            Mimic(joint="knee", leader="hip", multiplier=1.3, offset=0.0),
        ),
    )


def _follow(body: RobotBody, q: Array) -> Array:
    q = q.copy()
    for mimic in body.mimics:
        leader = q[body.kinematics.index(mimic.leader)]
        q[body.kinematics.index(mimic.joint)] = mimic.multiplier * leader + mimic.offset
    return q


def _corners(body: RobotBody) -> Iterator[tuple[int, Array]]:
    for sole in body.soles.values():
        points = sole.link_p_sole + sole.corners() @ sole.link_R_sole.T
        yield body.kinematics.frame(sole.link), points


def _on_the_floor(
    body: RobotBody, at: Configuration, rng: np.random.Generator
) -> Configuration:
    body.kinematics.update(at)
    lowest = min(
        (
            (
                body.kinematics.position(frame)
                + points @ body.kinematics.rotation(frame).T
            )[:, 2].min()
            for frame, points in _corners(body)
        ),
        default=0.0,
    )
    lift = np.array([0.0, 0.0, rng.uniform(-SINK, SINK) - lowest])
    return replace(at, world_p_base=at.world_p_base + lift)


@pytest.fixture(scope="session")
def start_inside() -> Callable[[RobotBody, np.random.Generator], Configuration]:
    """Return a maker of configurations well inside the limits, high in the air."""

    def make(body: RobotBody, rng: np.random.Generator) -> Configuration:
        lower, upper = np.maximum(body.lower, -2.0), np.minimum(body.upper, 2.0)
        share = rng.uniform(0.35, 0.65, len(lower))
        q = _follow(body, lower + share * (upper - lower))
        return Configuration(
            world_p_base=rng.normal(size=3) + np.array([0.0, 0.0, 20.0]),
            world_R_base=exp_so3(rng.normal(size=3)),
            q=q,
        )

    return make


@pytest.fixture(scope="session")
def start_at_limits() -> Callable[[RobotBody, np.random.Generator], Configuration]:
    """Return a maker of configurations on the floor, joints at and beyond limits."""

    def make(body: RobotBody, rng: np.random.Generator) -> Configuration:
        lower = np.where(np.isfinite(body.lower), body.lower, -ENDLESS)
        upper = np.where(np.isfinite(body.upper), body.upper, ENDLESS)
        n = len(lower)
        places = [
            rng.uniform(lower, upper),
            lower,
            upper,
            lower - rng.uniform(0.0, BEYOND, n),
            upper + rng.uniform(0.0, BEYOND, n),
        ]
        at = Configuration(
            world_p_base=rng.normal(size=3),
            world_R_base=exp_so3(0.5 * rng.normal(size=3)),
            q=_follow(body, np.choose(rng.integers(0, 5, n), places)),
        )
        return _on_the_floor(body, at, rng)

    return make


@pytest.fixture(scope="session")
def make_targets() -> Callable[..., Targets]:
    """Return a maker of targets for all mapped links, three points and the soles."""

    def make(
        body: RobotBody,
        at: Configuration,
        rng: np.random.Generator,
        *,
        far: float,
        stiff: float = 10.0,
    ) -> Targets:
        kinematics = body.kinematics
        kinematics.update(at)
        frames = tuple(kinematics.frame(link) for link in body.links.values())
        k = len(frames)
        orientations = OrientationTargets(
            frames=frames,
            world_R_link=exp_so3(far * rng.normal(size=(k, 3)))
            @ kinematics.rotations(frames),
            angular_velocities=far * rng.normal(size=(k, 3)),
            axes=exp_so3(rng.normal(size=(k, 3))),
            weights=rng.uniform(0.05, 1.0, (k, 3)) * (rng.random((k, 1)) < 0.8),
        )
        points = []
        for link in rng.choice(sorted(body.links.values()), 3):
            frame, arm = kinematics.frame(str(link)), 0.1 * rng.normal(size=3)
            place = kinematics.position(frame) + kinematics.rotation(frame) @ arm
            points.append(
                PointTarget(
                    frame=frame,
                    link_p_point=arm,
                    world_p_goal=place + far * rng.normal(size=3),
                    weights=stiff ** rng.uniform(-1.0, 1.0) * rng.integers(0, 2, 3),
                )
            )
        floor = [FloorGuard(frame=f, link_p_points=p) for f, p in _corners(body)]
        return Targets(
            orientations=orientations, points=tuple(points), floor=tuple(floor)
        )

    return make
