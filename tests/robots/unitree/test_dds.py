"""A G1 over DDS: bytes as Cyclone's own writer makes them, motors that obey, faults."""

from __future__ import annotations

import multiprocessing
import os
import struct
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, BadMessage, RobotLost, UnknownName
from telexist.robots.base import JointCommand
from telexist.robots.description import RobotModel
from telexist.robots.unitree import MOTORS, LowCommand, SimulatedG1Dds, checksum
from telexist.robots.unitree.dds_types import (
    HEAD,
    STATE,
    cdr_command,
    dds_types,
    packed_command,
    read_cdr_state,
    write_cdr_state,
)
from telexist.robots.unitree.g1_settings import G1Settings
from telexist.robots.unitree.unitree_robot import UnitreeRobot

idl = pytest.importorskip("cyclonedds.idl")
types = pytest.importorskip("cyclonedds.idl.types")

PATIENCE = 60.0  # [s]


def plain(kind: Any, data: bytes) -> Any:
    """Return a message read by Cyclone's own reader, field by field."""
    return kind.__idl__.deserialize(data)


def written(sample: Any) -> bytes:
    """Return the bytes that Cyclone's own writer makes of a message."""
    return bytes(sample.__idl__.serialize(sample))


def test_commands_are_what_cyclone_itself_would_write() -> None:
    rng = np.random.default_rng(3)
    for weight in (None, 0.25):
        q, kp, kd = rng.normal(size=29), rng.random(29), rng.random(29)
        command = LowCommand(q=q, kp=kp, kd=kd, mode_machine=9, weight=weight)
        packed = command.packed()
        theirs = plain(dds_types().command, HEAD + cdr_command(packed))
        assert theirs.mode_machine == 9 and theirs.mode_pr == 0
        assert [m.q for m in theirs.motor_cmd[:29]] == pytest.approx(q, rel=1e-6)
        assert [m.kd for m in theirs.motor_cmd[:29]] == pytest.approx(kd, rel=1e-6)
        assert theirs.motor_cmd[29].q == (0.0 if weight is None else 0.25)
        assert theirs.crc == checksum(packed[:-4])
        assert written(theirs) == HEAD + cdr_command(packed)
        assert packed_command(written(theirs)) == packed
    with pytest.raises(BadMessage):
        packed_command(b"\0\1\0\0 too short")


def a_state(rng: np.random.Generator) -> np.ndarray:
    record = np.zeros((), STATE)
    record["mode_machine"] = 5
    record["quaternion"] = [1.0, 0.0, 0.0, 0.0]
    record["accelerometer"] = [0.0, 0.0, 9.81]
    for motors, shape in ((record["first"], ()), (record["motors"], (34,))):
        for name in ("q", "dq", "tau_est"):
            motors[name] = rng.normal(size=shape)
        motors["temperature"] = rng.integers(20, 90, (*shape, 2))
        motors["motorstate"] = rng.integers(0, 3, shape)
    return record


def c_words(data: bytes) -> bytes:
    """Return a state as a C program has it: the maker's packing, all but the sum."""
    theirs = plain(dds_types().state, data)
    imu = theirs.imu_state
    shape = "<2I2B2xI" + "13fh2x" + "B3x4f2hf7I" * 35 + "40B4I"
    values = [*theirs.version, theirs.mode_pr, theirs.mode_machine, theirs.tick]
    values += [*imu.quaternion, *imu.gyroscope, *imu.accelerometer, *imu.rpy]
    values.append(imu.temperature)
    for m in theirs.motor_state:
        values += [m.mode, m.q, m.dq, m.ddq, m.tau_est, *m.temperature, m.vol]
        values += [*m.sensor, m.motorstate, *m.reserve]
    return struct.pack(shape, *values, *theirs.wireless_remote, *theirs.reserve)


def test_states_are_read_as_cyclone_reads_them_and_their_sum_is_the_makers() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        data = HEAD + write_cdr_state(a_state(rng))
        theirs, ours = plain(dds_types().state, data), read_cdr_state(data)
        motors = theirs.motor_state[:29]
        assert ours.q.tolist() == [m.q for m in motors]
        assert ours.tau.tolist() == [m.tau_est for m in motors]
        assert ours.temperature.tolist() == [max(m.temperature) for m in motors]
        assert ours.fault == tuple(m.motorstate for m in motors)
        assert ours.mode_machine == theirs.mode_machine == 5
        assert theirs.crc == checksum(c_words(data))
        assert written(theirs)[: len(data)] == data


def test_hostile_states_are_refused_and_never_crash() -> None:
    rng = np.random.default_rng(5)
    good = HEAD + write_cdr_state(a_state(rng))
    refused = 0
    for i in range(10_000):
        data = bytearray(good) if i % 2 else bytearray(rng.bytes(1 + i % 2200))
        for _ in range(1 + i % 4):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        try:
            state = read_cdr_state(bytes(data))
            assert np.isfinite(state.q).all() and state.q.shape == (29,)
        except BadMessage:
            refused += 1
    assert refused > 9_500, "the checksum tells nearly all"
    for place in ("q", "quaternion"):
        record = a_state(rng)
        (record["first"] if place == "q" else record)[place] = np.nan
        with pytest.raises(BadMessage):
            read_cdr_state(HEAD + write_cdr_state(record))


def play(domain: int, pipe: Connection) -> None:
    """Be a G1 in a process of its own; do what is asked through a pipe."""
    robot = SimulatedG1Dds(domain=domain, keep=True)
    robot.open()
    pipe.send("open")
    while (asked := pipe.recv()) is not None:
        name, value = asked
        if name == "silent":
            robot.silent = value
        elif name == "hot":
            robot.temperature[MOTORS.index("left_knee_joint")] = value
        last = robot.commands[-1] if robot.commands else None
        pipe.send((robot.received, robot.wrong, list(robot.q), last))
    robot.close()


class Far:
    """The G1 in the other process."""

    def __init__(self, domain: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=play, args=(domain, theirs))
        self.process.start()
        assert self.pipe.recv() == "open"

    def ask(self, name: str = "", value: float = 0.0) -> Any:
        self.pipe.send((name, value))
        return self.pipe.recv()


@pytest.fixture
def g1(
    robot_of: Callable[[str], RobotModel],
) -> Iterator[Callable[..., tuple[Far, UnitreeRobot]]]:
    made: list[tuple[Far, UnitreeRobot]] = []

    def make(options: str = "first=1") -> tuple[Far, UnitreeRobot]:
        domain = 20 + (os.getpid() + len(made)) % 200
        far = Far(domain)
        place = f"dds?domain={domain}&{options}"
        robot = UnitreeRobot(robot_of("g1"), now=time.perf_counter, place=place)
        made.append((far, robot))
        return made[-1]

    yield make
    for far, robot in made:
        robot.disconnect()
        far.pipe.send(None)
        far.process.join(PATIENCE)


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


@pytest.mark.slow
def test_the_same_robot_is_driven_over_the_makers_topics(
    g1: Callable[..., tuple[Far, UnitreeRobot]],
) -> None:
    far, robot = g1()
    robot.connect()
    assert far.ask()[0] == 0, "nothing goes out before arming"
    wait_for(lambda: all(check.well for check in robot.preflight()))
    state = robot.read_state()
    assert state is not None
    goal = np.array(state.q)
    elbow = robot.body.kinematics.index("left_elbow_joint")
    goal[elbow] += 0.1
    robot.arm()

    def there() -> bool:
        now = time.perf_counter()
        try:
            robot.send(JointCommand(stamp=now, q=goal, dq=np.zeros_like(goal)))
        except RobotLost:  # a machine that stalls is as good as a silent robot
            robot.recover()
        motor = far.ask()[2][MOTORS.index("left_elbow_joint")]
        return bool(abs(motor - goal[elbow]) < 1e-5)

    wait_for(there)
    far.ask("hot", 95.0)
    wait_for(lambda: "left_knee_joint" in robot._fault)
    wait_for(lambda: far.ask()[3]["data"]["motor_cmd"][0]["kp"] == 0.0)
    assert far.ask()[3]["data"]["motor_cmd"][0]["kd"] > 0.0, "it damps"
    robot.disconnect()
    received, wrong, _, last = far.ask()
    assert received == robot.sent and wrong == 0
    assert last["topic"] == "rt/lowcmd"


def test_settings_of_a_g1_are_read_and_nonsense_is_told() -> None:
    settings = G1Settings.read("dds?interface=eth0&rate=500&arms=yes")
    assert (settings.host, settings.interface, settings.rate) == ("dds", "eth0", 500.0)
    assert settings.link().where == "rt/lowstate on eth0, DDS domain 0"
    assert G1Settings.read("10.0.0.3:7000").link().where == "10.0.0.3:7001"
    with pytest.raises(UnknownName, match="speed"):
        G1Settings.read("?sped=3")
    for text in ("?arms=maybe", "?rate=5", ":99999", "?speed=fast", "?interface=<x>"):
        with pytest.raises(BadInput):
            G1Settings.read(text)


def test_an_interface_that_is_not_there_is_told(
    robot_of: Callable[[str], RobotModel],
) -> None:
    place = "dds?interface=nowhere0&domain=231"
    with pytest.raises(BadInput):
        UnitreeRobot(robot_of("g1"), now=time.perf_counter, place=place)
    place = "dds?interface=nowhere0&domain=19"
    robot = UnitreeRobot(robot_of("g1"), now=time.perf_counter, place=place)
    with pytest.raises(RobotLost, match="nowhere0"):
        robot.connect()
