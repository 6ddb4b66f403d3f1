"""A G1 over its bridge: bytes, checksum, arming, and what makes it damp."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, BadMessage, RobotLost
from telexist.robots.base import JointCommand
from telexist.robots.description import RobotModel
from telexist.robots.unitree import MOTORS, LowCommand, SimulatedG1, checksum
from telexist.robots.unitree.low_state import read_low_state
from telexist.robots.unitree.unitree_robot import UnitreeRobot

PATIENCE = 60.0  # [s]

pytest.importorskip("zmq")


def crc_bit_by_bit(words: tuple[int, ...]) -> int:
    """The maker's definition: 0x04C11DB7 over 32-bit words, highest bit first."""
    crc = 0xFFFFFFFF
    for word in words:
        for bit in range(31, -1, -1):
            high = crc >> 31
            crc = (crc << 1) & 0xFFFFFFFF
            if high:
                crc ^= 0x04C11DB7
            if word >> bit & 1:
                crc ^= 0x04C11DB7
    return crc


def test_the_checksum_is_the_makers_and_the_bytes_lie_where_they_must() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        words = rng.integers(0, 2**32, 250, dtype=np.uint64)
        data = struct.pack("<250I", *map(int, words))
        assert checksum(data) == crc_bit_by_bit(tuple(map(int, words)))
    q, kp, kd = (rng.normal(size=29) for _ in range(3))
    data = LowCommand(q=q, kp=kp, kd=kd, mode_machine=5).packed()
    assert len(data) == 1004
    words = struct.unpack("<251I", data)
    assert words[250] == crc_bit_by_bit(words[:250])
    assert data[:2] == b"\0\5"
    for i in range(29):
        mode, *floats = struct.unpack_from("<B3x5f", data, 4 + 28 * i)
        assert mode == 1
        assert floats == pytest.approx([q[i], 0.0, 0.0, kp[i], kd[i]], rel=1e-6)
    for bad in (np.zeros(3), np.full(29, np.nan)):
        with pytest.raises(BadInput):
            LowCommand(q=bad, kp=kp, kd=kd, mode_machine=0)


@pytest.fixture
def g1(
    robot_of: Callable[[str], RobotModel],
) -> Iterator[Callable[..., tuple[SimulatedG1, UnitreeRobot]]]:
    made: list[tuple[SimulatedG1, UnitreeRobot]] = []

    def make(options: str = "first=1") -> tuple[SimulatedG1, UnitreeRobot]:
        model = robot_of("g1")
        simulated = SimulatedG1(port=0, keep=True)
        simulated.open()
        place = f"127.0.0.1:{simulated.port}?{options}"
        robot = UnitreeRobot(model, now=time.perf_counter, place=place)
        made.append((simulated, robot))
        return made[-1]

    yield make
    for simulated, robot in made:
        robot.disconnect()
        simulated.close()


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def send(robot: UnitreeRobot, q: np.ndarray) -> None:
    robot.send(JointCommand(stamp=time.perf_counter(), q=q, dq=np.zeros_like(q)))


def test_motors_go_where_they_are_sent_and_damp_when_let_go(
    g1: Callable[..., tuple[SimulatedG1, UnitreeRobot]],
) -> None:
    simulated, robot = g1()
    robot.connect()
    state = robot.read_state()
    assert state is not None
    time.sleep(0.05)
    assert not simulated.commands, "nothing goes out before arming"
    assert all(check.well for check in robot.preflight())
    robot.arm()
    goal = np.array(state.q)
    elbow = robot.body.kinematics.index("left_elbow_joint")
    goal[elbow] += 0.1

    def there() -> bool:
        send(robot, goal)
        return abs(simulated.q[MOTORS.index("left_elbow_joint")] - goal[elbow]) < 1e-6

    wait_for(there)
    first = simulated.commands[0]["data"]["motor_cmd"]
    assert np.allclose([m["q"] for m in first[:29]], state.q, atol=2e-4)
    assert max(m["kp"] for m in first) < 10.0, "stiffness grows from nothing"
    rows = [[m["q"] for m in c["data"]["motor_cmd"][:29]] for c in simulated.commands]
    way = np.abs(np.diff(np.array(rows), axis=0)).max()
    assert np.degrees(way) <= 100.0 * 0.02 + 1e-6
    robot.disconnect()
    wait_for(
        lambda: simulated.last and simulated.last["data"]["motor_cmd"][0]["kp"] == 0
    )
    assert simulated.last is not None
    assert all(m["kd"] > 0 for m in simulated.last["data"]["motor_cmd"][:29])


@pytest.mark.parametrize("fault", ["heat", "motor", "mode", "silence"])
def test_whatever_is_wrong_makes_it_damp_until_it_is_armed_again(
    g1: Callable[..., tuple[SimulatedG1, UnitreeRobot]], fault: str
) -> None:
    simulated, robot = g1()
    robot.connect()
    robot.arm()
    q = np.array(robot.body.neutral.q)
    wait_for(lambda: (send(robot, q), len(simulated.commands) > 20)[1])
    knee = MOTORS.index("left_knee_joint")
    if fault == "heat":
        simulated.temperature[knee] = 95.0
    elif fault == "motor":
        simulated.fault[knee] = 3
    elif fault == "mode":
        simulated.mode_machine = 9
    else:
        simulated.silent = True

    def damps() -> bool:
        last = simulated.last
        assert last is not None
        return all(m["kp"] == 0.0 for m in last["data"]["motor_cmd"])

    wait_for(damps)
    words = {
        "heat": "left_knee_joint: the motor is 95 deg C",
        "motor": "left_knee_joint: the motor is in fault 3",
        "mode": "changed its mode from 5 to 9",
        "silence": "told no state",
    }[fault]
    with pytest.raises(RobotLost, match=words):
        send(robot, q)
    if fault != "mode":
        with pytest.raises(RobotLost):
            robot.arm()
    simulated.temperature[knee], simulated.fault[knee] = 40.0, 0
    simulated.silent = False
    time.sleep(0.1)
    assert damps(), "it never recovers by itself"
    wait_for(lambda: (robot.recover(), not robot._fault)[1])
    send(robot, q)


def test_arms_alone_are_blended_in_and_given_back(
    g1: Callable[..., tuple[SimulatedG1, UnitreeRobot]],
) -> None:
    simulated, robot = g1("first=1&arms=yes")
    robot.connect()
    robot.arm()
    q = np.array(robot.body.neutral.q)

    def weights() -> list[float]:
        return [c["data"]["motor_cmd"][29]["q"] for c in simulated.commands]

    wait_for(lambda: (send(robot, q), weights() and weights()[-1] == 1.0)[1])
    rising = weights()
    assert rising[0] < 0.2 and np.diff(rising).min() >= 0.0
    assert {c["topic"] for c in simulated.commands} == {"rt/arm_sdk"}
    assert all(m["kp"] == 0.0 for m in simulated.commands[-1]["data"]["motor_cmd"][:15])
    robot.disconnect()
    wait_for(lambda: weights()[-1] < 0.1)


def test_states_that_are_none_are_refused() -> None:
    rng = np.random.default_rng(4)
    good = SimulatedG1()._state()
    import orjson

    data = orjson.dumps({"topic": "rt/lowstate", "data": good})
    assert read_low_state(data) is not None
    assert read_low_state(b'{"topic": "rt/other", "data": 1}') is None
    refused = 0
    for i in range(2_000):
        bad = bytearray(data) if i % 2 else bytearray(rng.bytes(100))
        for _ in range(5):
            bad[int(rng.integers(len(bad)))] = int(rng.integers(256))
        try:
            read_low_state(bytes(bad))
        except BadMessage:
            refused += 1
    assert refused > 1_000
