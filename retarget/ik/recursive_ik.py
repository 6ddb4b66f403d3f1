"""The dynamical IK step as one compiled call, exact and O(n) in the joints.

Does what `ReferenceIk` does, without Jacobians and without a QP solver: see
`retarget/ik/articulated.py` for the recursion and `retarget/ik/bounded.py` for the
limits.
"""

from __future__ import annotations

import numpy as np

from retarget.errors import QpFailed
from retarget.ik.limits import StepBounds
from retarget.ik.mechanism import Mechanism, make_mechanism
from retarget.ik.recursive_step import limit_step, step_recursively
from retarget.ik.settings import IkSettings
from retarget.ik.targets import Targets
from retarget.kinematics import Configuration, Kinematics
from retarget.robot_body import RobotBody

__all__ = ["RecursiveIk"]


class RecursiveIk:
    """Moves one robot towards targets, step by step, inside its limits."""

    def __init__(self, body: RobotBody, settings: IkSettings | None = None) -> None:
        """Prepare the solver for a robot."""
        self.settings = settings or IkSettings()
        self._body = body

    def step(
        self,
        start: Configuration,
        targets: Targets,
        dt: float,
        *,
        bounds: StepBounds | None = None,
    ) -> Configuration:
        """Move from `start` towards the targets in one step of dt.

        Args:
            start: Configuration at the start of the step.
            targets: Wanted at the end of the step.
            dt: Length of the step [s].
            bounds: Displacement allowed to the joints; from the limits if None.

        Returns:
            Configuration at the end of the step, inside all limits.

        Raises:
            QpFailed: If the limits contradict each other.
        """
        mechanism = self._laid_out(targets)
        bodies = mechanism.bodies
        bodies[0]["R"], bodies[0]["p"] = start.world_R_base, start.world_p_base
        bodies["q"][1:] = start.q
        if bounds is None:
            limit_step(mechanism, dt)
        else:
            bodies["low"][1:], bodies["high"][1:] = bounds.lower, bounds.upper
        if not step_recursively(mechanism, dt):
            raise QpFailed("the active set of a step did not settle")
        return Configuration(
            world_p_base=bodies[0]["p"].copy(),
            world_R_base=bodies[0]["R"].copy(),
            q=bodies["q"][1:].copy(),
        )

    def _laid_out(self, targets: Targets) -> Mechanism:
        """Return the robot with targets on links put on the bodies that carry them."""
        kinematics: Kinematics = self._body.kinematics
        wanted = targets.orientations
        mechanism = make_mechanism(
            self._body,
            self.settings,
            turns=len(wanted.frames),
            points=len(targets.points),
            floor=sum(len(guard.link_p_points) for guard in targets.floor),
        )
        for k, frame in enumerate(wanted.frames):
            turn, axes = mechanism.turns[k], wanted.axes[k]
            turn["body"], body_R_link, _ = kinematics.attachment(frame)
            turn["rotation"] = wanted.world_R_link[k] @ body_R_link.T
            turn["velocity"] = wanted.angular_velocities[k]
            turn["weight"] = axes @ np.diag(wanted.weights[k]) @ axes.T
        for record, point in zip(mechanism.points, targets.points, strict=True):
            record["body"], R, p = kinematics.attachment(point.frame)
            record["point"] = p + R @ point.link_p_point
            record["goal"], record["weight"] = point.world_p_goal, point.weights
        spots = iter(mechanism.floor)
        for guard in targets.floor:
            for link_p_point in guard.link_p_points:
                spot = next(spots)
                spot["body"], R, p = kinematics.attachment(guard.frame)
                spot["point"] = p + R @ link_p_point
        return mechanism
