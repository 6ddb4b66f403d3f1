"""Tiny networks, written as a trainer would."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import ModelNotFound
from telexist.robots.description.robot_model import RobotModel, load_robot

JOINT_SEED = 7


@pytest.fixture(scope="session")
def g1() -> RobotModel:
    try:
        return load_robot("g1")
    except ModelNotFound as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def joints(g1: RobotModel) -> tuple[str, ...]:
    """Return G1's joints in an order that is nobody's."""
    names = g1.body.kinematics.joints
    order = np.random.default_rng(JOINT_SEED).permutation(len(names))
    return tuple(names[i] for i in order)


@pytest.fixture
def write_network(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes answer = W sqrt(1e4 - x) as an ONNX file.

    A number above 1e4 in the observation makes the answer no number.
    """
    onnx = pytest.importorskip("onnx")

    def write(
        inputs: int,
        outputs: int,
        *,
        weight: float = 0.0,
        metadata: Mapping[str, str] | None = None,
        name: str = "policy.onnx",
    ) -> Path:
        kind = onnx.TensorProto.FLOAT
        helper = onnx.helper
        graph = helper.make_graph(
            [
                helper.make_node("Sub", ["most", "obs"], ["rest"]),
                helper.make_node("Sqrt", ["rest"], ["root"]),
                helper.make_node("MatMul", ["root", "W"], ["actions"]),
            ],
            "policy",
            [helper.make_tensor_value_info("obs", kind, [1, inputs])],
            [helper.make_tensor_value_info("actions", kind, [1, outputs])],
            [
                helper.make_tensor("most", kind, [1], [1e4]),
                helper.make_tensor(
                    "W", kind, [inputs, outputs], [weight] * (inputs * outputs)
                ),
            ],
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
        )
        helper.set_model_props(model, dict(metadata or {}))
        path = tmp_path / name
        onnx.save(model, str(path))
        return path

    return write
