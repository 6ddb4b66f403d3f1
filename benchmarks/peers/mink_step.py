"""mink: differential IK on MuJoCo, one QP a step."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.benchmarks.peers.peer_models import body_name, joint_name, mjcf_text
from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.errors import MissingDependency
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import quat_wxyz_from_rotation, rotation_from_quat_wxyz

__all__ = ["MinkDaqp", "MinkQuadprog"]


class MinkStep:
    """One `mink.solve_ik` with configuration and velocity limits."""

    solver = ""

    def __init__(self, problem: PeerProblem) -> None:
        """Build model, tasks, limits and all targets.

        Raises:
            MissingDependency: If mink is absent.
        """
        try:
            import mink
            import mujoco
        except ImportError as error:
            raise MissingDependency("mink", "pip install 'telexist[bench]'") from error
        self._mink: Any = mink
        self._problem = problem
        model: Any = mujoco.MjModel.from_xml_string(mjcf_text(problem))
        joints = [joint_name(i) for i in range(len(problem.lower))]
        self._places = np.array([model.joint(name).qposadr[0] for name in joints])
        self._configuration = mink.Configuration(model)
        self._limits = [
            mink.ConfigurationLimit(model),
            mink.VelocityLimit(
                model,
                {name: problem.velocity[i : i + 1] for i, name in enumerate(joints)},
            ),
        ]
        self._tasks, self._targets = self._make_tasks()

    def _make_tasks(self) -> tuple[list[Any], list[list[Any]]]:
        mink, problem = self._mink, self._problem
        turns = {int(body): i for i, body in enumerate(problem.oriented_bodies)}
        points = {int(body): i for i, body in enumerate(problem.point_bodies)}
        bodies = sorted({*turns, *points})
        tasks = [
            mink.FrameTask(
                frame_name=body_name(body),
                frame_type="body",
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
                turn = mink.SO3(quat_wxyz_from_rotation(R))
                row.append(mink.SE3.from_rotation_and_translation(turn, p))
            targets.append(row)
        return tasks, targets

    def reset(self) -> None:
        """Go to the problem's start."""
        q = np.zeros(self._configuration.nq)
        q[:3] = self._problem.start_p
        q[3:7] = quat_wxyz_from_rotation(self._problem.start_R)
        q[self._places] = self._problem.start_q
        self._configuration.update(q)

    def step(self, frame: int) -> None:
        """Set the targets of a frame, solve once, integrate."""
        for task, target in zip(self._tasks, self._targets[frame], strict=True):
            task.set_target(target)
        velocity = self._mink.solve_ik(
            self._configuration,
            self._tasks,
            self._problem.dt,
            self.solver,
            damping=self._problem.damping,
            limits=self._limits,
        )
        self._configuration.integrate_inplace(velocity, self._problem.dt)

    def configuration(self) -> Configuration:
        """Return where the robot is now."""
        q = np.array(self._configuration.q)
        return Configuration(
            world_p_base=q[:3],
            world_R_base=rotation_from_quat_wxyz(q[3:7]),
            q=q[self._places],
        )


class MinkDaqp(MinkStep):
    """With daqp."""

    solver = "daqp"


class MinkQuadprog(MinkStep):
    """With quadprog."""

    solver = "quadprog"
