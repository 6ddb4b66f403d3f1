"""A robot on its own feet that does as a motion does, feet where the motion has them.

The whole-body QP is that of balance and walk. The plan is the motion's own: centre of
mass, angular momentum, feet and joints; no step is added and none is moved, for the
question is whether this motion can be played, not whether something like it can.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.geometry import rotation_vector
from telexist.teleop.controllers.parameters import PostureSettings, control_parameters
from telexist.teleop.controllers.playing.played_motion import PlayedFrame
from telexist.teleop.controllers.sensing import fall_reason
from telexist.teleop.controllers.terms import (
    FootTask,
    Measured,
    TaskWeights,
    WholeBodyTasks,
    measure,
    stay,
)
from telexist.teleop.controllers.whole_body import WholeBodyQp, WholeBodySolution

__all__ = ["MotionPlayer"]

FOLLOW_TIME = 0.2  # [s] in which the plan moves to where the feet really are
LEG_WEIGHT = 1.0  # of legs' joints: the motion's own are known to be together
ABOVE = 0.004  # [m] of a sole that is to carry and has not landed
LAND_SPEED = 0.15  # [m/s] at which it is put down
FRICTION = 0.7  # trusted of the floor, which has 0.8
PRESSURE = 0.95  # of the soles' size
MOST = 30.0  # [m/s^2] asked of the centre of mass
UP = np.array([0.0, 0.0, 1.0])


class MotionPlayer:
    """Torques for one frame of a motion after the other.

    Attributes:
        model: The robot at the last step's state.
        measured: What the last step saw.
        solution: What it found; None before the first.
        shift: Of the plan, to where the feet really are (2,) [m].
    """

    measured: Measured

    def __init__(self, robot: RobotModel, *, rate: float = 200.0) -> None:
        """Build the player of a robot with two feet.

        Args:
            robot: The robot.
            rate: Of `step` [Hz].

        Raises:
            BadInput: If the robot has no two feet.
        """
        self.model = DynamicsModel(robot)
        self._p = control_parameters(self.model).parameters
        self.period = 1.0 / rate
        self.qp = WholeBodyQp(self.model)
        groups, settings = self.model.actuators.groups, PostureSettings()
        self._joint_weight = np.array(
            [LEG_WEIGHT if g == "legs" else settings.walking.of(g) for g in groups]
        )
        soles = [robot.body.soles[side] for side in self.model.sides]
        self._half = [(0.5 * sole.length, 0.5 * sole.width) for sole in soles]
        self._kp = float(settings.stiffness)
        self._kd = 2.0 * np.sqrt(self._kp)
        b = self._p.body
        self._weights = TaskWeights(
            com=b.standing_com_weight, swing=b.swing_weight, base=b.base_weight
        )
        self.reset()

    def reset(self) -> None:
        """Begin a motion."""
        self.shift = np.zeros(2)
        self.solution: WholeBodySolution | None = None

    def step(self, state: RobotState, body: BodyState, wanted: PlayedFrame) -> Array:
        """Return torques (n,) for the next period.

        Args:
            state: What the soles feel.
            body: Where the robot is.
            wanted: What is asked now.
        """
        self.model.update(body)
        self.measured = seen = measure(self.model, state.foot_wrenches, self._p.omega)
        self._follow_feet(wanted)
        tasks = WholeBodyTasks(
            com_acc=self._com_acceleration(wanted),
            angular_rate=wanted.momentum_rate
            + self._p.angular_gain * (wanted.momentum - seen.angular_momentum),
            feet=(self._foot(wanted, 0), self._foot(wanted, 1)),
            base_acc=self._base_acceleration(wanted, body),
            joint_acc=wanted.ddq
            + self._kp * (wanted.state.q - body.q)
            + self._kd * (wanted.state.dq - body.dq),
            joint_weight=self._joint_weight,
            sole_share=PRESSURE,
            friction=FRICTION,
            weights=self._weights,
        )
        self.solution = self.qp.solve(tasks, body.q, body.dq)
        return self.solution.tau

    def fallen(self, body: BodyState, wanted: PlayedFrame) -> str:
        """Return why the robot falls, seen from where the motion is, or ""."""
        height = float(wanted.com[2] - wanted.sole_p[:, 2].min())
        upright = wanted.state.world_R_base[2]
        return fall_reason(
            self.measured, body.world_R_base, upright, height, self._p.fall
        )

    def _follow_feet(self, wanted: PlayedFrame) -> None:
        """Move the plan along with soles that stand elsewhere than planned."""
        on = [i for i in range(2) if wanted.carries[i] and self._landed(i)]
        if not on:
            return
        away = (self.measured.sole_p[on] - wanted.sole_p[on])[:, :2].mean(axis=0)
        self.shift += self.period / (self.period + FOLLOW_TIME) * (away - self.shift)

    def _landed(self, foot: int) -> bool:
        """Whether any corner of a sole is on the floor."""
        R, (x, y) = self.measured.sole_R[foot], self._half[foot]
        lowest = self.measured.sole_p[foot, 2] - abs(R[2, 0]) * x - abs(R[2, 1]) * y
        return bool(lowest < ABOVE)

    def _com_acceleration(self, wanted: PlayedFrame) -> Array:
        """Return the law of B.11a about the motion's own centre of mass (3,)."""
        p, seen = self._p, self.measured
        away = seen.com - wanted.com
        away[:2] -= self.shift
        slip = seen.com_vel - wanted.com_vel
        k, omega = p.dcm_gain, p.omega
        acc = wanted.com_acc - k * omega * away - (k + omega) * slip
        rise = p.com_height_gain
        acc[2] = wanted.com_acc[2] - rise * away[2] - 2.0 * np.sqrt(rise) * slip[2]
        return np.clip(acc, -MOST, MOST)

    def _base_acceleration(self, wanted: PlayedFrame, body: BodyState) -> Array:
        turn = rotation_vector(wanted.state.world_R_base @ body.world_R_base.T)
        spin = wanted.state.world_w_base - body.world_w_base
        b = self._p.body
        return wanted.base_acc + b.base_stiffness * turn + b.base_damping * spin

    def _foot(self, wanted: PlayedFrame, foot: int) -> FootTask:
        seen = self.measured
        if wanted.carries[foot] and self._landed(foot):
            return stay(seen, foot, UP)
        f = self._p.free_foot
        goal, speed = wanted.sole_p[foot].copy(), wanted.sole_v[foot].copy()
        acc = wanted.sole_acc[foot].copy()
        goal[:2] += self.shift
        if wanted.carries[foot]:  # late: down, and still
            speed[:], acc[:] = 0.0, 0.0
            goal[2], speed[2] = seen.sole_p[foot, 2], -LAND_SPEED
        turn = rotation_vector(wanted.sole_R[foot] @ seen.sole_R[foot].T)
        error = np.concatenate([goal - seen.sole_p[foot], turn])
        acc += f.stiffness * error + f.damping * (speed - seen.sole_v[foot])
        return FootTask(load=0.0, acc=acc)
