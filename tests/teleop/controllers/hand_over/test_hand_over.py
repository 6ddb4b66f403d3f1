"""Who leads, how torques go over, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.robots.base.interface import JointCommand, JointGains, RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.actuators import actuators_of
from telexist.teleop.controllers.hand_over.hand_over import HandOver
from telexist.teleop.controllers.hand_over.make import make_controllers
from telexist.teleop.terms.base_reference import BaseReference
from telexist.teleop.terms.controller_event import (
    ControllerEvent,
    ControllerEventKind,
)
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.walk_command import WalkCommand

DT = 0.005  # [s]
JUMP = 0.05  # of the efforts: what the issue allows


class Puppet:
    """Asks for a share of the efforts, and is as ready as the test says."""

    base, walks, period = "free", False, DT

    def __init__(self, robot: RobotModel, share: float, *, steady: bool = True) -> None:
        self.posture: Configuration = robot.body.neutral
        self.steady, self.fallen = steady, None
        self._effort = actuators_of(robot).effort
        self.share, self.gains = share, 0.0
        self.busy = self.unready = self.cannot = self.lost = ""
        self.events: tuple[ControllerEvent, ...] = ()
        self.looked, self.stepped = 0, 0
        self.seen: RobotReference | None = None
        self.given = np.zeros(0)

    def reset(self, state: RobotState) -> None:
        self.events = ()

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        self.stepped, self.seen = self.stepped + 1, reference
        n = len(state.q)
        command = JointCommand(
            stamp=0.0, q=state.q + 0.1, dq=np.zeros(n), tau=self.share * self._effort
        )
        if self.gains:
            kp, kd = np.full(n, self.gains), np.full(n, 0.1 * self.gains)
            command = replace(command, gains=JointGains(kp=kp, kd=kd))
        return command

    def report(self) -> ControllerReport:
        return ControllerReport(values={}, events=self.events)

    def look_on(
        self, state: RobotState, reference: RobotReference, given: np.ndarray, dt: float
    ) -> None:
        self.looked, self.given = self.looked + 1, given

    def waits_to_take(self) -> str:
        return self.unready

    def waits_to_leave(self) -> str:
        return self.busy

    def take_over(self, state: RobotState) -> None:
        if self.cannot:
            raise BadInput(self.cannot)

    def was_given(self, tau: np.ndarray) -> None:
        self.given = tau

    def astray(self, state: RobotState, reference: RobotReference) -> str:
        return self.lost


@pytest.fixture
def robot(robot_of: Callable[[str], RobotModel]) -> RobotModel:
    return robot_of("icub")


@pytest.fixture
def pair(robot: RobotModel) -> tuple[HandOver, Puppet, Puppet]:
    one, other = Puppet(robot, 0.5), Puppet(robot, -0.9, steady=False)
    hand_over = HandOver(robot, [("one", one), ("other", other)])
    hand_over.reset(state_of(robot))
    return hand_over, one, other


def state_of(robot: RobotModel, seed: int = 0) -> RobotState:
    rng, n = np.random.default_rng(seed), robot.body.kinematics.n
    return RobotState(
        stamp=0.0,
        q=robot.body.neutral.q + 0.01 * rng.standard_normal(n),
        dq=0.1 * rng.standard_normal(n),
        tau=np.zeros(n),
        imu_acceleration=np.array([0.0, 0.0, 9.81]),
        imu_angular_velocity=np.zeros(3),
        imu_world_R_base=np.eye(3),
        foot_wrenches=np.zeros((2, 6)),
    )


def wish(robot: RobotModel, **changes: object) -> RobotReference:
    q = robot.body.neutral.q + 0.5
    zero = np.zeros_like(q)
    usual = RobotReference(stamp=0.0, q=q, dq=zero, ddq=zero)
    return replace(usual, **changes)  # type: ignore[arg-type]


def torques(command: JointCommand, state: RobotState) -> np.ndarray:
    tau = np.array(command.torques)
    if command.gains is not None:
        tau = tau + command.gains.kp * (command.q - state.q)
        tau = tau + command.gains.kd * (command.dq - state.dq)
    return tau


def told(hand_over: HandOver) -> list[tuple[ControllerEventKind, str]]:
    return [(event.kind, event.text) for event in hand_over.report().events]


def test_torques_go_over_without_a_jump_and_the_other_one_leads(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, other = pair
    state, effort = state_of(robot), actuators_of(robot).effort
    other.gains = 20.0
    before = torques(hand_over.step(state, wish(robot), DT), state) / effort
    assert np.allclose(before, 0.5) and other.looked == 1
    assert np.allclose(other.given, 0.5 * effort)
    hand_over.ask("other")
    for _ in range(200):
        after = torques(hand_over.step(state, wish(robot), DT), state) / effort
        assert np.abs(after - before).max() < JUMP
        before = after
    assert hand_over.leader == "other" and hand_over.change is not None
    assert hand_over.change.done and 0.0 < hand_over.change.jump < JUMP
    alone = torques(other.step(state, wish(robot), DT), state)
    assert np.allclose(after * effort, alone)
    assert one.looked > 100


def test_between_two_the_drives_make_of_it_what_they_make_of_both(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, other = pair
    one.gains, other.gains = 35.0, 5.0
    one.share, other.share = 0.1, -0.2
    state = state_of(robot)
    hand_over.ask()
    for _ in range(25):
        command = hand_over.step(state, wish(robot), DT)
    assert hand_over.change is not None and hand_over.change.blend is not None
    share = hand_over.change.blend.share
    assert 0.05 < share < 0.95
    for seed in range(3):  # wherever the robot is until the next command
        there = state_of(robot, seed)
        both = [torques(c.step(state, wish(robot), DT), there) for c in (one, other)]
        expected = (1.0 - share) * both[0] + share * both[1]
        assert np.abs(torques(command, there) - expected).max() < 1e-9


def test_who_takes_over_begins_where_the_robot_is(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, _, other = pair
    state = state_of(robot)
    hand_over.step(state, wish(robot), DT)
    hand_over.ask()
    last, way = None, 0.0
    for _ in range(500):
        hand_over.step(state, wish(robot), DT)
        if other.seen is None:
            continue
        if last is None:
            assert np.abs(other.seen.q - state.q).max() < 0.01
        else:
            way = max(way, float(np.abs(other.seen.q - last).max()) / DT)
        last = other.seen.q
    assert last is not None and np.array_equal(last, wish(robot).q)
    assert way < 2.5  # [rad/s]


def test_who_cannot_take_over_is_refused_and_the_other_one_goes_on(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, other = pair
    other.cannot = "output 3 is nan"
    state = state_of(robot)
    hand_over.ask()
    command = hand_over.step(state, wish(robot), DT)
    assert np.array_equal(command.torques, one.step(state, wish(robot), DT).torques)
    (event,) = told(hand_over)
    assert event[0] is ControllerEventKind.HAND_OVER
    assert "other is refused: output 3 is nan; one leads" in event[1]
    assert hand_over.leader == "one" and other.stepped == 0


def test_who_fails_while_taking_over_gives_back_without_a_jump(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, other = pair
    state, effort = state_of(robot), actuators_of(robot).effort
    hand_over.ask()
    for _ in range(20):
        before = hand_over.step(state, wish(robot), DT).torques
    other.events = (ControllerEvent(ControllerEventKind.POLICY, "output 3 is nan"),)
    kinds = []
    for _ in range(100):
        after = hand_over.step(state, wish(robot), DT).torques
        assert np.abs((after - before) / effort).max() < JUMP
        before = after
        kinds += [kind for kind, _ in told(hand_over)]
    assert hand_over.leader == "one" and one.share == 0.5
    assert np.allclose(after, 0.5 * effort)
    assert kinds == [ControllerEventKind.HAND_OVER]  # and no fault of the session


def test_who_goes_astray_gives_way_to_the_one_that_stands(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, other = pair
    state = state_of(robot)
    hand_over.ask()
    for _ in range(100):
        hand_over.step(state, wish(robot), DT)
    assert hand_over.leader == "other"
    one.unready = "a foot is in the air"  # it has no choice
    other.lost = "the base is tilted"
    kinds = []
    for _ in range(100):
        hand_over.step(state, wish(robot), DT)
        kinds += [kind for kind, _ in told(hand_over)]
    assert hand_over.leader == "one"
    assert ControllerEventKind.HANDED_BACK in kinds


def test_a_change_waits_until_the_robot_stands(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, other = pair
    state, other.unready = state_of(robot), "a foot is in the air"
    reference = wish(robot, walk=WalkCommand(vx=0.4), planted=(True, False))
    hand_over.ask()
    for _ in range(300):
        hand_over.step(state, reference, DT)
    assert one.seen is not None and one.seen.walk == WalkCommand()
    assert one.seen.planted == (True, True)
    assert hand_over.leader == "one" and "a foot is in the air" in hand_over.notice
    other.unready = ""
    for _ in range(100):
        hand_over.step(state, reference, DT)
    assert hand_over.leader == "other"


def test_a_change_that_waits_for_too_long_is_given_up(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, one, _ = pair
    state, one.busy = state_of(robot), "the robot stands on one foot"
    reference = wish(robot, walk=WalkCommand(vx=0.4))
    hand_over.ask()
    texts = []
    for _ in range(180):
        hand_over.step(state, reference, 0.05)
        texts += [text for _, text in told(hand_over)]
    assert any("is refused: the robot stands on one foot" in text for text in texts)
    assert one.seen is not None and one.seen.walk.vx == pytest.approx(0.4)


def test_the_one_that_walks_leads_while_somebody_asks_to_walk(
    robot: RobotModel,
) -> None:
    stands, goes = Puppet(robot, 0.1), Puppet(robot, 0.2)
    goes.walks = True
    hand_over = HandOver(robot, [("stands", stands), ("goes", goes)])
    state = state_of(robot)
    hand_over.reset(state)
    leaders = []
    for k in range(1200):
        walk = WalkCommand(vx=0.3 * (200 <= k < 600))
        hand_over.step(state, wish(robot, walk=walk), DT)
        leaders.append(hand_over.leader)
    assert set(leaders[:200]) == {"stands"}
    assert set(leaders[400:600]) == {"goes"}
    assert set(leaders[1100:]) == {"stands"}


def test_the_one_that_tracks_leads_while_the_operator_goes_away(
    robot: RobotModel,
) -> None:
    stands, tracks = Puppet(robot, 0.1), Puppet(robot, 0.2, steady=False)
    hand_over = HandOver(robot, [("stands", stands), ("tracks", tracks)])
    state, x = state_of(robot), 0.0
    hand_over.reset(state)
    leaders = []
    for k in range(1600):
        speed = 0.8 * (400 <= k < 800)
        bow = 0.05 * np.sin(0.02 * k)  # a bow goes nowhere
        x += speed * DT
        base = BaseReference(
            world_p_base=np.array([x + bow, 0.0, 0.6]),
            world_R_base=np.eye(3),
            world_v_base=np.array([speed, 0.0, 0.0]),
            world_w_base=np.zeros(3),
        )
        hand_over.step(state, wish(robot, base=base), DT)
        leaders.append(hand_over.leader)
    assert set(leaders[:400]) == {"stands"}
    assert set(leaders[600:800]) == {"tracks"}
    assert leaders[-1] == "stands"


def test_who_is_to_leave_is_led_to_a_stand_and_goes_on_by_a_true_motion(
    robot: RobotModel,
) -> None:
    one, other = Puppet(robot, 0.5), Puppet(robot, -0.9)
    hand_over = HandOver(robot, [("one", one), ("other", other)], by_rule=False)
    state, other.unready = state_of(robot), "the robot moves"
    hand_over.reset(state)
    yaw, x, bases = 0.0, np.zeros(2), []
    for k in range(3200):  # it waits in vain from 1 s to 9 s
        if k == 200:
            hand_over.ask()
        yaw += 0.5 * DT
        c, s = np.cos(yaw), np.sin(yaw)
        v = 0.8 * np.array([c, s])
        x = x + v * DT
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        base = BaseReference(
            world_p_base=np.array([*x, 0.5]),
            world_R_base=R @ robot.body.neutral.world_R_base,
            world_v_base=np.array([*v, 0.0]),
            world_w_base=np.array([0.0, 0.0, 0.5]),
        )
        hand_over.step(state, wish(robot, base=base), DT)
        assert one.seen is not None and one.seen.base is not None
        bases.append(one.seen.base)
    places = np.array([base.world_p_base[:2] for base in bases])
    speeds = np.array([base.world_v_base[:2] for base in bases])
    heights = np.array([base.world_p_base[2] for base in bases])
    error = np.abs(np.diff(places, axis=0) / DT - speeds[1:]).max()
    assert error < 0.8 * 0.5 * DT  # [m/s]: it turns within a step
    assert np.abs(speeds[1000]).max() == 0.0
    assert heights[1000] == pytest.approx(one.posture.world_p_base[2])
    assert np.linalg.norm(speeds[-1]) == pytest.approx(0.8)
    assert np.linalg.norm(places[-1] - x) > 1.0  # what it did not go
    assert np.abs(np.diff(heights)).max() < 0.005


def test_an_unknown_name_is_told_and_nobody_changes(
    robot: RobotModel, pair: tuple[HandOver, Puppet, Puppet]
) -> None:
    hand_over, _, _ = pair
    hand_over.ask("somebody")
    hand_over.step(state_of(robot), wish(robot), DT)
    assert "known: one, other" in told(hand_over)[0][1]
    assert hand_over.leader == "one" and hand_over.change is None


def test_those_who_cannot_take_turns_are_refused(
    robot: RobotModel, robot_of: Callable[[str], RobotModel]
) -> None:
    slow = Puppet(robot, 0.0)
    slow.period = 0.01
    with pytest.raises(BadInput, match="one 200 Hz, slow 100 Hz"):
        HandOver(robot, [("one", Puppet(robot, 0.0)), ("slow", slow)])
    twice = [("one", Puppet(robot, 0.0)), ("one", Puppet(robot, 0.0))]
    with pytest.raises(BadInput, match="one twice"):
        HandOver(robot, twice)
    with pytest.raises(BadInput, match="servo cannot take a robot over"):
        make_controllers("servo,balance", robot)
    with pytest.raises(BadInput, match="between commas"):
        make_controllers("walk,,balance", robot)
