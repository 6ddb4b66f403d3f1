"""`telexist simulate icub`: a robot in another process, driven by ours."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadInput, RobotLost, RobotStalled
from telexist.robots.base import JointCommand
from telexist.robots.description import RobotModel
from telexist.robots.yarp.robot import YarpRobot
from telexist.robots.yarp.simulated import parse_board_faults

PATIENCE = 60.0  # [s]


@pytest.mark.parametrize("version", ["3", "4"])
def test_a_simulated_robot_is_driven_until_its_joint_fails(
    robot_of: Callable[[str], RobotModel], version: str
) -> None:
    words = [sys.executable, "-m", "telexist", "simulate", "icub"]
    words += ["--listen", "127.0.0.1:0", "--set", f"version={version}"]
    words += ["--set", "parts=left_arm+torso", "--set", "fault=l_elbow:3"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        address = line.partition("name server ")[2].split()[0]
        place = f"{address}?parts=left_arm,torso&ack=2&first=1"
        robot = YarpRobot(robot_of("icub"), now=time.perf_counter, place=place)
        robot.connect()
        robot.arm()
        q = np.array(robot.body.neutral.q)
        with pytest.raises(RobotLost, match="l_elbow is in hwfa"):
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                now = time.perf_counter()
                with contextlib.suppress(RobotStalled):  # a busy machine
                    robot.send(JointCommand(stamp=now, q=q, dq=np.zeros_like(q)))
                time.sleep(0.01)
        assert robot.references_sent > 10
        robot.disconnect()
    finally:
        process.kill()
        process.communicate()


def test_wrong_faults_of_boards_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="say freeze=PART:AT:FOR"):
        parse_board_faults({"freeze": "head:soon"})
    words = ["simulate", "icub", "--listen", "127.0.0.1:0", "--duration", "0.1"]
    assert main([*words, "--set", "frieze=head:1:2"]) == 2
    assert main([*words, "--set", "freeze=haed:1:2"]) == 2
    assert main([*words, "--set", "version=5"]) == 2
    told = capsys.readouterr().err
    assert "did you mean 'freeze'" in told and "did you mean 'head'" in told
