"""Pink: differential IK on pinocchio, one QP a step."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.benchmarks.peers.peer_models import body_name, joint_name, urdf_text
from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.errors import MissingDependency
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import quat_wxyz_from_rotation, rotation_from_quat_wxyz

__all__ = ["PinkDaqp", "PinkQuadprog"]


class PinkStep:
    """One `pink.solve_ik` with the model's configuration and velocity limits."""

    solver = ""

    def __init__(self, problem: PeerProblem) -> None:
        """Build model, tasks and all targets.

        Raises:
            MissingDependency: If pink is absent.
        """
        try:
            import pink
            import pinocchio as pin
        except ImportError as error:
            raise MissingDependency(
                "pin-pink", "pip install 'telexist[bench]'"
            ) from error
        self._pink: Any = pink
        self._pin: Any = pin
        self._problem = problem
        model: Any = pin.buildModelFromXML(
            urdf_text(problem), pin.JointModelFreeFlyer()
        )
        joints = [model.getJointId(joint_name(i)) for i in range(len(problem.lower))]
        self._places = np.array([model.joints[joint].idx_q for joint in joints])
        self._configuration = pink.Configuration(
            model, model.createData(), pin.neutral(model)
        )
        self._tasks, self._targets = self._make_tasks()

    def _make_tasks(self) -> tuple[list[Any], list[list[Any]]]:
        from pink.tasks import FrameTask

        problem = self._problem
        turns = {int(body): i for i, body in enumerate(problem.oriented_bodies)}
        points = {int(body): i for i, body in enumerate(problem.point_bodies)}
        bodies = sorted({*turns, *points})
        tasks = [
            FrameTask(
                body_name(body),
                position_cost=1.0 if body in points else 0.0,
                orientation_cost=1.0 if body in turns else 0.0,
            )
            for body in bodies
        ]
        targets = []
        for k in range(len(problem)):
            row = []
            for body in bodies:
                R = problem.rotations[k, turns[body]] if body in turns else np.eye(3)
                p = problem.places[k, points[body]] if body in points else np.zeros(3)
                row.append(self._pin.SE3(R, p))
            targets.append(row)
        return tasks, targets

    def reset(self) -> None:
        """Go to the problem's start."""
        q = self._configuration.q.copy()
        q[:3] = self._problem.start_p
        quat_wxyz = quat_wxyz_from_rotation(self._problem.start_R)
        q[3:6], q[6] = quat_wxyz[1:], quat_wxyz[0]
        q[self._places] = self._problem.start_q
        self._configuration.update(q)

    def step(self, frame: int) -> None:
        """Set the targets of a frame, solve once, integrate."""
        for task, target in zip(self._tasks, self._targets[frame], strict=True):
            task.set_target(target)
        velocity = self._pink.solve_ik(
            self._configuration,
            self._tasks,
            self._problem.dt,
            self.solver,
            damping=self._problem.damping,
            safety_break=False,
        )
        self._configuration.integrate_inplace(velocity, self._problem.dt)

    def configuration(self) -> Configuration:
        """Return where the robot is now."""
        q = np.array(self._configuration.q)
        quat_wxyz = np.array([q[6], *q[3:6]])
        return Configuration(
            world_p_base=q[:3],
            world_R_base=rotation_from_quat_wxyz(quat_wxyz),
            q=q[self._places],
        )


class PinkDaqp(PinkStep):
    """With daqp."""

    solver = "daqp"


class PinkQuadprog(PinkStep):
    """With quadprog."""

    solver = "quadprog"
