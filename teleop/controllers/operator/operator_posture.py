"""What the operator's posture asks of the robot: joints, trunk, and a lifted foot."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.operator.free_foot import SoleGoal
from telexist.teleop.controllers.operator.posture_task import PostureTask
from telexist.teleop.controllers.operator.reference_stance import ReferenceStance
from telexist.teleop.controllers.operator.trunk_goal import TrunkGoal
from telexist.teleop.controllers.operator.weight_limit import WeightLimit
from telexist.teleop.controllers.parameters import PostureSettings, StandingRobot
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    RobotReference,
)

__all__ = ["OperatorPosture"]

_NOT_FINITE = ControllerEvent(ControllerEventKind.REFERENCE, "not finite: held")


class OperatorPosture:
    """Follows the references as far as legs, drives and the floor allow.

    Attributes:
        joints: The joints' own goals.
        trunk: Height of the centre of mass, and lean of the base.
    """

    def __init__(
        self,
        robot: RobotModel,
        standing: StandingRobot,
        settings: PostureSettings,
    ) -> None:
        """Prepare.

        Args:
            robot: The robot.
            standing: How it stands ready.
            settings: How firmly its joints follow.
        """
        self._model = model = DynamicsModel(robot)
        ready = standing.posture
        R, parameters = ready.world_R_base, standing.parameters
        self.joints = PostureTask(model, ready.q, settings)
        self.trunk = TrunkGoal(
            R, parameters.com_height, standing.lowest, parameters.trunk
        )
        self._stance = ReferenceStance(model)
        self._limit = WeightLimit(model, R)
        self._load_compiled(ready)
        self.reset()

    def _load_compiled(self, ready: Configuration) -> None:
        """Take a step: what is compiled is loaded before time matters."""
        still = np.zeros_like(ready.q)
        reference = RobotReference(stamp=0.0, q=ready.q, dq=still, ddq=still)
        state = BodyState(
            world_p_base=np.zeros(3),
            world_R_base=np.array(ready.world_R_base, order="C"),
            q=np.array(ready.q),
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
            dq=still,
        )
        self._finite = True
        self.step(reference, state, 1.0, standing=True, one_foot=False)
        self.joints.accelerations(state, self._model)

    def reset(self) -> None:
        """Stand ready, at rest."""
        self.joints.reset()
        self.trunk.reset()
        self._limit.reset()
        self._finite = True

    def step(
        self,
        reference: RobotReference,
        state: BodyState,
        dt: float,
        *,
        standing: bool,
        one_foot: bool,
        stoop: float = 0.0,
        tallest: float = math.inf,
    ) -> list[ControllerEvent]:
        """Take a reference for the next dt [s]; return what is to be told.

        Args:
            reference: What the operator asks.
            state: Of the robot.
            dt: Step [s].
            standing: Whether trunk and legs follow; if not, they go to stand ready.
            one_foot: Whether one leg carries all.
            stoop: How much lower the robot is if it does not stand [m].
            tallest: Height of the centre of mass that the legs reach [m].
        """
        joints = self.joints
        finite = joints.take(reference)
        self._limit.step(state.q, state.world_R_base, dt)
        joints.shift(self._limit.offset, self._limit.rate)
        self._stance.update(joints.q, joints.dq)
        lean, stance = 1.0, None
        if standing:
            stance = self._stance.stance(reference.planted)
            lean = self._limit.lean(joints.q, stance.floor_R_base)
        self.trunk.step(
            stance, dt, lean=lean, one_foot=one_foot, stoop=stoop, tallest=tallest
        )
        begins, self._finite = self._finite and not finite, finite
        return [_NOT_FINITE] if begins else []

    def follow_joints(self, reference: RobotReference) -> list[ControllerEvent]:
        """Take a reference for the joints alone: the trunk does something else."""
        finite = self.joints.take(reference)
        begins, self._finite = self._finite and not finite, finite
        return [_NOT_FINITE] if begins else []

    def sole(self, foot: int, state: BodyState) -> SoleGoal:
        """Return where the operator's leg has a sole, seen from the robot's base."""
        R, seen = state.world_R_base, self._stance
        v = seen.base_v_sole[foot]
        return SoleGoal(
            p=state.world_p_base + R @ seen.base_p_sole[foot],
            R=R @ seen.base_R_sole[foot],
            v=np.concatenate([R @ v[:3], R @ v[3:]]),
        )
