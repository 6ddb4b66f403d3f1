"""Every way to reach a robot, against the interface of robots."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, RobotLost, UnknownName
from telexist.robots.backends.options import RobotOptions
from telexist.robots.backends.table import BACKENDS, make_robot
from telexist.robots.base.interface import (
    HandCommand,
    JointCommand,
    NeedsArming,
    Robot,
)
from telexist.robots.description.robot_model import RobotModel, load_robot
from telexist.robots.fake.fake_robot import FakeRobot
from telexist.robots.mujoco.robot.mujoco_robot import MujocoRobot
from telexist.robots.mujoco.robot.stepped_mujoco_robot import SteppedMujocoRobot
from telexist.robots.yarp.simulated import SimulatedYarpRobot, load_table
from telexist.robots.yarp.wire import YARP_3, YARP_4


def threaded() -> Robot:
    return MujocoRobot(load_robot("icub"), now=time.perf_counter, sleep=time.sleep)


def stepped() -> Robot:
    return SteppedMujocoRobot(load_robot("icub"), now=time.perf_counter)


def fake() -> Robot:
    return FakeRobot(load_robot("icub"), now=time.perf_counter)


@pytest.fixture(params=[threaded, stepped, fake])
def robot(request: pytest.FixtureRequest) -> Iterator[Robot]:
    make: Callable[[], Robot] = request.param
    robot = make()
    yield robot
    robot.disconnect()


@pytest.fixture(params=["yarp", "yarp 4"])
def real(request: pytest.FixtureRequest) -> Iterator[Robot]:
    """Return a robot that needs arming, at the end of its own wire."""
    simulated = SimulatedYarpRobot(
        load_table("icub"),
        now=time.time,
        dialect=YARP_4 if request.param.endswith("4") else YARP_3,
    )
    simulated.open()
    host, port = simulated.place
    options = RobotOptions(now=time.perf_counter, sleep=time.sleep)
    text = f"yarp:{host}:{port}?ack=2&first=1"
    robot = make_robot(text, load_robot("icub"), options)
    yield robot
    robot.disconnect()
    simulated.close()


def test_a_real_robot_moves_only_after_arming_and_obeys_the_interface(
    real: Robot,
) -> None:
    assert isinstance(real, NeedsArming)
    assert 0.0 < real.first_speed <= 1.0 and 0.0 < real.top_speed < 4.0
    test_nothing_is_there_before_connecting(real)
    test_state_has_the_shapes_of_the_interface(real)
    before = real.read_state()
    assert before is not None
    for bad in ({"q": np.zeros(3)}, {"q": np.full(32, np.nan)}):
        with pytest.raises(BadInput):
            real.send(command(real, **bad))
    end = time.monotonic() + 60.0  # on a busy machine a state may be old at first
    while not all(check.well for check in real.preflight()):
        assert time.monotonic() < end, real.preflight()
        time.sleep(0.01)
    assert len(real.preflight()) >= 6
    sent = real.send(command(real, q=np.array(before.q) + 0.5))
    assert np.abs(sent.q - before.q).max() < 1e-3, "nothing moves before arming"
    real.arm()
    test_joints_go_where_they_are_sent(real)
    test_disconnecting_twice_and_connecting_again(real)


def command(robot: Robot, **change: object) -> JointCommand:
    n = robot.body.kinematics.n
    values = {"q": robot.body.neutral.q, "dq": np.zeros(n)} | change
    return JointCommand(stamp=time.perf_counter(), **values)  # type: ignore[arg-type]


def test_nothing_is_there_before_connecting(robot: Robot) -> None:
    assert robot.body.name == "icub"
    assert robot.read_state() is None
    assert robot.read_feedback() is None
    with pytest.raises(RobotLost, match="icub"):
        robot.send(command(robot))


def test_state_has_the_shapes_of_the_interface(robot: Robot) -> None:
    begun = time.perf_counter()
    robot.connect()
    robot.connect()
    state = robot.read_state()
    assert state is not None
    n = robot.body.kinematics.n
    assert state.q.shape == state.dq.shape == state.tau.shape == (n,)
    assert state.imu_acceleration.shape == state.imu_angular_velocity.shape == (3,)
    assert state.imu_world_R_base.shape == (3, 3)
    assert state.foot_wrenches.shape == (2, 6)
    assert state.world_p_base is not None
    assert begun <= state.stamp <= time.perf_counter()
    up = state.imu_world_R_base @ state.imu_acceleration
    assert up == pytest.approx([0.0, 0.0, 9.81], abs=0.05)


def test_joints_go_where_they_are_sent(robot: Robot) -> None:
    robot.connect()
    elbow = robot.body.kinematics.index("l_elbow")
    q = np.array(robot.body.neutral.q)
    q[elbow] += 0.3
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        robot.send(command(robot, q=q))
        state = robot.read_state()
        assert state is not None
        if abs(state.q[elbow] - q[elbow]) < 0.01:
            break
        time.sleep(0.01)
    assert abs(state.q[elbow] - q[elbow]) < 0.01


def test_what_goes_out_is_inside_the_limits(robot: Robot) -> None:
    robot.connect()
    n = robot.body.kinematics.n
    sent = robot.send(
        command(
            robot,
            q=np.full(n, 100.0),
            dq=np.full(n, -1000.0),
            hands=HandCommand(left=2.0, right=-1.0),
        )
    )
    assert np.array_equal(sent.q, robot.body.upper)
    assert np.array_equal(sent.dq, -robot.body.velocity)
    assert sent.hands == HandCommand(left=1.0, right=0.0)


@pytest.mark.parametrize("field", ["q", "dq", "tau"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(
    robot: Robot, field: str, bad: float
) -> None:
    robot.connect()
    values = np.zeros(robot.body.kinematics.n)
    values[3] = bad
    with pytest.raises(BadInput, match="joint 3"):
        robot.send(command(robot, **{field: values}))
    with pytest.raises(BadInput, match="shape"):
        robot.send(command(robot, **{field: np.zeros(3)}))
    with pytest.raises(BadInput, match="hands"):
        robot.send(command(robot, hands=HandCommand(left=float(bad))))
    assert robot.read_state() is not None


def test_disconnecting_twice_and_connecting_again(robot: Robot) -> None:
    robot.connect()
    robot.disconnect()
    robot.disconnect()
    with pytest.raises(RobotLost):
        robot.send(command(robot))
    robot.connect()
    assert robot.read_state() is not None


OPTIONS = RobotOptions(now=time.perf_counter, sleep=time.sleep)


ONLY = {"sonic": "g1", "twist2": "g1", "unitree": "g1"}
"""Back ends that drive one robot only."""


@pytest.mark.parametrize("word", sorted(BACKENDS))
def test_every_backend_makes_its_robot_and_reaches_nothing_yet(
    word: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model = robot_of(ONLY.get(word, "icub"))
    robot = make_robot(word, model, OPTIONS)
    assert robot.body is model.body
    assert robot.read_state() is None
    robot.disconnect()


@pytest.mark.parametrize("word", ["mujoco", "fake"])
def test_a_backend_that_is_here_takes_no_place(word: str) -> None:
    with pytest.raises(BadInput, match="elsewhere"):
        make_robot(f"{word}:elsewhere", load_robot("icub"), OPTIONS)


def test_an_unknown_backend_is_told_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match="mujoco"):
        make_robot("mujuco", load_robot("icub"), OPTIONS)
