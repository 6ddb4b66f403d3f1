"""Pictures, forces, an IMU, fingers and eyes of a simulated iCub, over real sockets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.retarget.errors import RobotLost
from telexist.robots.base import HandCommand, JointCommand, RobotFeedback
from telexist.robots.description import RobotModel
from telexist.robots.yarp.boards import HandAxes, map_axes
from telexist.robots.yarp.boards.board_rpc import BoardAxis
from telexist.robots.yarp.robot import YarpRobot
from telexist.robots.yarp.simulated import SimulatedYarpRobot, load_table
from telexist.robots.yarp.wire import YARP_3, YARP_4, Dialect

PATIENCE = 60.0  # [s]

Connect = Callable[..., tuple[SimulatedYarpRobot, YarpRobot]]


@pytest.fixture
def connect(robot_of: Callable[[str], RobotModel]) -> Iterator[Connect]:
    made = []

    def make(
        options: str = "", dialect: Dialect = YARP_3
    ) -> tuple[SimulatedYarpRobot, YarpRobot]:
        simulated = SimulatedYarpRobot(
            load_table("icub"), now=time.time, dialect=dialect, senses=True
        )
        simulated.open()
        host, port = simulated.place
        place = f"{host}:{port}?ack=2&pictures=100{options}"
        robot = YarpRobot(robot_of("icub"), now=time.perf_counter, place=place)
        made.append((simulated, robot))
        end = time.monotonic() + PATIENCE
        while True:
            try:
                robot.connect()
            except RobotLost as error:  # on a busy machine a board may be silent first
                if "called" in str(error) or time.monotonic() > end:
                    raise
            else:
                return simulated, robot

    yield make
    for simulated, robot in made:
        robot.disconnect()
        simulated.close()


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def await_feedback(
    robot: YarpRobot, good: Callable[[RobotFeedback], bool]
) -> RobotFeedback:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        feedback = robot.read_feedback()
        if feedback is not None and good(feedback):
            return feedback
        time.sleep(0.005)
    raise AssertionError("it never came")


@pytest.mark.parametrize("dialect", [YARP_3, YARP_4])
def test_both_eyes_and_both_hands_reach_the_operator(
    connect: Connect, dialect: Dialect
) -> None:
    simulated, robot = connect(dialect=dialect)
    assert simulated.senses is not None
    seen = await_feedback(robot, lambda f: f.image is not None)
    assert seen.stereo and seen.image is not None
    assert np.array_equal(seen.image, np.hstack(simulated.senses.pictures))
    simulated.senses.wrenches[:] = [[3.0, 4.0, 0.0, 9, 9, 9], [0, 0, -12.0, 0, 0, 0]]
    felt = await_feedback(
        robot, lambda f: f.hand_forces is not None and bool(f.hand_forces.any())
    )
    assert np.allclose(felt.hand_forces, [5.0, 12.0])  # type: ignore[arg-type]
    senses = {check.what: check.detail for check in robot.preflight()}["senses"]
    assert "/icub/cam/left:o and /icub/cam/right:o" in senses and "hands" in senses


def test_one_camera_may_be_named_and_none_be_wanted(connect: Connect) -> None:
    _, robot = connect("&camera=/icub/cam/right:o&fovy=42")
    seen = await_feedback(robot, lambda f: f.image is not None)
    assert not seen.stereo and seen.image is not None
    assert seen.image[0, 0, 2] == 255  # the right one's
    assert seen.fovy == pytest.approx(np.radians(42.0))
    _, blind = connect("&camera=no")
    await_feedback(blind, lambda f: f.hand_forces is not None and f.image is None)


def test_a_camera_that_is_not_there_is_refused_by_name(connect: Connect) -> None:
    with pytest.raises(RobotLost, match="/icub/cam/third:o"):
        connect("&camera=/icub/cam/third:o")


def test_silent_senses_are_told_once_and_forces_become_unknown(
    connect: Connect,
) -> None:
    simulated, robot = connect()
    assert simulated.senses is not None
    await_feedback(robot, lambda f: f.image is not None)
    simulated.senses.silent = True
    told = await_feedback(robot, lambda f: bool(f.camera_problem))
    assert "/icub/cam/left:o" in told.camera_problem and told.hand_forces is None
    for _ in range(20):
        later = robot.read_feedback()
        assert later is None or not later.camera_problem
        time.sleep(0.01)
    simulated.senses.silent = False
    await_feedback(robot, lambda f: f.image is not None)


def test_an_imu_on_the_base_is_read_in_its_axes(connect: Connect) -> None:
    simulated, robot = connect()
    assert simulated.senses is not None
    simulated.senses.turn_rate[:] = [90.0, 0.0, -45.0]
    wanted = np.radians([90.0, 0.0, -45.0])

    def arrived() -> bool:
        state = robot.read_state()
        return state is not None and np.allclose(state.imu_angular_velocity, wanted)

    wait_for(arrived)
    state = robot.read_state()
    assert state is not None
    assert np.allclose(state.imu_acceleration, [0.0, 0.0, 9.81])


def send(robot: YarpRobot, hands: HandCommand) -> None:
    state = robot.read_state()
    assert state is not None
    now = time.perf_counter()
    zeros = np.zeros_like(state.q)
    robot.send(JointCommand(stamp=now, q=np.array(state.q), dq=zeros, hands=hands))


def test_hands_close_inside_the_boards_limits_and_eyes_look_ahead(
    connect: Connect,
) -> None:
    simulated, robot = connect("&hands=yes&eyes=yes&speed=1000&ramp=60&first=1")
    robot.arm()
    arm, head = simulated.boards["left_arm"].motion, simulated.boards["head"].motion
    names = [axis.name for axis in arm.axes]
    index, spread = names.index("l_index_proximal"), names.index("l_hand_finger")
    place = arm.axes[index]
    begin = arm.measure()

    def closed() -> bool:
        send(robot, HandCommand(left=1.0, right=0.0))
        return arm.measure()[index] > 0.8 * place.upper

    wait_for(closed)
    for axis, q in zip(arm.axes, arm.measure(), strict=True):
        assert axis.lower - 1e-6 <= q <= axis.upper + 1e-6, axis.name
    right = simulated.boards["right_arm"].motion
    k = [axis.name for axis in right.axes].index("r_index_proximal")
    assert right.measure()[k] == pytest.approx(right.axes[k].lower, abs=0.1)
    assert arm.modes[index] == "posd" and arm.modes[spread] == "posd"
    assert head.modes[3] == "posd" and head.measure()[3] == pytest.approx(0.0)
    assert begin[index] < 1.0
    assert not any("finger" in name for name in robot.body.kinematics.joints)


def test_fingers_are_left_alone_unless_asked_for(connect: Connect) -> None:
    simulated, robot = connect()
    robot.arm()
    arm = simulated.boards["left_arm"].motion
    for _ in range(20):
        send(robot, HandCommand(left=1.0, right=1.0))
        time.sleep(0.01)
    fingers = [k for k, a in enumerate(arm.axes) if "index" in a.name]
    assert all(arm.modes[k] == "pos" for k in fingers)


def hand_axes(name: str) -> HandAxes:
    table = load_table(name)
    boards = {
        b.part: [BoardAxis(a.name, a.lower, a.upper, a.speed) for a in b.axes]
        for b in table.boards
    }
    joints = [
        axis.name
        for axes in boards.values()
        for axis in axes
        if not axis.name.startswith(("eyes", "camera"))
        and not any(word in axis.name for word in ("hand_", "thumb", "index", "middle"))
        and not any(word in axis.name for word in ("ring", "pinky"))
    ]
    found = map_axes(joints, boards, all_joints=True, fingers=True, eyes=True)
    assert not found.left_alone
    return HandAxes(found.fingers, found.eyes)


@pytest.mark.parametrize("name", ["icub", "icub3", "ergocub"])
def test_hands_of_every_table_close_without_leaving_their_limits(name: str) -> None:
    axes = hand_axes(name)
    limits = np.array([(a.limits.lower, a.limits.upper) for a in axes.axes])
    q = axes.goal(HandCommand(), limits.mean(axis=1))
    for left, right in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (7.0, float("nan"))):
        for _ in range(40):
            before, q = q, axes.goal(HandCommand(left=left, right=right), q)
            assert (q >= limits[:, 0] - 1e-9).all() and (q <= limits[:, 1] + 1e-9).all()
        assert np.allclose(q, before)
    bent = [k for k, a in enumerate(axes.axes) if a.name.endswith(("proximal", "_oc"))]
    assert len(bent) >= 6
    assert all(q[k] > 0.7 * limits[k, 1] for k in bent)


def test_a_finger_that_is_held_up_is_not_pushed_far() -> None:
    axes = hand_axes("icub")
    blocked = np.array([a.limits.lower for a in axes.axes])
    goal = axes.goal(HandCommand(left=1.0, right=1.0), blocked)
    bends = [k for k, a in enumerate(axes.axes) if a.name.endswith("proximal")]
    assert all(0.0 < goal[k] - blocked[k] <= 15.0 for k in bends)
    unknown = axes.goal(HandCommand(left=1.0), np.full(len(axes.axes), np.nan))
    assert np.isfinite(unknown).all()
