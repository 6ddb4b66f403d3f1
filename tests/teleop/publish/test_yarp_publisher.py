"""What a session publishes on YARP is read by readers of IIT's messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, RobotLost, UnknownName
from telexist.retarget.person_dynamics import SHAPES, GroundForces, PersonDynamics
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.robots.yarp.iit import (
    FRAME_SERVER,
    PERSON_JOINTS,
    n_pose_to_t_pose,
    read_human_state,
    read_suit,
    read_wearable_data,
)
from telexist.robots.yarp.network import InputPort, NameClient, Port
from telexist.robots.yarp.simulated import SimulatedNameServer
from telexist.robots.yarp.wire import OK, YARP_3, Bottle, Envelope, decode_bottle
from telexist.teleop import clock
from telexist.teleop.publish import YarpPublisher, make_publisher, open_publishers
from telexist.teleop.publish.publish_settings import PORTS
from telexist.teleop.terms import (
    DeviceSample,
    RobotReference,
    State,
    Tick,
    WalkCommand,
)

PATIENCE = 60.0  # [s]
FRAME = builtin_clip().frame(150)
WALK = WalkCommand(vx=0.25, vy=0.1, wz=-0.5)


class Reader:
    """Hears all that is published."""

    def __init__(self, names: NameClient) -> None:
        self.heard: dict[str, list[Bottle]] = {kind: [] for kind in PORTS}
        self.lock = threading.Lock()
        self.ports = []
        for kind, name in PORTS.items():
            if kind in ("goal", "frames"):
                continue
            port = InputPort(
                f"/probe/{kind}",
                names,
                self.taker(kind),
                sources=lambda _, name=name: [name],  # type: ignore[misc]
            )
            port.open()
            self.ports.append(port)
        self.goal = Port(
            "/walking-coordinator/goal:i",
            names,
            dialect=YARP_3,
            on_message=self.taker("goal"),
        )
        self.goal.open()
        self.frames = Port(
            FRAME_SERVER, names, dialect=YARP_3, on_question=self.take_frame
        )
        self.frames.open()

    def taker(self, kind: str) -> Callable[[bytes, Envelope | None, str], None]:
        def take(payload: bytes, envelope: Envelope | None, source: str) -> None:
            assert envelope is not None
            with self.lock:
                self.heard[kind].append(decode_bottle(payload, YARP_3))

        return take

    def take_frame(self, question: Bottle, source: str) -> Bottle:
        with self.lock:
            self.heard["frames"].append(question)
        return [OK]

    def close(self) -> None:
        for port in (*self.ports, self.goal, self.frames):
            port.close()


@pytest.fixture
def names() -> Iterator[NameClient]:
    server = SimulatedNameServer()
    server.open()
    yield NameClient(server.host, server.port)
    server.close()


def tick(**change: object) -> Tick:
    zeros = np.zeros(3)
    stamp = clock.now()
    reference = RobotReference(stamp=stamp, q=zeros, dq=zeros, ddq=zeros, walk=WALK)
    values = {"human": replace(FRAME, stamp=stamp), "reference": reference} | change
    return Tick(number=1, stamp=stamp, period=0.01, state=State.ACTIVE, **values)  # type: ignore[arg-type]


def dynamics() -> PersonDynamics:
    arrays = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    arrays["foot_wrenches"] = np.array([[1.0, 2, 300, 0, 0, 0], [0, 0, 400, 1, 2, 3]])
    arrays["moments"][SEGMENT_INDEX["LeftLowerLeg"]] = [0.0, 60.0, 0.0]
    return PersonDynamics(stamp=clock.now(), lag=0.06, mass=70.0, **arrays)


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def test_all_that_is_published_is_what_the_session_saw(names: NameClient) -> None:
    reader = Reader(names)
    what = "+".join(PORTS)
    wrench = np.array([[0.0, 0, 300, 0, 0, 0], [0, 0, np.nan, 0, 0, 0]])
    forces = GroundForces(stamp=0.0, wrench=wrench, deviation=np.ones((2, 6)))
    with open_publishers([f"yarp:{names.host}:{names.port}?what={what}"]) as (ours,):

        def all_heard() -> bool:
            sample = DeviceSample(stamp=clock.now(), forces=forces)
            ours.put(tick(dynamics=(dynamics(),), samples=(sample,)))
            moving = any(abs(float(g[0])) > 0.0 for g in reader.heard["goal"])  # type: ignore[arg-type]
            return moving and all(reader.heard.values())

        wait_for(all_heard)
        assert ours.manual.count("/XsensSuit/WearableData/data:o") == 1
        ours.put(tick())
    reader.close()
    for name in PORTS.values():
        assert names.query(name) is None, "what is over is not registered"
    goals = reader.heard["goal"]
    moving = next(g for g in goals if any(g))
    assert moving == pytest.approx([0.5, -0.5, 0.2])
    pose = read_suit(*read_wearable_data(reader.heard["wearables"][-1]))
    assert pose is not None and pose.segments == SEGMENTS
    assert np.abs(pose.rotations - n_pose_to_t_pose(FRAME.rotations)).max() < 1e-9
    shoes = {s.name: s for s in read_wearable_data(reader.heard["wearables"][0])[1]}
    assert shoes["XsensSuit::ft6D::LeftShoe"].status == 1
    assert shoes["XsensSuit::ft6D::RightShoe"].status == 4, "it is not known"
    state = read_human_state(reader.heard["state"][-1])
    assert state.joints == PERSON_JOINTS and state.base == "Pelvis"
    assert FRAME.positions is not None
    assert 0.6 < state.com[2] / FRAME.positions[6, 2] < 0.75
    sources, values = reader.heard["wrench"][-1]
    assert sources == ["LeftFoot", "RightFoot"]
    R = FRAME.rotations[SEGMENT_INDEX["LeftFoot"]]
    assert R @ np.array(values[:3]) == pytest.approx([1.0, 2.0, 300.0])  # type: ignore[index]
    joints, torques = reader.heard["dynamics"][-1]
    knee = dict(zip(joints, torques, strict=True))["jLeftKnee_roty"]  # type: ignore[arg-type]
    assert abs(knee) > 50.0
    named = {question[1][1] for question in reader.heard["frames"]}  # type: ignore[index]
    assert named == {"openxr_head", "left_glove", "right_glove", "root_link_desired"}


def test_a_silent_or_held_session_asks_to_stand(names: NameClient) -> None:
    reader = Reader(names)
    text = f"yarp:{names.host}:{names.port}?what=goal"
    with open_publishers([text]) as (ours,):

        def moving() -> bool:
            ours.put(tick())
            return any(any(g) for g in reader.heard["goal"])

        wait_for(moving)
        seen = len(reader.heard["goal"])
        # the loop says nothing any more, as if it were dead
        wait_for(lambda: len(reader.heard["goal"]) > seen + 40)
        assert not any(reader.heard["goal"][-1]), "an old command is none"
        wait_for(moving)
        seen = len(reader.heard["goal"])

        def held() -> bool:
            ours.put(replace(tick(), state=State.HOLDING))
            return len(reader.heard["goal"]) > seen + 20

        wait_for(held)
        assert not any(reader.heard["goal"][-1])
    reader.close()


def test_what_cannot_be_published_is_told_at_the_start() -> None:
    with pytest.raises(UnknownName, match="wearables"):
        make_publisher("yarp:?what=wearable")
    with pytest.raises(UnknownName, match="yarp"):
        make_publisher("ros:somewhere")
    for text in ("rate=5", "version=5", "goal=x", "root=up", "numbers=4"):
        with pytest.raises(BadInput):
            make_publisher(f"yarp:?what=goal&{text}")
    publisher = make_publisher("yarp:127.0.0.1:9?what=goal")
    assert isinstance(publisher, YarpPublisher)
    with pytest.raises(RobotLost, match="yarpserver"):
        publisher.open()
    publisher.close()
