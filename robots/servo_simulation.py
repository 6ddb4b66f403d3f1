"""A simulated robot with its own drives' electronics: servos, hands, and a watchdog.

A command without torques is followed by position servos (`robots/servos.py`); between
two commands they go on with its velocity, for a few milliseconds, and they know the
inertia that the commands accelerate. A command with torques
is given to the drives as it is, and when no new one comes in time the drives only damp.

A bolted robot touches nothing, and its weight is carried: by the torque that balances
gravity and velocities, as by the springs of Baxter's shoulders, whose drives alone
could not hold its arms. That torque is part of what the joints' torque sensors say.

Time is the host's.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from retarget.so3 import Array
from robots.body import Robot
from robots.grips import Grips
from robots.interface import HandCommand, JointCommand, RobotState
from robots.mujoco_model import Mount, build_mujoco
from robots.sensors import NO_NOISE, SensorNoise
from robots.servos import servo_gains
from robots.simulation import Simulation

__all__ = ["ServoSimulation"]

AHEAD = 0.02  # [s] that servos go on with a command's velocity
SHORTEST = 0.001  # [s] between two commands whose accelerations mean something
TORQUE_DEADLINE = 0.1  # [s] after which torques are too old to be applied


class ServoSimulation:
    """Steps a robot to a time on the host's clock; used by one thread only.

    Attributes:
        simulation: The robot in its world.
        skipped: Time left out because the host was too slow [s].
    """

    def __init__(
        self,
        robot: Robot,
        *,
        mount: Mount = "pole",
        noise: SensorNoise | None = None,
        seed: int = 0,
    ) -> None:
        """Put the robot at its neutral posture, holding it, hands open.

        Args:
            robot: The robot.
            mount: How its base is held.
            noise: How bad its sensors are; None makes them perfect and tells the base.
            seed: Of the noise.

        Raises:
            BadModel: If MuJoCo refuses the model.
        """
        self._grips = Grips(robot)
        model = build_mujoco(robot, mount=mount, unlocked=self._grips.joints)
        if mount != "free":
            model.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        self.simulation = Simulation(model, noise=noise or NO_NOISE, seed=seed)
        self._open_hands(robot.body.kinematics.n)
        self._perfect = noise is None
        self._bolted = mount != "free"
        self._gains = servo_gains(model)
        self._dofs = model.dof_of_joints
        self._lower, self._upper = robot.body.lower, robot.body.upper
        n = robot.body.kinematics.n
        self._command = JointCommand(
            stamp=0.0, q=robot.body.neutral.q, dq=np.zeros(n), hands=HandCommand()
        )
        self._ddq = np.zeros(len(model.joints))  # of the newest commands
        self._origin: float | None = None
        self.skipped = 0.0

    def _open_hands(self, n: int) -> None:
        data, model = self.simulation.data, self.simulation.mujoco_model
        data.qpos[model.qpos_of_joints[n:]] = self._grips.step(0.0)
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
        dt = command.stamp - self._command.stamp
        apart = SHORTEST <= dt <= AHEAD
        change = command.dq - self._command.dq
        self._ddq[: len(change)] = change / dt if apart else 0.0
        self._command = command

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
                    base_v=np.zeros(3),
                    base_w=np.zeros(3),
                )
        tau = state.tau + self.simulation.data.qfrc_applied[self._dofs[: len(state.q)]]
        return replace(state, stamp=state.stamp + (self._origin or 0.0), tau=tau)

    def _drive(self, dt: float) -> None:
        fingers = self._grips.step(dt)
        data = self.simulation.data
        if self._bolted:
            data.qfrc_applied[self._dofs] = data.qfrc_bias[self._dofs]
        age = (self._origin or 0.0) + self.simulation.time - self._command.stamp
        if self._command.tau is None:
            self._follow_positions(self._command, fingers, age)
        else:
            self._give_torques(self._command, self._command.tau, fingers, age)

    def _follow_positions(
        self, command: JointCommand, fingers: Array, age: float
    ) -> None:
        ahead = min(max(age, 0.0), AHEAD)
        ddq = self._ddq if age < AHEAD else np.zeros(len(self._ddq))
        q = np.clip(command.q + ahead * command.dq, self._lower, self._upper)
        self.simulation.set_servos(
            np.concatenate([q, fingers]),
            kp=self._gains.kp,
            kd=self._gains.kd,
            dq=np.concatenate([command.dq, np.zeros(len(fingers))]),
            tau=self._inertia_torques(ddq),
        )

    def _inertia_torques(self, ddq: Array) -> Array:
        """Return what accelerates the joints as the commands do (n,) [N m]."""
        simulation = self.simulation
        full, torques = np.zeros(simulation.model.nv), np.zeros(simulation.model.nv)
        full[self._dofs] = ddq
        mujoco.mj_mulM(simulation.model, simulation.data, torques, full)
        return torques[self._dofs]

    def _give_torques(
        self, command: JointCommand, tau: Array, fingers: Array, age: float
    ) -> None:
        """Give torques to the body's drives; the fingers keep their servos."""
        n, fresh = len(tau), age <= TORQUE_DEADLINE
        kp, kd = self._gains.kp.copy(), self._gains.kd.copy()
        kp[:n] = 0.0
        kd[:n] *= not fresh
        self.simulation.set_servos(
            np.concatenate([command.q, fingers]),
            kp=kp,
            kd=kd,
            tau=np.concatenate([tau * fresh, np.zeros(len(fingers))]),
        )
