"""A simulated robot with its own drives' electronics: servos, hands, and a watchdog.

Commands without torques are followed by position servos (`servos.py`). Their
set-points are interpolated and bounded (`drives/set_points.py`), and they know the
inertia that these accelerate and the damping of their joints, so that the joints do
what the set-points do. A command with torques is given to the drives as it is. When no
new one comes in time a robot on its feet is held where that one had its joints, and the
drives only damp when that has lasted too long.

A bolted robot touches nothing, and its weight is carried: by the torque that balances
gravity and velocities, as by the springs of Baxter's shoulders, whose drives alone
could not hold its arms. That torque is part of what the joints' torque sensors say.

Time is the host's.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.robots.base import HandCommand, JointCommand, RobotState
from telexist.robots.description import RobotModel
from telexist.robots.drives import Bounds, Grips, SetPoints
from telexist.robots.mujoco import (
    HOLD_AFTER,
    NO_NOISE,
    Mount,
    MujocoModel,
    SensorNoise,
    Simulation,
    build_mujoco,
    drive_bounds,
    hold_gains,
)
from telexist.robots.mujoco.robot.servos import servo_gains

__all__ = ["ServoSimulation"]

PERIOD = 0.005  # [s] between two commands, unless told otherwise
UNNEEDED = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_EQUALITY
"""By a bolted robot: it touches nothing, and servos keep coupled joints together."""
HARD_STOP = 0.02  # [rad] or [m] that a bolted robot's joints end beyond their limits
TORQUE_DEADLINE = 0.5  # [s] after which torques are too old to be applied


class ServoSimulation:
    """Steps a robot to a time on the host's clock; used by one thread only.

    Attributes:
        simulation: The robot in its world.
        skipped: Time left out because the host was too slow [s].
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        mount: Mount = "pole",
        noise: SensorNoise | None = None,
        seed: int = 0,
        bounds: Bounds | None = None,
        period: float = PERIOD,
    ) -> None:
        """Put the robot at its neutral posture, holding it, hands open.

        Args:
            robot: The robot.
            mount: How its base is held.
            noise: How bad its sensors are; None makes them perfect and tells the base.
            seed: Of the noise.
            bounds: What the servos' set-points obey; None takes the robot's own.
            period: Time between two commands, about [s].

        Raises:
            BadModel: If MuJoCo refuses the model.
        """
        self._grips = Grips(robot, period=period)
        model = build_mujoco(robot, mount=mount, unlocked=self._grips.joints)
        if mount != "free":
            model.model.opt.disableflags |= UNNEEDED
            model.model.jnt_range += HARD_STOP * np.array([-1.0, 1.0])
        self.simulation = Simulation(model, noise=noise or NO_NOISE, seed=seed)
        self._open_hands(robot.body.kinematics.n)
        self._perfect = noise is None
        self._bolted = mount != "free"
        self._gains = servo_gains(model)
        self._dofs = model.dof_of_joints
        self._ddq, self._tau = np.zeros((2, self.simulation.model.nv))  # in work
        self._damping, self._effort = model.actuators.damping, model.actuators.effort
        self._trees = _trees(model)
        self._set_points = SetPoints(
            robot.body,
            bounds or drive_bounds(robot),
            period=period,
            timestep=self.simulation.timestep,
        )
        self._torques: JointCommand | None = None
        self._carried = np.zeros(len(self._dofs))  # beside what servos do [N m]
        self._origin: float | None = None
        self.skipped = 0.0

    def _open_hands(self, n: int) -> None:
        data, model = self.simulation.data, self.simulation.mujoco_model
        data.qpos[model.qpos_of_joints[n:]] = self._grips.q
        mujoco.mj_forward(self.simulation.model, data)

    @property
    def hands(self) -> HandCommand:
        """How far the hands are closed now."""
        left, right = self._grips.closed
        return HandCommand(left=float(left), right=float(right))

    def command(self, command: JointCommand) -> None:
        """Follow an accepted command from now on."""
        if command.hands is not None:
            self._grips.want(command.hands)
        if command.tau is not None:
            self._torques = command
            return
        if self._torques is not None:
            self._set_points.reset(self.simulation.true_state().q)
            self._torques = None
        self._set_points.take(command)

    def stand_up(self, posture: Configuration) -> None:
        """Put the robot on its feet, at rest, its drives holding the posture."""
        self.simulation.place(posture)
        self._set_points.reset(posture.q)
        self._torques = None

    def advance_to(self, now: float, *, most: float = float("inf")) -> int:
        """Let the world go on to a time.

        Args:
            now: Time of the host's clock [s].
            most: Longest time to catch up with [s]; what is more is skipped.

        Returns:
            The number of steps.
        """
        if self._origin is None:
            self._origin = now - self.simulation.time
        dt = self.simulation.timestep
        late = now - self._origin - self.simulation.time
        if late > most:
            self._origin += late - most
            self.skipped += late - most
            late = most
        count = max(int(late / dt + 1e-6), 0)
        for _ in range(count):
            self._drive(dt)
            self.simulation.advance(dt)
        return count

    def read_state(self) -> RobotState:
        """Return what the sensors say, stamped by the host's clock."""
        simulation = self.simulation
        if self._perfect:
            state = simulation.true_reading()
        else:
            state = simulation.read_state()
            if self._bolted:
                true = simulation.true_state()
                state = replace(
                    state,
                    world_p_base=true.world_p_base,
                    world_R_base=true.world_R_base,
                    world_v_base=np.zeros(3),
                    world_w_base=np.zeros(3),
                )
        tau = state.tau + self._carried[: len(state.q)]
        return replace(state, stamp=state.stamp + (self._origin or 0.0), tau=tau)

    def _drive(self, dt: float) -> None:
        self._grips.step(dt)
        now = (self._origin or 0.0) + self.simulation.time
        self._carried[:] = self._weight() if self._bolted else 0.0
        if self._torques is None:
            self._set_points.step(now)
            self._follow_set_points()
        else:
            self.simulation.data.qfrc_applied[self._dofs] = self._carried
            self._give_torques(self._torques, now - self._torques.stamp)

    def _weight(self) -> Array:
        """Return what balances gravity and velocities (n,) [N m]."""
        model, data = self.simulation.model, self.simulation.data
        mujoco.mj_step1(model, data)  # else it is that of one step ago
        return np.array(data.qfrc_bias[self._dofs])

    def _follow_set_points(self) -> None:
        """Move joints and fingers as they should; servos mend what is left."""
        points, fingers, kd = self._set_points, self._grips, self._gains.kd
        tau = self._torques_of(points, fingers)
        share = self._possible_share(tau[: len(points.q)])
        if share.min() < 1.0:
            points.go_slower(share)
            tau = self._torques_of(points, fingers)
        self._carried += tau
        # MuJoCo damps at the end of a step, not before
        change = self.simulation.timestep * np.concatenate([points.ddq, fingers.ddq])
        self.simulation.data.qfrc_applied[self._dofs] = self._carried + kd * change
        self.simulation.set_servos(
            np.concatenate([points.q, fingers.q]),
            kp=self._gains.kp,
            kd=kd,
            dq=np.concatenate([points.dq, fingers.dq]) - change,
        )

    def _torques_of(self, points: SetPoints, fingers: Grips) -> Array:
        """Return what moves joints and fingers so, for all of them [N m]."""
        simulation = self.simulation
        self._ddq[self._dofs] = np.concatenate([points.ddq, fingers.ddq])
        mujoco.mj_mulM(simulation.model, simulation.data, self._tau, self._ddq)
        dq = np.concatenate([points.dq, fingers.dq])
        return self._tau[self._dofs] + self._damping * dq

    def _possible_share(self, tau: Array) -> Array:
        """Return the share of the accelerations that the drives can make (n,).

        Joints that load each other share it, so that none is thrown by another.
        """
        effort = self._effort[: len(tau)]
        share = np.minimum(effort / np.maximum(np.abs(tau), 1e-9), 1.0)
        if share.min() < 1.0:
            least = np.ones(self.simulation.model.ntree)
            np.minimum.at(least, self._trees, share)
            return least[self._trees]
        return share

    def _give_torques(self, command: JointCommand, age: float) -> None:
        """Give torques to the body's drives; the fingers keep their servos."""
        n, fresh, fingers = len(command.torques), age <= TORQUE_DEADLINE, self._grips
        kp, kd = self._gains.kp.copy(), self._gains.kd.copy()
        kp[:n] = 0.0
        kd[:n] *= not fresh
        if fresh and age > HOLD_AFTER and not self._bolted:
            kp[:n], kd[:n] = hold_gains(self._effort[:n])
        gains, dq = command.gains, np.zeros(n)
        if fresh and gains is not None and not self._bolted:
            kp[:n], kd[:n], dq = gains.kp, gains.kd, command.dq
        self.simulation.set_servos(
            np.concatenate([command.q, fingers.q]),
            kp=kp,
            kd=kd,
            dq=np.concatenate([dq, fingers.dq]),
            tau=np.concatenate([command.torques * fresh, np.zeros(len(fingers.q))]),
        )


def _trees(model: MujocoModel) -> np.ndarray:
    """Return which of the body's joints load each other: one number for those (n,)."""
    body = model.robot.body
    trees = np.array(model.model.dof_treeid[model.dof_of_joints[: body.kinematics.n]])
    for mimic in body.mimics:
        joint, leader = map(body.kinematics.index, (mimic.joint, mimic.leader))
        trees[trees == trees[joint]] = trees[leader]
    return trees
