"""Our readable step: Jacobians and daqp."""

from __future__ import annotations

import numpy as np
from telexist.benchmarks.peers.peer_models import body_name, urdf_text
from telexist.benchmarks.peers.peer_problem import SETTINGS, PeerProblem
from telexist.retarget.ik import OrientationTargets, PointTarget, Targets
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.witness import ReferenceIk

__all__ = ["ReferenceStep"]


class ReferenceStep:
    """The reference step with daqp."""

    def __init__(self, problem: PeerProblem) -> None:
        """Build the robot and all targets of a problem."""
        self._problem = problem
        kinematics = Kinematics(urdf_text(problem))
        # pinocchio sorts joints its own way
        self._order = np.array([int(name[1:]) for name in kinematics.joints])
        body = RobotBody(
            name="robot",
            kinematics=kinematics,
            fixed_base=False,
            links={},
            limb_directions={},
            points={},
            neutral=kinematics.neutral(),
            lower=problem.lower[self._order],
            upper=problem.upper[self._order],
            velocity=problem.velocity[self._order],
        )
        self._ik = ReferenceIk(body, SETTINGS)
        self._targets = [self._at(kinematics, k) for k in range(len(problem))]
        self.reset()

    def _at(self, kinematics: Kinematics, k: int) -> Targets:
        problem = self._problem
        turns = tuple(
            kinematics.frame(body_name(int(body))) for body in problem.oriented_bodies
        )
        return Targets(
            orientations=OrientationTargets(
                frames=turns,
                world_R_link=problem.rotations[k],
                angular_velocities=np.zeros((len(turns), 3)),
                axes=np.tile(np.eye(3), (len(turns), 1, 1)),
                weights=np.ones((len(turns), 3)),
            ),
            points=tuple(
                PointTarget(
                    frame=kinematics.frame(body_name(int(body))),
                    link_p_point=np.zeros(3),
                    world_p_goal=problem.places[k, i],
                    weights=np.ones(3),
                )
                for i, body in enumerate(problem.point_bodies)
            ),
        )

    def reset(self) -> None:
        """Go to the problem's start."""
        self._now = Configuration(
            world_p_base=self._problem.start_p,
            world_R_base=self._problem.start_R,
            q=self._problem.start_q[self._order],
        )

    def step(self, frame: int) -> None:
        """Set the targets of a frame, solve once, integrate."""
        self._now = self._ik.step(self._now, self._targets[frame], self._problem.dt)

    def configuration(self) -> Configuration:
        """Return where the robot is now."""
        q = np.empty(len(self._order))
        q[self._order] = self._now.q
        return Configuration(
            world_p_base=self._now.world_p_base,
            world_R_base=self._now.world_R_base,
            q=q,
        )
