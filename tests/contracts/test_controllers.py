"""Every controller, against the interface of controllers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import UnknownName
from telexist.robots.base.interface import RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.mujoco.model import build_mujoco
from telexist.robots.mujoco.simulation import Simulation
from telexist.teleop.controllers.base.interface import Controller
from telexist.teleop.controllers.base.table import CONTROLLERS, make_controller
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.walk_command import WalkCommand

DT = 0.01  # [s]
COMPILED = ("balance", "walk")
"""Those that compile what keeps a robot on its feet."""
WORDS = [
    pytest.param(word, marks=[pytest.mark.slow] if word in COMPILED else [])
    for word in CONTROLLERS
    if word != "policy"  # it needs a file: tests/teleop/controllers/policy
]


@pytest.fixture(params=WORDS)
def made(
    request: pytest.FixtureRequest,
    robot_of: Callable[[str], RobotModel],
    tmp_path: Path,
) -> tuple[Controller, RobotState]:
    """Return a controller and the state of a robot that stands at rest."""
    robot = robot_of("icub")
    word = request.param
    if word == "policy":
        word = f"policy:{write_policy(tmp_path / 'policy.onnx', robot)}"
    controller = make_controller(word, robot)
    simulation = Simulation(build_mujoco(robot), seed=1)
    simulation.reset(robot.body.neutral)
    return controller, simulation.read_state()


def write_policy(path: Path, robot: RobotModel) -> Path:
    """Write a network that stands: whatever it sees, its answer is zero."""
    onnx = pytest.importorskip("onnx")
    joints = robot.body.kinematics.joints
    n, kind, helper = len(joints), onnx.TensorProto.FLOAT, onnx.helper
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["obs", "W"], ["actions"])],
        "policy",
        [helper.make_tensor_value_info("obs", kind, [1, 9 + 3 * n])],
        [helper.make_tensor_value_info("actions", kind, [1, n])],
        [helper.make_tensor("W", kind, [9 + 3 * n, n], [0.0] * ((9 + 3 * n) * n))],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
    terms = "base_ang_vel,projected_gravity,command,joint_pos,joint_vel,actions"
    tables = {
        "joint_names": ",".join(joints),
        "joint_stiffness": ",".join(["50.0"] * n),
        "joint_damping": ",".join(["2.0"] * n),
        "default_joint_pos": ",".join(f"{q}" for q in robot.body.neutral.q),
        "action_scale": ",".join(["0.25"] * n),
        "observation_names": terms,
        "command_names": "twist",
    }
    helper.set_model_props(model, tables)
    onnx.save(model, str(path))
    return path


def reference(state: RobotState, **changes: object) -> RobotReference:
    n = len(state.q)
    usual = RobotReference(stamp=0.0, q=state.q, dq=np.zeros(n), ddq=np.zeros(n))
    return replace(usual, **changes)  # type: ignore[arg-type]


def test_a_controller_says_what_it_is_before_it_begins(
    made: tuple[Controller, RobotState],
) -> None:
    controller, _ = made
    assert controller.base in ("fixed", "free")
    assert isinstance(controller.walks, bool)
    assert 0.0 <= controller.period < 0.1  # 0: at the session's
    assert controller.fallen is None
    assert controller.base == "free" or not controller.walks


def test_commands_are_whole_finite_and_in_order(
    made: tuple[Controller, RobotState],
) -> None:
    controller, state = made
    controller.reset(state)
    for _ in range(3):
        command = controller.step(state, reference(state), DT)
        for values in (command.q, command.dq):
            assert values.shape == state.q.shape and np.isfinite(values).all()
        if controller.base == "free":
            assert command.torques.shape == state.q.shape
            assert np.isfinite(command.torques).all()
        report = controller.report()
        assert all(np.isfinite(v).all() for v in report.values.values())


def test_a_reference_that_is_no_number_is_no_command(
    made: tuple[Controller, RobotState],
) -> None:
    controller, state = made
    controller.reset(state)
    sane = controller.step(state, reference(state), DT)
    wild = np.full_like(state.q, np.nan)
    far = np.full_like(state.q, 1e9)
    for q in (wild, far):
        command = controller.step(state, reference(state, q=q, dq=q, ddq=q), DT)
        assert np.isfinite(command.q).all()
        if command.tau is not None:
            assert np.isfinite(command.tau).all()
    assert sane.q.shape == command.q.shape


def test_impossible_walks_are_cut_not_obeyed(
    made: tuple[Controller, RobotState],
) -> None:
    controller, state = made
    controller.reset(state)
    for walk in (WalkCommand(vx=1e6), WalkCommand(vx=float("nan"))):
        command = controller.step(state, reference(state, walk=walk), DT)
        assert np.isfinite(command.q).all()


def test_what_it_says_is_typed(made: tuple[Controller, RobotState]) -> None:
    controller, state = made
    controller.reset(state)
    controller.step(state, reference(state), DT)
    for event in controller.report().events:
        assert event.kind and isinstance(event.text, str)


def test_an_unknown_word_names_those_that_are_known(
    robot_of: Callable[[str], RobotModel],
) -> None:
    with pytest.raises(UnknownName, match="balance"):
        make_controller("balanse", robot_of("icub"))
