"""Hands that reach where they are to be, by another model's answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel, reaching_posture


def hands_at(model: DynamicsModel, q: np.ndarray) -> dict[str, np.ndarray]:
    """Return where the hands are, by the dynamics' model."""
    body = model.robot.body
    model.update(
        BodyState(
            world_p_base=body.neutral.world_p_base,
            world_R_base=body.neutral.world_R_base,
            q=q,
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
            dq=np.zeros(len(q)),
        )
    )
    return {
        side: model.position(model.frame(hand)) for side, hand in body.hands.items()
    }


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_both_hands_are_where_they_are_to_be_and_legs_stay(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    body, model = robot.body, DynamicsModel(robot)
    start, way = body.neutral, body.leg_length * np.array([0.2, 0.0, 0.15])
    places = {s: p + way for s, p in hands_at(model, start.q).items()}
    found = reaching_posture(robot, start, places)
    for side, place in hands_at(model, found.q).items():
        assert np.linalg.norm(places[side] - place) < 1e-3
    legs = np.array(model.actuators.groups) == "legs"
    assert np.array_equal(found.q[legs], start.q[legs])
    assert (found.q >= body.lower - 1e-12).all()
    assert (found.q <= body.upper + 1e-12).all()


def test_a_place_out_of_reach_is_refused(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    far = np.array([3.0, 0.0, 1.0])
    with pytest.raises(BadInput, match="stay"):
        reaching_posture(robot, robot.body.neutral, {"left": far})
    with pytest.raises(BadInput, match="no third hand"):
        reaching_posture(robot, robot.body.neutral, {"third": far})
