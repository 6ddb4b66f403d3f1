"""What a policy sees, what becomes of its answers, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.errors import TelexistError
from telexist.robots.base.interface import RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.teleop.controllers.policy.policy_controller import PolicyController
from telexist.teleop.controllers.policy.read_policy import read_policy
from telexist.teleop.terms.base_reference import BaseReference
from telexist.teleop.terms.controller_event import ControllerEventKind
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.walk_command import WalkCommand

Write = Callable[..., Path]

SAME = 1e-6  # the network takes 32 bits; all before it is double

TOML = """
rate = 50
joints = {joints}
default = {{ ".*knee.*" = 0.3, ".*" = 0.0 }}
stiffness = 50
damping = 2
fill = "zeros"
[action]
scale = 0.5
clip = 10
[[observation]]
terms = [{{ name = "base_ang_vel", scale = 0.25 }}, "projected_gravity", "command"]
[[observation]]
terms = ["roll_pitch", {{ name = "joint_vel", scale = 0.05, zero = [".*ankle.*"] }}]
frames = 2
skip = 1
[[observation]]
terms = ["joint_pos", "actions", "reference_lin_vel_xy", "reference_yaw_rate"]
"""


def width(n: int) -> int:
    return 9 + 2 * (2 + n) + 2 * n + 3


def policy_file(write: Write, joints: tuple[str, ...], text: str = TOML) -> Path:
    path = write(width(len(joints)), len(joints), weight=1e-5)
    toml = path.with_suffix(".toml")
    toml.write_text(text.format(joints=list(joints)))
    return toml


def reading(rng: np.random.Generator, n: int, stamp: float) -> RobotState:
    return RobotState(
        stamp=stamp,
        q=0.3 * rng.standard_normal(n),
        dq=rng.standard_normal(n),
        tau=np.zeros(n),
        imu_acceleration=np.array([0.0, 0.0, 9.81]),
        imu_angular_velocity=rng.standard_normal(3),
        imu_world_R_base=Rotation.from_euler("xyz", [0.2, -0.3, 1.9]).as_matrix(),
        foot_wrenches=np.tile([0.0, 0.0, 150.0, 0.0, 0.0, 0.0], (2, 1)),
    )


def wish(rng: np.random.Generator, n: int) -> RobotReference:
    return RobotReference(
        stamp=0.0,
        q=rng.standard_normal(n),
        dq=rng.standard_normal(n),
        ddq=np.zeros(n),
        walk=WalkCommand(vx=0.4, vy=-0.1, wz=0.2),
        base=BaseReference(
            world_p_base=np.array([1.0, 2.0, 0.7]),
            world_R_base=Rotation.from_euler("xyz", [0.1, 0.2, 1.0]).as_matrix(),
            world_v_base=rng.standard_normal(3),
            world_w_base=rng.standard_normal(3),
        ),
    )


def test_the_observation_is_that_of_an_independent_implementation(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    controller = PolicyController(g1, read_policy(policy_file(write_network, joints)))
    rng, n, names = np.random.default_rng(1), len(joints), g1.body.kinematics.joints
    state, reference = reading(rng, n, 0.0), wish(rng, n)
    controller.reset(state)
    pasts: list[np.ndarray] = [np.zeros(2 + n), np.zeros(2 + n)]
    action = np.zeros(n)
    for k in range(4 * 5):
        state = reading(rng, n, 0.005 * (k + 1))
        command = controller.step(state, reference, 0.005)
        if k % 4:
            continue
        turn = Rotation.from_matrix(state.imu_world_R_base)
        yaw_pitch_roll = turn.as_euler("ZYX")
        place = [names.index(joint) for joint in joints]
        ankle = np.array(["ankle" in joint for joint in joints])
        knee = np.array([0.3 if "knee" in joint else 0.0 for joint in joints])
        base = reference.base
        assert base is not None
        goal = Rotation.from_matrix(base.world_R_base)
        expected = np.concatenate(
            [
                0.25 * state.imu_angular_velocity,
                turn.inv().apply([0.0, 0.0, -1.0]),
                [0.4, -0.1, 0.2],
                pasts[-2],
                pasts[-1],
                state.q[place] - knee,
                action,
                goal.inv().apply(base.world_v_base)[:2],
                goal.inv().apply(base.world_w_base)[2:],
            ]
        )
        assert np.abs(controller.observation - expected).max() < SAME
        old = np.where(ankle, 0.0, 0.05 * state.dq[place])
        pasts.append(np.concatenate([yaw_pitch_roll[[2, 1]], old]))
        action = np.full(n, 1e-5 * np.sqrt(1e4 - expected).sum())
        target = np.empty(n)
        target[place] = knee + 0.5 * action
        gains = command.gains
        assert gains is not None and command.tau is not None
        torque = command.tau + gains.kp * (command.q - state.q) - gains.kd * state.dq
        asked = 50.0 * (target - state.q) - 2.0 * state.dq
        weak = np.abs(asked) < 5.0  # below the effort of G1's weakest drive
        assert np.abs(torque - asked)[weak].max() < 1e-4  # 32 bits and 50 N m/rad
        assert (command.q >= g1.body.lower).all()
        assert (command.q <= g1.body.upper).all()
    assert controller.asked == 5


def test_an_answer_that_is_no_number_brakes_and_holds(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    controller = PolicyController(g1, read_policy(policy_file(write_network, joints)))
    rng, n = np.random.default_rng(2), len(joints)
    state, reference = reading(rng, n, 0.0), wish(rng, n)
    controller.reset(state)
    controller.step(state, reference, 0.005)
    bad = replace(reading(rng, n, 1.0), imu_angular_velocity=np.full(3, 1e6))
    controller.step(bad, reference, 0.02)
    kinds = [event.kind for event in controller.report().events]
    assert kinds == [ControllerEventKind.POLICY]
    assert controller.mode == "holding" and controller.fallen is not None
    command = controller.step(reading(rng, n, 1.02), reference, 0.02)
    assert np.array_equal(command.q, np.clip(bad.q, g1.body.lower, g1.body.upper))
    assert not controller.report().events
    controller.reset(state)
    controller.step(state, reference, 0.005)
    assert controller.mode == "running" and controller.fallen is None


def test_readings_that_are_no_numbers_and_a_tilted_base_only_damp(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    policy = read_policy(policy_file(write_network, joints))
    controller = PolicyController(g1, policy)
    rng, n = np.random.default_rng(3), len(joints)
    state, reference = reading(rng, n, 0.0), wish(rng, n)
    lying = Rotation.from_euler("y", 1.6).as_matrix()
    for bad in (
        replace(state, q=np.full(n, np.nan)),
        replace(state, imu_world_R_base=lying),
    ):
        controller.reset(state)
        command = controller.step(bad, reference, 0.005)
        assert [e.kind for e in controller.report().events] == [
            ControllerEventKind.FALL
        ]
        assert command.gains is not None and command.tau is not None
        assert not command.gains.kp.any() and (command.gains.kd > 0.0).all()
        assert not command.tau.any() and np.isfinite(command.q).all()


FAULTS = {
    "an unknown term": (
        lambda t: t.replace('"joint_pos"', '"joint_position"'),
        "no term 'joint_position'; known: base_ang_vel",
    ),
    "an unknown key": (lambda t: "kp = 3\n" + t, "kp: unknown key; allowed:"),
    "a joint of nobody": (
        lambda t: t.replace("waist_yaw_joint", "belly_joint"),
        "only the policy has belly_joint; only the robot has waist_yaw_joint",
    ),
    "a joint too few": (
        lambda t: t.replace("'waist_yaw_joint', ", "").replace(
            ", 'waist_yaw_joint'", ""
        ),
        "the network takes 132 numbers, the observation has 128: base_ang_vel 3",
    ),
    "a rate of none": (lambda t: t.replace("rate = 50", "rate = 0"), "0 Hz is not 1"),
    "no stiffness": (lambda t: t.replace("stiffness", "#"), "nothing is said of it"),
    "too few numbers": (
        lambda t: t.replace("damping = 2", "damping = [1, 2]"),
        "damping: has 2 numbers for 29 joints",
    ),
    "a broken pattern": (
        lambda t: t.replace('".*knee.*"', '"(knee"'),
        "'(knee' is no pattern",
    ),
    "an infinite number": (
        lambda t: t.replace("damping = 2", "damping = inf"),
        "holds a number that is not finite",
    ),
    "no text at all": (lambda t: "\x00{{", "not valid TOML"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_that_does_not_fit_is_refused_in_one_line(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write, fault: str
) -> None:
    change, message = FAULTS[fault]
    path = policy_file(write_network, joints)
    path.write_text(change(path.read_text()))
    with pytest.raises(TelexistError, match=re.escape(message)) as told:
        PolicyController(g1, read_policy(path))
    assert "\n" not in str(told.value)


def test_a_control_rate_that_is_no_multiple_is_refused(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    policy = read_policy(policy_file(write_network, joints))
    with pytest.raises(TelexistError, match="the control rate of 120 Hz is no multi"):
        PolicyController(g1, policy, rate=120.0)
    assert PolicyController(g1, policy, rate=100.0).period == 0.01


def test_networks_that_are_none_are_refused_in_one_line(
    joints: tuple[str, ...], write_network: Write, tmp_path: Path
) -> None:
    toml = policy_file(write_network, joints)
    onnx, n = toml.with_suffix(".onnx"), len(joints)
    whole = onnx.read_bytes()
    told = []
    for broken in (whole[: len(whole) // 2], b"", b"no network", whole[40:]):
        onnx.write_bytes(broken)
        with pytest.raises(TelexistError) as error:
            read_policy(onnx)
        told.append(str(error.value))
    for options, message in (
        ({"weight": float("nan")}, "output 0 is nan"),
        ({"outputs": 12}, "answers 12 numbers for 29 joints"),
    ):
        sizes = {"inputs": width(n), "outputs": n} | options
        write_network(**sizes)
        with pytest.raises(TelexistError, match=message) as error:
            read_policy(onnx)
        told.append(str(error.value))
    onnx.unlink()
    with pytest.raises(TelexistError, match="No such file") as error:
        read_policy(toml)
    with pytest.raises(TelexistError, match="neither an .onnx nor a .toml"):
        read_policy(tmp_path / "policy.pt")
    assert all("\n" not in text and str(onnx.with_suffix("")) in text for text in told)


def test_metadata_alone_describe_a_tracker_of_mjlab(
    g1: RobotModel, joints: tuple[str, ...], write_network: Write
) -> None:
    n = len(joints)
    path = write_network(
        2 * n + 6 + 3 * 3 + n,
        n,
        metadata={
            "joint_names": ",".join(joints),
            "joint_stiffness": ",".join(["40.179"] * n),
            "joint_damping": ",".join(["2.558"] * n),
            "default_joint_pos": ",".join(["0.000"] * n),
            "action_scale": ",".join(["0.548"] * n),
            "command_names": "motion",
            "observation_names": "command,motion_anchor_ori_b,base_ang_vel,actions",
            "observation_history_lengths": "1,1,3,1",
            "anchor_body_name": "torso_link",
            "body_names": "pelvis,torso_link",
        },
    )
    policy = read_policy(path)
    assert policy.tracks and not policy.walks
    controller = PolicyController(g1, policy)
    rng = np.random.default_rng(4)
    state, reference = reading(rng, n, 0.0), wish(rng, n)
    controller.reset(state)
    controller.step(state, reference, 0.005)
    place = [g1.body.kinematics.joints.index(joint) for joint in joints]
    seen = controller.observation
    assert np.array_equal(seen[:n], reference.q[place])
    assert np.array_equal(seen[n : 2 * n], reference.dq[place])
    columns = seen[2 * n : 2 * n + 6].reshape(3, 2)
    assert np.abs(columns.T @ columns - np.eye(2)).max() < 1e-9
    gyro = seen[2 * n + 6 : 2 * n + 15].reshape(3, 3)
    assert (gyro == state.imu_angular_velocity).all()  # the first stands for the past


def test_metadata_of_holosoma_and_a_default_posture_describe_a_walk(
    joints: tuple[str, ...], write_network: Write
) -> None:
    n = len(joints)
    metadata = {
        "dof_names": str(list(joints)),
        "kp": str([40.0] * n),
        "kd": str([2.0] * n),
        "command_ranges": '{"lin_vel_x": [-1, 1], "ang_vel_yaw": [-0.5, 0.5]}',
    }
    path = write_network(3 * n + 13, n, metadata=metadata)
    with pytest.raises(TelexistError, match="default: nothing is said of it"):
        read_policy(path)
    path.with_suffix(".toml").write_text("default = 0.1\n")
    policy = read_policy(path)
    assert policy.walks and not policy.tracks
    assert policy.highest.tolist() == [1.0, np.inf, 0.5]
    assert policy.scale.tolist() == [0.25] * n
