"""Who says where to walk, and what is refused."""

from __future__ import annotations

import pytest
from telexist.retarget.errors import BadInput
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.walk_inputs import follows_own_steps, input_devices


def test_own_steps_need_a_robot_that_walks() -> None:
    for controller in ("servo", "balance"):
        plan = SessionPlan(inputs=("own-steps",), controller=controller)
        with pytest.raises(BadInput, match=r"--controller walk, not"):
            input_devices(plan)
    plan = SessionPlan(inputs=("own-steps",), controller="walk")
    assert follows_own_steps(plan)
    assert input_devices(plan) == []


def test_only_one_says_where_to_walk() -> None:
    plan = SessionPlan(inputs=("own-steps", "keyboard"), controller="walk")
    with pytest.raises(BadInput, match=r"own-steps and keyboard both say where"):
        input_devices(plan)
    only = SessionPlan(
        inputs=("own-steps", "keyboard?only=requests"), controller="walk"
    )
    assert len(input_devices(only)) == 1
    assert not follows_own_steps(SessionPlan(inputs=("keyboard",)))
