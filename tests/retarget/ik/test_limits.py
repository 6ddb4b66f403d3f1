"""No limit is ever crossed: for any gain, time step, start and target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import UnknownName
from telexist.retarget.ik.joint_roles import JointRoles
from telexist.retarget.ik.limits import RETURN_SPEED, step_bounds
from telexist.retarget.ik.recursive_ik import RecursiveIk
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.targets import OrientationTargets, Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import Coupling, Mimic, RobotBody
from telexist.retarget.so3 import exp_so3, log_so3, rotation_z
from telexist.retarget.witness.reference_ik import ReferenceIk

Start = Callable[[RobotBody, np.random.Generator], Configuration]
Make = Callable[..., Targets]

SPEED = 1.001  # share of a speed limit, the issue's
SUM = 1e-9  # [rad] rounding of a sum of joints, and the hair by which couplings give
BACK = 1e-9  # [rad] rounding of a joint's way back inside
REACHED = np.deg2rad(0.1)  # [rad] the "converged"

ROBOTS = ("icub", "g1", "baxter", "human66")
STEPPERS = (RecursiveIk, ReferenceIk)


def beyond(body: RobotBody, q: np.ndarray) -> float:
    """Return how far a posture is outside its limits; 0 if inside to the last bit."""
    outside = np.maximum(body.lower - q, q - body.upper)
    return float(np.maximum(outside, 0.0).max())


def coupling_gap(body: RobotBody, q: np.ndarray) -> float:
    roles = JointRoles(body)
    value = roles.rows @ q
    outside = np.maximum(roles.row_lower - value, value - roles.row_upper)
    return float(outside.max(initial=0.0))


@pytest.mark.parametrize("dt", [1e-4, 1e-2, 0.5, 10.0])
@pytest.mark.parametrize("gain", [0.0, 40.0, 1e6])
@pytest.mark.parametrize("name", ROBOTS)
def test_limits_hold_for_any_gain_and_time_step(
    name: str,
    gain: float,
    dt: float,
    body_of: Callable[[str], RobotBody],
    make_targets: Make,
) -> None:
    body, rng = body_of(name), np.random.default_rng(0)
    ik, at = RecursiveIk(body, IkSettings(gain=gain)), body.neutral
    for _ in range(12):
        # wild, mostly unreachable and contradicting each other
        targets = make_targets(body, at, rng, far=2.0)
        after = ik.step(at, targets, dt)
        assert beyond(body, after.q) == 0.0
        assert np.all(np.abs(after.q - at.q) <= SPEED * body.velocity * dt)
        assert coupling_gap(body, after.q) < SUM
        assert np.isfinite(after.world_p_base).all()
        at = after


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("name", ROBOTS)
def test_a_start_outside_returns_inside_without_a_jump(
    name: str, stepper: type[RecursiveIk], body_of: Callable[[str], RobotBody]
) -> None:
    body, dt = body_of(name), 0.02
    outside = np.where(np.isfinite(body.upper), body.upper + 0.15, 0.0)
    for mimic in body.mimics:
        outside[body.kinematics.index(mimic.joint)] = 0.0
    free = replace(body, couplings=())  # a start this far out contradicts them
    ik, at = stepper(free), replace(body.neutral, q=outside)
    distances = [beyond(body, at.q)]
    for _ in range(12):
        after = ik.step(at, nothing(body), dt)
        speed = np.minimum(body.velocity, RETURN_SPEED)
        was_outside = at.q > body.upper
        moved = np.abs(after.q - at.q)[was_outside]
        assert np.all(moved <= SPEED * body.velocity[was_outside] * dt)
        back = (at.q - after.q)[was_outside]
        least = np.minimum(at.q - body.upper, speed * dt)[was_outside]
        assert np.all(back >= least - BACK)
        at = after
        distances.append(beyond(body, at.q))
    assert all(
        b < a or b == 0.0 for a, b in zip(distances, distances[1:], strict=False)
    )
    assert distances[-1] == 0.0


def nothing(body: RobotBody) -> Targets:
    """Return targets for no link at all."""
    return Targets(
        orientations=OrientationTargets(
            frames=(),
            world_R_link=np.zeros((0, 3, 3)),
            angular_velocities=np.zeros((0, 3)),
            axes=np.zeros((0, 3, 3)),
            weights=np.zeros((0, 3)),
        )
    )


def still_target(frame: int, world_R_link: np.ndarray) -> Targets:
    return Targets(
        orientations=OrientationTargets(
            frames=(frame,),
            world_R_link=world_R_link[None],
            angular_velocities=np.zeros((1, 3)),
            axes=np.eye(3)[None],
            weights=np.ones((1, 3)),
        )
    )


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)])
def test_a_target_half_a_turn_away_is_left_and_reached(
    axis: tuple[float, ...],
    stepper: type[RecursiveIk],
    body_of: Callable[..., RobotBody],
) -> None:
    body = body_of("g1")
    frame = body.kinematics.frame(body.links["Pelvis"])
    body.kinematics.update(body.neutral)
    here = body.kinematics.rotation(frame)
    half_turn = exp_so3(np.pi * np.array(axis) / np.linalg.norm(axis))
    wanted = half_turn @ here
    ik, at, errors = stepper(body), body.neutral, [np.pi]
    for _ in range(60):
        at = ik.step(at, still_target(frame, wanted), 1.0 / 60.0)
        body.kinematics.update(at)
        error = log_so3(wanted @ body.kinematics.rotation(frame).T)
        errors.append(float(np.linalg.norm(error)))
    assert errors[1] < 0.99 * np.pi
    assert all(b <= a for a, b in zip(errors[:10], errors[1:11], strict=True))
    assert errors[-1] < REACHED


@pytest.mark.parametrize("name", ["g1", "icub", "talos"])
def test_reachable_targets_are_reached_from_any_heading(
    name: str, body_of: Callable[[str], RobotBody], start_inside: Start
) -> None:
    body, rng = body_of(name), np.random.default_rng(1)
    links = [body.kinematics.frame(link) for link in body.links.values()]
    for heading in np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False):
        body.kinematics.update(body.neutral)
        turn = rotation_z(heading)
        k = len(links)
        targets = Targets(
            orientations=OrientationTargets(
                frames=tuple(links),
                world_R_link=turn @ body.kinematics.rotations(links),
                angular_velocities=np.zeros((k, 3)),
                axes=np.tile(np.eye(3), (k, 1, 1)),
                weights=np.ones((k, 3)),
            )
        )
        near = body.neutral.q + rng.uniform(-0.3, 0.3, body.kinematics.n)
        at = replace(body.neutral, q=np.clip(near, body.lower, body.upper))
        ik = RecursiveIk(body)
        for _ in range(120):
            at = ik.step(at, targets, 1.0 / 60.0)
        body.kinematics.update(at)
        wanted = targets.orientations.world_R_link
        found = body.kinematics.rotations(links)
        errors = np.linalg.norm(log_so3(wanted @ np.swapaxes(found, -1, -2)), axis=-1)
        # the neutral posture draws a little, where nothing else holds a joint
        assert errors.max() < 2.0 * REACHED


def test_the_step_towards_a_limit_shrinks_with_the_room_left() -> None:
    room = np.array([1.0, 0.1, 0.01, 1e-4, 0.0])
    upper = step_bounds(
        -room, np.full(5, -9.0), np.zeros(5), np.full(5, 2.0), 0.01
    ).upper
    assert np.all(np.diff(upper) <= 0.0)
    assert np.all(upper <= room)
    assert upper[-1] == 0.0


@pytest.mark.parametrize("dt", [1e-4, 0.01, 10.0])
def test_unlimited_joints_have_no_bounds(dt: float) -> None:
    free = np.full(2, np.inf)
    bounds = step_bounds(np.array([0.0, 50.0]), -free, free, free, dt)
    assert np.all(bounds.lower == -np.inf)
    assert np.all(bounds.upper == np.inf)


def test_a_limit_without_a_speed_limit_is_a_wall() -> None:
    one, free = np.ones(1), np.full(1, np.inf)
    bounds = step_bounds(0.5 * one, -one, one, free, 0.01)
    assert bounds.upper[0] == 0.5
    assert bounds.lower[0] == -1.5


def test_limits_of_a_follower_bind_its_leader(following: RobotBody) -> None:
    roles, index = JointRoles(following), following.kinematics.index
    hip, knee = index("hip"), index("knee")
    assert roles.lower[hip] == pytest.approx(following.lower[knee] / 1.3)
    assert roles.velocity[hip] == pytest.approx(following.velocity[knee] / 1.3)
    assert not roles.held[knee]  # it moves a mapped link, so it is part of the problem


def test_a_follower_that_moves_no_mapped_link_is_simply_put(
    following: RobotBody,
) -> None:
    links = {"Pelvis": "trunk", "LeftUpperLeg": "thigh"}
    body = replace(following, links=links, couplings=())
    roles = JointRoles(body)
    assert roles.held[body.kinematics.index("knee")]
    assert len(roles.rows) == 0


def test_locked_joints_do_not_move(following: RobotBody, make_targets: Make) -> None:
    body = replace(following, locked=("toe", "rail"))
    rng, at = np.random.default_rng(2), body.neutral
    for stepper in STEPPERS:
        after = stepper(body).step(at, make_targets(body, at, rng, far=1.0), 0.1)
        for joint in body.locked:
            i = body.kinematics.index(joint)
            assert after.q[i] == at.q[i]


@pytest.mark.parametrize(
    "change",
    [
        {"locked": ("tow",)},
        {
            "couplings": (
                Coupling(joints=("tow",), coefficients=(1.0,), lower=0.0, upper=1.0),
            )
        },
        {"mimics": (Mimic(joint="toe", leader="tow", multiplier=1.0, offset=0.0),)},
    ],
)
def test_unknown_joints_are_named(
    change: dict[str, object], following: RobotBody
) -> None:
    with pytest.raises(UnknownName, match="no joint called 'tow': did you mean 'toe'"):
        JointRoles(replace(following, **change))  # type: ignore[arg-type]
