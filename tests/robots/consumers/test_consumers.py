"""What learned controllers and IIT's stack are sent, read by readers of our own."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, RobotLost
from telexist.robots.backends import RobotOptions, make_robot
from telexist.robots.base import JointCommand, NeedsArming, Robot
from telexist.robots.consumers import ISAAC_ORDER
from telexist.robots.description import RobotModel
from telexist.robots.unitree import MOTORS
from telexist.robots.yarp.iit import read_human_state
from telexist.robots.yarp.network import NameClient, Port
from telexist.robots.yarp.simulated import SimulatedNameServer
from telexist.robots.yarp.wire import YARP_3, decode_bottle

PATIENCE = 60.0  # [s]


def make(text: str, model: RobotModel) -> Any:
    return make_robot(
        text, model, RobotOptions(now=time.perf_counter, sleep=time.sleep)
    )


def follow(robot: Robot, q: np.ndarray, until: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, "it never came"
        now = time.perf_counter()
        robot.send(JointCommand(stamp=now, q=q, dq=np.zeros_like(q)))
        time.sleep(0.005)


def goal_of(robot: Robot) -> np.ndarray:
    q = np.array(robot.body.neutral.q)
    joint = robot.body.kinematics.joints[-1]
    q[robot.body.kinematics.index(joint)] += 0.1
    return q


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def read_sonic(message: bytes) -> dict[str, np.ndarray]:
    """Read a message as the facts describe it."""
    assert message[:4] == b"pose"
    header = json.loads(message[4:1284].rstrip(b"\0"))
    assert (header["v"], header["endian"], header["count"]) == (1, "le", 1)
    at, found = 1284, {}
    for field in header["fields"]:
        kind, size = {"f32": ("f", 4), "i64": ("q", 8)}[field["dtype"]]
        count = int(np.prod(field["shape"]))
        values = struct.unpack_from(f"<{count}{kind}", message, at)
        found[field["name"]] = np.array(values).reshape(field["shape"])
        at += size * count
    assert at == len(message)
    return found


def test_the_order_is_that_of_the_simulator() -> None:
    left, right = [0, 3, 6, 9, 13, 17], [1, 4, 7, 10, 14, 18]
    arms = [11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24, 26, 28]
    told = [*left, *right, 2, 5, 8, *arms]  # for each motor, as public code has it
    assert [ISAAC_ORDER.index(name) for name in MOTORS] == told


def test_sonic_gets_frames_in_its_own_order(
    robot_of: Callable[[str], RobotModel],
) -> None:
    zmq: Any = pytest.importorskip("zmq")
    port = free_port()
    robot = make(f"sonic:127.0.0.1:{port}", robot_of("g1"))
    robot.connect()
    with zmq.Context() as context, context.socket(zmq.SUB) as ear:
        ear.setsockopt(zmq.SUBSCRIBE, b"pose")
        ear.connect(f"tcp://127.0.0.1:{port}")
        robot.arm()
        q, frames = goal_of(robot), list[dict[str, np.ndarray]]()
        joints = robot.body.kinematics.joints
        rows = [joints.index(name) for name in ISAAC_ORDER]

        def there() -> bool:
            if ear.poll(10):
                frames.append(read_sonic(ear.recv()))
            return bool(frames) and np.allclose(
                frames[-1]["joint_pos"][0], q[rows], atol=1e-5
            )

        follow(robot, q, there)
        robot.disconnect()
    index = [int(frame["frame_index"][0]) for frame in frames]
    assert index == list(range(index[0], index[0] + len(index)))
    way = np.abs(np.diff([frame["joint_pos"][0] for frame in frames], axis=0))
    assert np.degrees(way.max()) <= 60.0 * 0.02 + 1e-3
    assert frames[-1]["body_quat"].shape == (1, 4)
    assert frames[-1]["joint_vel"].shape == (1, 29)


class Redis:
    """Enough of a Redis server, read from its protocol's description."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        link, _ = self.listener.accept()
        with link, link.makefile("rb") as lines:
            while line := lines.readline():
                words = []
                for _ in range(int(line[1:])):
                    size = int(lines.readline()[1:])
                    words.append(lines.read(size + 2)[:-2].decode())
                if words[0] == "SET":
                    self.values[words[1]] = words[2]
                    link.sendall(b"+OK\r\n")
                else:
                    value = self.values.get(words[1])
                    said = "$-1" if value is None else f"${len(value)}\r\n{value}"
                    link.sendall(f"{said}\r\n".encode())


def test_twist2_gets_35_numbers_and_its_joints_are_the_state(
    robot_of: Callable[[str], RobotModel],
) -> None:
    redis = Redis()
    robot = make(f"twist2:127.0.0.1:{redis.port}", robot_of("g1"))
    robot.connect()
    robot.arm()
    q = goal_of(robot)
    rows = [robot.body.kinematics.joints.index(name) for name in MOTORS]
    key = "action_body_unitree_g1_with_hands"

    def there() -> bool:
        told = json.loads(redis.values.get(key, "[]"))
        return len(told) == 35 and np.allclose(told[6:], q[rows], atol=1e-6)

    follow(robot, q, there)
    root = json.loads(redis.values[key])[:6]
    assert root[2] == pytest.approx(robot.body.neutral.world_p_base[2])
    assert len(json.loads(redis.values["action_hand_left_unitree_g1_with_hands"])) == 7
    redis.listener.close()
    robot.disconnect()
    with pytest.raises(RobotLost, match="no Redis server"):
        make(f"twist2:127.0.0.1:{redis.port}", robot_of("g1")).connect()


@pytest.fixture
def names() -> Iterator[NameClient]:
    server = SimulatedNameServer()
    server.open()
    yield NameClient(server.host, server.port)
    server.close()


def test_iit_gets_a_human_state_with_the_robots_joint_names(
    robot_of: Callable[[str], RobotModel], names: NameClient
) -> None:
    heard: list[Any] = []
    ear = Port(
        "/walking-coordinator/humanState:i",
        names,
        dialect=YARP_3,
        on_message=lambda payload, *_: heard.append(decode_bottle(payload, YARP_3)),
    )
    ear.open()
    text = f"iit:{names.host}:{names.port}?to=/walking-coordinator/humanState:i"
    robot = make(text, robot_of("icub"))
    robot.connect()
    assert isinstance(robot, NeedsArming) and all(c.well for c in robot.preflight())
    robot.arm()
    q = goal_of(robot)

    def there() -> bool:
        return bool(heard) and np.allclose(read_human_state(heard[-1]).positions, q)

    follow(robot, q, there)
    state = read_human_state(heard[-1])
    assert state.joints == tuple(robot.body.kinematics.joints)
    assert state.base == "root_link" and state.world_p_base[2] > 0.3
    robot.disconnect()
    ear.close()


def test_what_cannot_be_is_told(robot_of: Callable[[str], RobotModel]) -> None:
    model = robot_of("icub")
    for text in ("sonic", "twist2", "unitree", "iit:h:1?x=2", "sonic:h:port"):
        with pytest.raises(BadInput):
            make(text, model)
    robot = make("twist2", robot_of("g1"))
    with pytest.raises(RobotLost, match="not connected"):
        robot.send(JointCommand(stamp=0.0, q=robot.body.neutral.q, dq=np.zeros(29)))
