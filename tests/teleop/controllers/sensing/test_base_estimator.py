from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.robots.base.interface import RobotState
from telexist.robots.description.robot_model import load_robot
from telexist.robots.drives.actuators import GRAVITY
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.teleop.controllers.parameters.parameters import control_parameters
from telexist.teleop.controllers.sensing.base_estimator import BaseEstimator
from telexist.teleop.terms.walk_command import WalkCommand


def reading(body: BodyState, stamp: float, wrenches: np.ndarray) -> RobotState:
    """Perfect sensors of a body that turns steadily."""
    R = body.world_R_base
    return RobotState(
        stamp=stamp,
        q=body.q,
        dq=body.dq,
        tau=np.zeros_like(body.q),
        imu_acceleration=R.T @ np.array([0.0, 0.0, GRAVITY]),
        imu_angular_velocity=R.T @ body.world_w_base,
        imu_world_R_base=R,
        foot_wrenches=wrenches,
    )


def test_a_robot_that_rocks_on_its_toes_is_seen_to_move_forward() -> None:
    """Turning stiffly about the toes, the base has velocity w x r: the witness."""
    robot = load_robot("icub")
    model = DynamicsModel(robot)
    posture = control_parameters(model).posture
    still = BodyState(
        world_p_base=posture.world_p_base,
        world_R_base=posture.world_R_base,
        q=posture.q,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=np.zeros_like(posture.q),
    )
    model.update_positions(still)
    frames = model.sole_frames()
    reach = 0.5 * robot.body.soles["left"].length
    toe = np.mean([model.position(f) for f in frames], axis=0)
    toe = toe + model.rotation(frames[0])[:, 0] * reach
    half = 0.5 * model.mass * GRAVITY
    on_toes = np.array([[0.0, 0.0, half, 0.0, -reach * half, 0.0]] * 2)
    flat = on_toes.copy()
    flat[:, 4] = 0.0
    w = np.array([0.0, 0.2, 0.0])
    turning = replace(still, world_w_base=w)
    true = np.cross(w, posture.world_p_base - toe)
    found = {}
    for name, wrenches in (("toes", on_toes), ("flat", flat)):
        estimator = BaseEstimator(DynamicsModel(robot))
        estimator.reset(reading(still, 0.0, wrenches))
        seen = still
        for i in range(60):
            seen = estimator.step(
                reading(turning, 0.005 * i, wrenches), np.zeros(model.n), 0.005
            )
        found[name] = np.linalg.norm(seen.world_v_base - true)
    assert found["toes"] < 2e-3
    assert found["flat"] > 5.0 * found["toes"]


@pytest.mark.slow
def test_a_walking_robot_does_not_climb(world: Callable) -> None:
    """Soles and floor give by a millimetre at each step: 40 steps would show 4 cm."""
    w = world("g1")
    walk = WalkCommand(vx=0.3)
    w.run(4.0, walk=walk)

    def error() -> float:
        true = w.simulation.true_reading().world_p_base
        return float(w.controller.state.world_p_base[2] - true[2])

    start = error()
    w.run(16.0, walk=walk)
    assert abs(error() - start) < 0.01
