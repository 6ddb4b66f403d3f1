"""placo: a task-space IK library in C++, one QP a step."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from telexist.benchmarks.peers.peer_models import body_name, joint_name, urdf_text
from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.errors import MissingDependency
from telexist.retarget.kinematics import Configuration

__all__ = ["PlacoStep"]


class PlacoStep:
    """One `KinematicsSolver.solve` with joint and velocity limits."""

    def __init__(self, problem: PeerProblem) -> None:
        """Build model and tasks.

        Raises:
            MissingDependency: If placo is absent.
        """
        try:
            import placo
        except ImportError as error:
            raise MissingDependency(
                "placo", "pip install placo numba, in an environment of its own"
            ) from error
        self._problem = problem
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            path.write_text(urdf_text(problem), encoding="utf-8")
            self._robot: Any = placo.RobotWrapper(str(path))
        self._solver: Any = placo.KinematicsSolver(self._robot)
        self._solver.dt = problem.dt
        self._solver.enable_joint_limits(True)
        self._solver.enable_velocity_limits(True)
        self._solver.add_regularization_task(problem.damping)
        self._turns = [
            self._solver.add_orientation_task(body_name(int(body)), np.eye(3))
            for body in problem.oriented_bodies
        ]
        self._points = [
            self._solver.add_position_task(body_name(int(body)), np.zeros(3))
            for body in problem.point_bodies
        ]
        for i, task in enumerate([*self._turns, *self._points]):
            task.configure(f"task{i}", "soft", 1.0)

    def reset(self) -> None:
        """Go to the problem's start."""
        for i, value in enumerate(self._problem.start_q):
            self._robot.set_joint(joint_name(i), float(value))
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = self._problem.start_R, self._problem.start_p
        self._robot.set_T_world_fbase(pose)
        self._robot.update_kinematics()

    def step(self, frame: int) -> None:
        """Set the targets of a frame, solve once, integrate."""
        rotations = self._problem.rotations[frame]
        for task, R in zip(self._turns, rotations, strict=True):
            task.R_world_frame = R
        for task, p in zip(self._points, self._problem.places[frame], strict=True):
            task.target_world = p
        self._solver.solve(True)
        self._robot.update_kinematics()

    def configuration(self) -> Configuration:
        """Return where the robot is now."""
        pose = self._robot.get_T_world_fbase()
        n = len(self._problem.lower)
        return Configuration(
            world_p_base=pose[:3, 3].copy(),
            world_R_base=pose[:3, :3].copy(),
            q=np.array([self._robot.get_joint(joint_name(i)) for i in range(n)]),
        )
