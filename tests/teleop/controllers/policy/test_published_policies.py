"""Published weights on their robot: they walk, and they track."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from telexist.launch_scripts.scenario import main
from telexist.robots.base.interface import JointCommand, JointGains
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.mujoco.robot.stepped_mujoco_robot import SteppedMujocoRobot

JOINTS = """
joints = [{joints}]
rate = 50
"""
VELOCITY = """
network = "{policies}/unitree_rl_mjlab_velocity/policy.onnx"
robot = "{robots}/g1_mjcf/g1.xml"
default = {{ ".*_hip_pitch_joint" = -0.1, ".*_knee_joint" = 0.3,
  ".*_ankle_pitch_joint" = -0.2, ".*_shoulder_pitch_joint" = 0.35,
  "left_shoulder_roll_joint" = 0.18, "right_shoulder_roll_joint" = -0.18,
  ".*_elbow_joint" = 0.87, ".*" = 0.0 }}
stiffness = {{ ".*_(hip_roll|knee)_joint" = 99.1, ".*_hip_.*|waist_yaw.*" = 40.2,
  ".*_ankle_.*|waist_.*" = 28.5, ".*_wrist_(pitch|yaw)_joint" = 16.8, ".*" = 14.3 }}
damping = {{ ".*_(hip_roll|knee)_joint" = 6.3, ".*_hip_.*|waist_yaw.*" = 2.6,
  ".*_ankle_.*|waist_.*" = 1.8, ".*_wrist_(pitch|yaw)_joint" = 1.1, ".*" = 0.9 }}
[action]
scale = {{ ".*_(hip_roll|knee)_joint|waist_yaw.*" = 0.35, ".*_hip_.*" = 0.55,
  ".*_wrist_(pitch|yaw)_joint" = 0.07, ".*" = 0.44 }}
[[observation]]
terms = ["base_ang_vel", "projected_gravity", "velocity_commands", "joint_pos_rel",
  "joint_vel_rel", "last_action"]
[drives]
armature = {{ ".*_(hip_roll|knee)_joint" = 0.0251, ".*_hip_.*|waist_yaw.*" = 0.0102,
  ".*_ankle_.*|waist_.*" = 0.0072, ".*_wrist_(pitch|yaw)_joint" = 0.0043,
  ".*" = 0.0036 }}
damping = 0.0
"""
TRACKER = """
network = "{policies}/twist2/twist2_1017_20k.onnx"
robot = "{policies}/twist2/g1_sim2sim_29dof.xml"
fill = "zeros"
default = {{ ".*_hip_pitch_joint" = -0.2, ".*_knee_joint" = 0.4,
  ".*_ankle_pitch_joint" = -0.2, "left_shoulder_roll_joint" = 0.4,
  "right_shoulder_roll_joint" = -0.4, ".*_elbow_joint" = 1.2, ".*" = 0.0 }}
stiffness = {{ ".*_hip_.*" = 100, ".*_knee_joint|waist_.*" = 150, ".*_wrist_.*" = 4,
  ".*" = 40 }}
damping = {{ ".*_(hip|ankle)_.*" = 2, ".*_knee_joint|waist_.*" = 4,
  ".*_wrist_.*" = 0.2, ".*" = 5 }}
effort = {{ ".*_hip_.*" = 100, ".*_knee_joint|waist_.*" = 150, ".*_wrist_.*" = 4,
  ".*" = 40 }}
[action]
scale = 0.5
clip = 10
[[observation]]
terms = ["reference_lin_vel_xy", "reference_height", "reference_roll_pitch",
  "reference_yaw_rate", "reference_joint_pos",
  {{ name = "base_ang_vel", scale = 0.25 }}, "roll_pitch", "joint_pos",
  {{ name = "joint_vel", scale = 0.05, zero = [".*_ankle_.*"] }}, "actions"]
[[observation]]
frames = 10
skip = 1
[[observation]]
terms = ["reference_lin_vel_xy", "reference_height", "reference_roll_pitch",
  "reference_yaw_rate", "reference_joint_pos"]
"""


@pytest.fixture
def folders(shared_data: Path) -> dict[str, Path]:
    policies = shared_data / "policies"
    if not policies.is_dir():
        pytest.skip("no published policies in the folder of public recordings")
    return {"policies": policies, "robots": shared_data / "robots"}


def figures_of(tmp_path: Path, text: str, g1: RobotModel, *words: str) -> dict:  # type: ignore[type-arg]
    names = ", ".join(f'"{name}"' for name in g1.body.kinematics.joints)
    policy = tmp_path / "policy.toml"
    one_line = text.replace(",\n  ", ", ")  # as TOML wants its tables
    policy.write_text(JOINTS.format(joints=names) + one_line)
    figures = tmp_path / "figures.json"
    main([*words, "--controller", f"policy:{policy}", "--json", str(figures)])
    return json.loads(figures.read_text())


@pytest.mark.slow
def test_a_published_walk_walks_at_the_speed_that_is_asked(
    g1: RobotModel, folders: dict[str, Path], tmp_path: Path
) -> None:
    text = VELOCITY.format(**folders)
    words = ("walk", "--speed", "1.0", "--duration", "12")
    figures = figures_of(tmp_path, text, g1, *words)
    assert not figures["fell"]
    assert figures["speed_error"] < 0.15
    assert abs(figures["mean_yaw_rate"]) < 0.05


@pytest.mark.slow
def test_a_published_tracker_walks_where_the_operator_walks(
    g1: RobotModel, folders: dict[str, Path], shared_motions: Path, tmp_path: Path
) -> None:
    text = TRACKER.format(**folders)
    clip = str(shared_motions / "cmu" / "02_01.bvh")
    figures = figures_of(tmp_path, text, g1, "follow", "--clip", clip)
    assert not figures["fell"]
    assert figures["way_asked"] > 2.0
    assert figures["way_done"] > 0.6 * figures["way_asked"]
    assert figures["joint_error_mean"] < 0.12


def test_drives_with_gains_give_what_these_make_of_their_set_points(
    g1: RobotModel,
) -> None:
    time = 0.0
    robot = SteppedMujocoRobot(g1, now=lambda: time, mount="free")
    robot.connect()
    state, n = robot.read_state(), g1.body.kinematics.n
    assert state is not None and robot.servos is not None
    rng = np.random.default_rng(5)
    kp, kd = rng.uniform(5.0, 20.0, n), rng.uniform(0.1, 0.5, n)
    q = np.clip(state.q + rng.uniform(-0.1, 0.1, n), g1.body.lower, g1.body.upper)
    tau = rng.uniform(-1.0, 1.0, n)
    robot.send(
        JointCommand(
            stamp=time,
            q=q,
            dq=np.zeros(n),
            tau=tau,
            gains=JointGains(kp=kp, kd=kd),
        )
    )
    before = robot.servos.simulation.true_state()
    q_before, dq_before = np.array(before.q), np.array(before.dq)
    time = robot.servos.simulation.timestep
    robot.read_state()
    given = robot.servos.simulation.applied_torques()[:n]
    expected = tau + kp * (q - q_before) - kd * dq_before
    assert np.abs(given - expected).max() < 1e-9
