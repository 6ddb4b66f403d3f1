"""Several robots in one world: each as if it were alone, until they touch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.advance import straight_path
from telexist.retarget.errors import BadInput, SimulationDiverged, UnknownName
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics import DynamicsModel, reaching_posture
from telexist.robots.mujoco import (
    NO_NOISE,
    Disturbances,
    HandSpring,
    Push,
    RobotPlace,
    Simulation,
    build_mujoco,
    hold_gains,
)
from telexist.robots.mujoco.world import HandTie, SharedWorld, WorldRobot

SERVOS_APART = 1e-9  # [rad] after 0.3 s: the dense solver sums in another order
FACING = RobotPlace(x=0.5, y=0.1, yaw=np.pi - 0.2)
BOTH_HANDS = (
    HandTie(robot="a", hand="left", partner="b", partner_hand="right"),
    HandTie(robot="a", hand="right", partner="b", partner_hand="left"),
)

RobotOf = Callable[[str], RobotModel]


def hold(simulation: Simulation, q: np.ndarray | None = None) -> None:
    """Have the drives hold a posture."""
    kp, kd = hold_gains(simulation.mujoco_model.actuators.effort)
    held = simulation.mujoco_model.robot.body.neutral.q if q is None else q
    simulation.set_servos(held, kp=kp, kd=kd)


def two(robot: RobotModel, **options: object) -> SharedWorld:
    """Return two robots of a kind, the second one elsewhere."""
    first = WorldRobot(name="a", robot=robot, noise=NO_NOISE)
    second = WorldRobot(name="b", robot=robot, noise=NO_NOISE, place=FACING, **options)  # type: ignore[arg-type]
    return SharedWorld([first, second])


def hand_in_hand(robot: RobotModel, mount: str = "pole") -> SharedWorld:
    """Return two robots that face each other and hold both hands."""
    kinematics, body = robot.body.kinematics, robot.body
    kinematics.update(body.neutral)
    hang = {s: kinematics.position(kinematics.frame(body.hands[s])) for s in body.hands}
    ahead = np.array([0.2, 0.0, 0.1])
    posture = reaching_posture(
        robot, body.neutral, {s: p + ahead for s, p in hang.items()}
    )
    apart = 2.0 * float(np.mean([(p + ahead)[0] for p in hang.values()]))
    world = SharedWorld(
        [
            WorldRobot(name="a", robot=robot, mount=mount, noise=NO_NOISE),  # type: ignore[arg-type]
            WorldRobot(
                name="b",
                robot=robot,
                mount=mount,  # type: ignore[arg-type]
                noise=NO_NOISE,
                place=RobotPlace(x=apart, yaw=np.pi),
            ),
        ],
        BOTH_HANDS,
    )
    world.reset({"a": posture, "b": posture})
    for simulation in world.robots.values():
        hold(simulation, posture.q)
    for tie in BOTH_HANDS:
        world.take_hands(tie)
    return world


def world_forces(simulation: Simulation) -> np.ndarray:
    """Return what the hands feel, world axes (2, 3): left and right."""
    found, body = [], simulation.mujoco_model
    felt = simulation.true_reading().hand_wrenches
    assert felt is not None
    for row, side in enumerate(("left", "right")):
        link = simulation.model.body(body.prefix + body.robot.body.hands[side]).id
        found.append(simulation.data.xmat[link].reshape(3, 3) @ felt[row, :3])
    return np.array(found)


def test_one_robot_in_a_world_is_a_simulation_to_the_last_bit(
    robot_of: RobotOf,
) -> None:
    robot = robot_of("g1")
    world = SharedWorld([WorldRobot(name="a", robot=robot, seed=3)])
    shared, alone = world.robots["a"], Simulation(build_mujoco(robot), seed=3)
    for simulation in (shared, alone):
        simulation.push(Push(world_f=np.full(6, 20.0), start=0.05, duration=0.1))
        hold(simulation)
    world.advance(0.3)
    alone.advance(0.3)
    ours, theirs = shared.read_state(), alone.read_state()
    assert np.array_equal(ours.q, theirs.q)
    assert np.array_equal(ours.foot_wrenches, theirs.foot_wrenches)
    assert np.array_equal(ours.imu_acceleration, theirs.imu_acceleration)


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_robots_that_do_not_touch_move_as_if_they_were_alone(
    name: str, robot_of: RobotOf
) -> None:
    robot = robot_of(name)
    world, alone = two(robot), Simulation(build_mujoco(robot), noise=NO_NOISE)
    push = Push(
        world_f=np.array([20.0, 5.0, 0.0, 0.0, 0.0, 0.0]),
        start=0.05,
        duration=0.1,
        turns=True,
    )
    for simulation in (*world.robots.values(), alone):
        hold(simulation)
        simulation.push(push)
    world.advance(0.3)
    alone.advance(0.3)
    expected = alone.true_reading()
    for simulation in world.robots.values():
        found = simulation.true_reading()
        assert np.abs(found.q - expected.q).max() < SERVOS_APART
        assert np.allclose(found.foot_wrenches, expected.foot_wrenches, atol=1e-4)
        assert np.allclose(found.imu_acceleration, expected.imu_acceleration, atol=1e-5)
        assert simulation.weight == alone.weight
        assert simulation.kinetic_energy() == pytest.approx(
            alone.kinetic_energy(), rel=1e-6
        )
    there = world.robots["b"]
    turned = FACING.world_R_home @ alone.centre_of_mass() + FACING.world_p_home
    assert np.allclose(there.centre_of_mass(), turned, atol=1e-6)
    assert np.cos(there.heading() - alone.heading() - FACING.yaw) == pytest.approx(1.0)


def test_what_is_of_one_robot_stays_with_it(robot_of: RobotOf) -> None:
    robot = robot_of("g1")
    heavy = two(robot, disturbances=Disturbances(mass_scale=1.1, drive_effort=0.5))
    a, b = heavy.robots["a"], heavy.robots["b"]
    assert b.weight == pytest.approx(1.1 * a.weight)
    for simulation in (a, b):
        simulation.set_torques(np.full(simulation.n, 1e6))
    heavy.advance(0.005)
    assert np.allclose(b.applied_torques(), 0.5 * a.applied_torques())


def test_one_lies_on_the_floor_while_the_other_stands(robot_of: RobotOf) -> None:
    world = two(robot_of("g1"))
    a, b = world.robots["a"], world.robots["b"]
    for _ in range(40):
        hold(a)
        world.advance(0.05)  # b's drives give nothing: it falls
    assert b.centre_of_mass()[2] > 0.0  # on the floor, not under it
    assert b.centre_of_mass()[2] < 0.5 * a.centre_of_mass()[2]
    assert a.true_reading().foot_wrenches[:, 2].sum() == pytest.approx(
        a.weight, rel=0.1
    )


def test_hands_that_hold_each_other_feel_opposite_forces(robot_of: RobotOf) -> None:
    world = hand_in_hand(robot_of("icub"))
    a, b = world.robots["a"], world.robots["b"]
    b.push(
        Push(
            world_f=np.array([10.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            start=0.0,
            duration=1.0,
            hand="left",
        )
    )
    worst = 0
    for _ in range(100):
        world.advance(0.005)
        worst = max(worst, int(world.physics.data.solver_niter.max()))
    assert worst < 30  # a hundred, and no answer, where the Jacobian is sparse
    tie = BOTH_HANDS[1]  # a's right hand, b's left one
    assert world.held(tie)
    assert world.gap(tie) < 1e-3
    ours, theirs = world_forces(a)[1], world_forces(b)[0]
    assert np.linalg.norm(ours) > 2.0
    assert np.allclose(ours, world.tie_force(tie), atol=1e-9)
    assert np.allclose(theirs, -ours + [10.0, 0.0, 0.0], atol=1e-9)


def test_the_force_of_a_tie_is_what_the_drives_hold_against(
    robot_of: RobotOf,
) -> None:
    """At rest the torques of an arm are its weight's less J' f, by pinocchio."""
    robot = robot_of("icub")
    world = hand_in_hand(robot)
    a, model = world.robots["a"], DynamicsModel(robot)
    world.advance(3.0)
    state, forces = a.true_state(), world_forces(a)
    model.update(state)
    expected = model.weight_torques(state.q, state.world_R_base)
    for force, side in zip(forces, ("left", "right"), strict=True):
        J = model.jacobian(model.frame(robot.body.hands[side]))
        expected -= J[:3, 6:].T @ force
    arms = np.array(a.mujoco_model.actuators.groups) == "arms"
    assert np.abs(forces).max() > 2.0
    assert np.allclose(a.applied_torques()[arms], expected[arms], atol=0.02)


def test_hands_let_go_feel_nothing_and_part(robot_of: RobotOf) -> None:
    world = hand_in_hand(robot_of("icub"))
    world.advance(0.1)
    for tie in BOTH_HANDS:
        world.let_go(tie)
        world.let_go(tie)
    world.advance(0.01)
    assert not any(world.held(tie) for tie in BOTH_HANDS)
    for simulation in world.robots.values():
        assert not world_forces(simulation).any()
    world.reset()
    assert world.time == 0.0


def test_hands_far_from_each_other_are_not_joined(robot_of: RobotOf) -> None:
    robot = robot_of("icub")
    robots = [
        WorldRobot(name="a", robot=robot),
        WorldRobot(name="b", robot=robot, place=RobotPlace(x=1.0)),
    ]
    world = SharedWorld(robots, BOTH_HANDS)
    with pytest.raises(BadInput, match="cm from each other"):
        world.take_hands(BOTH_HANDS[0])
    with pytest.raises(UnknownName):
        world.reset({"nobody": robot.body.neutral})


def test_a_world_that_makes_no_sense_is_refused(robot_of: RobotOf) -> None:
    robot = robot_of("g1")
    a, b = WorldRobot(name="a", robot=robot), WorldRobot(name="b", robot=robot)
    with pytest.raises(BadInput, match="needs a robot"):
        SharedWorld([])
    with pytest.raises(BadInput, match="names of their own"):
        SharedWorld([a, a])
    with pytest.raises(UnknownName):
        SharedWorld([a], BOTH_HANDS)
    itself = HandTie(robot="a", hand="left", partner="a", partner_hand="right")
    with pytest.raises(BadInput, match="two robots"):
        SharedWorld([a, b], [itself])
    third = HandTie(robot="a", hand="third", partner="b", partner_hand="left")
    with pytest.raises(BadInput, match="no third hand"):
        SharedWorld([a, b], [third])
    tilted = WorldRobot(name="b", robot=robot, disturbances=Disturbances(slope=0.1))
    with pytest.raises(BadInput, match="one floor"):
        SharedWorld([a, tilted])
    with pytest.raises(BadInput, match="finite"):
        RobotPlace(x=np.nan)


def test_physics_that_breaks_down_at_one_robot_ends_the_world(
    robot_of: RobotOf,
) -> None:
    world = two(robot_of("g1"))
    world.robots["b"].push(Push(world_f=np.full(6, np.nan), start=0.0, duration=0.1))
    with pytest.raises(SimulationDiverged, match="the base"):
        world.advance(0.1)


def test_a_persons_hand_leads_a_robots_hand_and_lets_it_go(robot_of: RobotOf) -> None:
    robot = robot_of("icub")
    simulation = Simulation(build_mujoco(robot, mount="pole"), noise=NO_NOISE)
    start = simulation.hand_place("left")
    way = np.array([0.02, 0.0, 0.03])
    simulation.hold_hand(
        HandSpring(
            hand="left",
            path=straight_path(start, start + way, 1.0),
            pace=2.0,
            let_go=1.0,
        )
    )
    effort = simulation.mujoco_model.actuators.effort
    q = robot.body.neutral.q
    soft = 0.2 * np.minimum(effort, 10.0) / 0.1
    simulation.set_servos(q, kp=soft, kd=0.1 * soft)
    simulation.advance(0.9)
    led = (simulation.hand_place("left") - start) @ way / (way @ way)
    assert led > 0.2
    assert np.linalg.norm(world_forces(simulation)[0]) > 0.5
    assert not world_forces(simulation)[1].any()
    simulation.advance(0.2)
    assert not world_forces(simulation).any()


def test_a_spring_pulls_towards_its_path_and_never_more_than_it_may() -> None:
    path = straight_path(np.zeros(3), np.array([1.0, 0.0, 0.0]), 2.0)
    spring = HandSpring(
        hand="left",
        path=path,
        pace=2.0,
        stiffness=100.0,
        damping=10.0,
        most=5.0,
        start=1.0,
    )
    off, moving = np.array([0.0, 0.02, 0.0]), np.array([0.0, 0.0, 0.1])
    assert np.allclose(spring.force(1.0, off, moving), [0.0, -2.0, -1.0])
    far = spring.force(9.0, np.zeros(3), np.zeros(3))
    assert np.allclose(far, [5.0, 0.0, 0.0])
    middle = path(1.0)
    at = spring.force(1.5, middle.x, 2.0 * middle.dx)
    assert np.allclose(at, 0.0)
    assert not spring.force(0.9, off, moving).any()
    with pytest.raises(BadInput):
        HandSpring(hand="left", path=path, most=np.nan)


def test_a_hand_that_is_not_there_cannot_be_held(robot_of: RobotOf) -> None:
    simulation = Simulation(build_mujoco(robot_of("g1")))
    path = straight_path(np.zeros(3), np.ones(3), 1.0)
    with pytest.raises(BadInput, match="no third hand"):
        simulation.hold_hand(HandSpring(hand="third", path=path))
    left = simulation.hand_place("left")
    simulation.hold_hand(
        HandSpring(hand="left", path=straight_path(left, left, 1.0), most=1e3)
    )
    simulation.advance(0.05)
    simulation.let_hands_go()
    simulation.advance(0.01)
    assert not world_forces(simulation).any()
