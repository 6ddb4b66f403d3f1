"""What goes wrong with real boards: sending stops, and the joint is named."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import RobotLost, RobotStalled
from telexist.robots.yarp.network import NameClient, Port
from telexist.robots.yarp.simulated import SimulatedAxis, SimulatedYarpRobot
from telexist.robots.yarp.wire import YARP_3, YARP_4, Dialect

PARTS = ("torso", "left_arm")
DIALECTS = pytest.mark.parametrize("dialect", [YARP_3, YARP_4], ids=["3", "4"])


def armed(rig: Callable[..., Any], options: str = "ack=2&first=1", **more: Any) -> Any:
    drive = rig(options, parts=PARTS, **more)
    drive.robot.connect()
    drive.robot.arm()
    return drive


def fails(drive: Any, words: str) -> str:
    """Send until it is refused for a reason with these words; return the reason."""
    q, said = drive.robot.body.neutral.q, ""

    def refused() -> bool:
        nonlocal said
        try:
            drive.send(q)
        except RobotLost as error:
            said = str(error)
        return words in said  # a busy machine may stall, too

    drive.wait_for(refused)
    sent = drive.robot.references_sent
    with contextlib.suppress(RobotLost):
        drive.send(q)
    time.sleep(0.05)
    assert drive.robot.references_sent == sent, "nothing more may be sent"
    return said


@DIALECTS
def test_a_joint_in_fault_is_named_and_its_fault_is_never_cleared(
    rig: Callable[..., Any], dialect: Dialect
) -> None:
    drive = armed(rig, dialect=dialect)
    drive.send(drive.pose())
    board = drive.simulated.boards["left_arm"]
    board.motion.modes[3] = "hwfa"
    fails(drive, "l_elbow is in hwfa: a hardware fault")
    with pytest.raises(RobotLost, match="l_elbow is in hwfa"):
        drive.robot.arm()
    drive.robot.recover()
    time.sleep(0.2)
    assert board.motion.modes[3] == "hwfa"
    board.motion.set_mode(3, "fidl")  # a person mends it
    drive.wait_for(lambda: (drive.robot.recover(), drive.robot.faults.fault is None)[1])
    drive.send(drive.pose())
    drive.robot.disconnect()
    assert set(board.motion.modes) == {"pos"}


@DIALECTS
def test_a_mode_that_another_takes_stops_everything(
    rig: Callable[..., Any], dialect: Dialect
) -> None:
    drive = armed(rig, dialect=dialect)
    drive.send(drive.pose())
    drive.simulated.boards["torso"].motion.set_mode(1, "vel")
    fails(drive, "torso_roll is in mode vel, not posd")


def test_a_second_writer_is_named(rig: Callable[..., Any]) -> None:
    drive = armed(rig)
    names = NameClient(*drive.simulated.place)
    other = Port("/other/command:o", names, dialect=YARP_3)
    other.open()
    other.connect("/icub/left_arm/command:i")
    said = fails(drive, "/other/command:o sends to /icub/left_arm/command:i")
    assert "l_shoulder_pitch" in said
    with pytest.raises(RobotLost, match="/other/command:o"):
        drive.robot.arm()
    other.close()
    drive.wait_for(lambda: arms(drive))


def arms(drive: Any) -> bool:
    try:
        drive.robot.arm()
    except RobotLost:
        return False
    return True


@DIALECTS
def test_a_frozen_board_gets_one_stale_reference_and_is_held_when_it_wakes(
    rig: Callable[..., Any], dialect: Dialect
) -> None:
    drive = armed(rig, "ack=0.05&first=1", dialect=dialect)
    board = drive.simulated.boards["left_arm"]
    q = drive.pose()
    j = list(drive.robot.body.kinematics.joints).index("l_elbow")
    begun = time.monotonic()

    def moving() -> None:
        goal = q.copy()
        goal[j] += np.radians(5.75) * (time.monotonic() - begun)
        drive.send(goal)

    def moved() -> bool:
        try:
            moving()
        except RobotStalled:  # a busy machine
            return False
        return len(board.received) > 40

    drive.wait_for(moved)
    board.freeze()
    asleep = time.monotonic()
    before = board.motion.measure()[3]
    received = len(board.received)
    with pytest.raises(RobotStalled, match=r"left_arm.*l_elbow"):
        while time.monotonic() < asleep + 30.0:
            moving()
            time.sleep(0.005)
    while time.monotonic() < asleep + 1.0:
        with pytest.raises(RobotStalled):
            moving()
        time.sleep(0.01)
    board.wake()
    drive.wait_for(lambda: drive.robot.faults.fault is None)
    stale = [m for _, m in board.received[received:]]
    assert len(stale) <= 2  # the one in flight, and the pose where it is held
    after = board.motion.measure()[3]
    assert abs(after - before) < 0.5
    assert drive.robot._sender.last is not None


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 0.5])
def test_clocks_may_be_off_but_not_jump(rig: Callable[..., Any], jump: float) -> None:
    def off(simulated: SimulatedYarpRobot) -> None:
        for board in simulated.boards.values():
            board.clock_error = 3600.0

    drive = armed(rig, prepare=off)
    drive.send(drive.pose())
    drive.simulated.boards["torso"].clock_error += jump
    said = fails(drive, "torso: its clock jumped" if jump > 0 else "torso: no state")
    assert "torso_yaw" in said
    if jump > 0:
        drive.wait_for(lambda: drive.robot.faults.fault is None)


def test_a_killed_board_is_told(rig: Callable[..., Any]) -> None:
    drive = armed(rig)
    drive.simulated.boards["left_arm"].kill()
    assert "left_arm" in fails(drive, "l_elbow")
    with pytest.raises(RobotLost, match="left_arm"):
        drive.robot.arm()


def rename(part: str, axis: int, name: str) -> Callable[[SimulatedYarpRobot], None]:
    def change(simulated: SimulatedYarpRobot) -> None:
        motion = simulated.boards[part].motion
        axes = list(motion.axes)
        axes[axis] = SimulatedAxis(name, axes[axis].lower, axes[axis].upper, 100.0)
        motion.axes = tuple(axes)

    return change


def test_axes_that_are_unknown_missing_or_twice_are_refused(
    rig: Callable[..., Any],
) -> None:
    for change, problem in (
        (rename("torso", 1, "torso_twist"), "axis torso_twist is no joint"),
        (rename("torso", 1, "torso_yaw"), "torso_yaw is on two boards"),
        (rename("torso", 1, "l_pinky"), "no board has the joint torso_roll"),
    ):
        drive = rig("ack=2", prepare=change)
        with pytest.raises(RobotLost, match=problem):
            drive.robot.connect()


def test_boards_that_are_absent_or_of_both_versions_are_refused(
    rig: Callable[..., Any],
) -> None:
    drive = rig("ack=2&prefix=/nobody")
    with pytest.raises(
        RobotLost, match=r"under /nobody \(boards are seen under /icub\)"
    ):
        drive.robot.connect()
    drive = rig("ack=2", parts=PARTS)
    names = NameClient(*drive.simulated.place)
    names.register("/icub/torso/nws/rpc:i", "127.0.0.1", 1)
    with pytest.raises(RobotLost, match="never guessed"):
        drive.robot.connect()


def test_joints_in_fault_or_driven_by_others_are_not_armed(
    rig: Callable[..., Any],
) -> None:
    drive = rig("ack=2", parts=PARTS)
    drive.robot.connect()
    board = drive.simulated.boards["left_arm"]
    for mode, problem in (("hwfa", "l_shoulder_yaw is in hwfa"), ("torq", "mode torq")):
        board.motion.modes[2] = mode
        with pytest.raises(RobotLost, match=problem):
            drive.wait_for(lambda: not arms(drive))
            drive.robot.arm()
        board.motion.modes[2] = "pos"
    told = [c for c in drive.robot.preflight() if not c.well]
    assert all(check.what == "modes and faults" for check in told)
    assert not board.received


def test_stopping_from_outside_ends_sending_at_once(rig: Callable[..., Any]) -> None:
    drive = armed(rig)
    drive.robot.stop("the red button")
    sent = drive.robot.references_sent
    with pytest.raises(RobotLost, match="the red button"):
        drive.send(drive.pose())
    assert drive.robot.references_sent == sent
