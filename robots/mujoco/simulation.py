"""A robot in MuJoCo that steps when it is told to: no clock, no thread, no surprise.

The same seed and the same commands give the same motion to the last bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation, yaw_of
from telexist.robots.base import RobotState
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState
from telexist.robots.mujoco.body_shapes import BodyShapes
from telexist.robots.mujoco.disturbances import Disturbances, disturb
from telexist.robots.mujoco.hand_spring import HandSpring
from telexist.robots.mujoco.joint_extremes import JointExtremes
from telexist.robots.mujoco.model import MujocoModel
from telexist.robots.mujoco.outside_forces import OutsideForces
from telexist.robots.mujoco.physics import Physics
from telexist.robots.mujoco.push import Push
from telexist.robots.mujoco.robot_place import RobotPlace
from telexist.robots.mujoco.sensors import SensorNoise, Sensors
from telexist.robots.mujoco.sole_wrenches import SoleWrenches

__all__ = ["HOLD_AFTER", "Push", "Simulation", "hold_gains"]

HOLD_AFTER = 0.02  # [s] without a command after which drives hold their joints
HOLD_ERROR = 0.1  # [rad] at which they do so with all they have
HOLD_DAMPING = 0.05  # [s] of the stiffness


def hold_gains(effort: Array) -> tuple[Array, Array]:
    """Return stiffness and damping (n,) of drives that wait for a late command.

    Stiff enough for ankles that carry the robot: it stands as a statue would.
    """
    kp = effort / HOLD_ERROR
    return kp, HOLD_DAMPING * kp


class Simulation:
    """A robot in its world: alone, or a view of one among others.

    What lets time go on, such as `advance` or `reset`, does so for all of the world.

    Attributes:
        mujoco_model: The robot's model.
        place_in_world: Where it stands at the start.
        physics: What steps the world.
        model: The compiled model with its disturbances.
        data: MuJoCo's state; read it freely, write it at your own risk.
        timestep: [s].
        extremes: How far joints were past their limits since the last reset.
    """

    def __init__(
        self,
        mujoco_model: MujocoModel,
        *,
        seed: int = 0,
        noise: SensorNoise | None = None,
        disturbances: Disturbances | None = None,
        place: RobotPlace | None = None,
        physics: Physics | None = None,
    ) -> None:
        """Put the robot at its neutral pose.

        Args:
            mujoco_model: The robot.
            seed: Of the sensors' noise.
            noise: How bad the sensors are; as `SensorNoise` has it if None.
            disturbances: What the controller does not know.
            place: Where it stands; None: at the origin.
            physics: The world that it shares, with its disturbances; None: its own.
        """
        self.mujoco_model = mujoco_model
        self.disturbances = disturbances or Disturbances()
        self.place_in_world = place or RobotPlace()
        self.physics = physics or Physics(disturb([(mujoco_model, self.disturbances)]))
        self.model: Any = self.physics.model
        self.data: Any = self.physics.data
        self._soles = SoleWrenches(mujoco_model, self.model, self.data)
        self._outside = OutsideForces(mujoco_model, self.model, self.data, self.heading)
        self.timestep = self.physics.timestep
        drives = mujoco_model.drives
        self._ctrl = self.data.ctrl[drives]
        self._gains = self.model.actuator_biasprm[drives, 1:3].T
        self.n = len(mujoco_model.joints)
        body_joints = mujoco_model.robot.body.kinematics.n
        self._q_places = mujoco_model.qpos_of_joints[:body_joints]
        self._dq_places = mujoco_model.dof_of_joints[:body_joints]
        self._tau_places = slice(drives.start, drives.start + body_joints)
        self.extremes = JointExtremes(mujoco_model.robot.body)
        self._free = mujoco_model.mount == "free"
        self._shapes = self._body_shapes() if self._free else None
        self._noise = noise or SensorNoise()
        self._seed = seed
        self._delayed_steps = round(self.disturbances.torque_delay / self.timestep)
        self.physics.join(self)
        self.reset()

    def _body_shapes(self) -> BodyShapes:
        index, seat = self.mujoco_model, self.mujoco_model.seat
        return BodyShapes(
            self.model,
            self.data,
            index.bodies,
            base=index.base_qpos,
            base_height=float(index.robot.body.neutral.world_p_base[2]),
            normal=self.disturbances.world_R_floor[:, 2],
            seat_height=None if seat is None else seat.height,
        )

    def reset(self, configuration: Configuration | None = None) -> None:
        """Stand still at time 0, in the neutral pose or the one given.

        The pose is that of a level floor; on a slope it is turned with the floor.
        Others in this world begin anew, too, in their neutral poses.
        """
        self.physics.reset({} if configuration is None else {self: configuration})

    def start(self, configuration: Configuration | None) -> None:
        """Take a pose while all of the world begins anew: for `Physics`."""
        self._put(configuration or self.mujoco_model.robot.body.neutral)
        self._outside.reset()
        self._hold: tuple[float, Array, Array] | None = None
        self.extremes.reset()
        self._sensors = Sensors(self._noise, weight=self.weight, seed=self._seed)
        length = round(self._noise.delay / self.timestep) + 1
        self._past: deque[RobotState] = deque(maxlen=length)
        self._waiting: deque[Array] = deque()
        self.set_torques(np.zeros(self.n))

    def sense_anew(self) -> None:
        """Forget earlier readings: for `Physics`."""
        self._past.clear()
        self._past.append(self.true_reading())

    def place(self, configuration: Configuration) -> None:
        """Stand still in a pose from now on; time, noise and commands go on."""
        self._put(configuration)
        self.data.qvel[self.mujoco_model.dofs] = 0.0
        self.data.qacc_warmstart[self.mujoco_model.dofs] = 0.0
        mujoco.mj_forward(self.model, self.data)
        self.sense_anew()

    def start_moving(self, state: BodyState) -> None:
        """Begin at time 0 in a pose and with its velocities; on a level floor."""
        self.reset(
            Configuration(
                world_p_base=state.world_p_base,
                world_R_base=state.world_R_base,
                q=state.q,
            )
        )
        if self._free:
            base = self.data.qvel[self.mujoco_model.base_dofs]
            base[:3] = state.world_v_base
            base[3:6] = state.world_R_base.T @ state.world_w_base
        self.data.qvel[self.mujoco_model.dof_of_joints[: len(state.dq)]] = state.dq
        mujoco.mj_forward(self.model, self.data)
        self.sense_anew()

    def _put(self, start: Configuration) -> None:
        at, world_R_floor = self.place_in_world, self.disturbances.world_R_floor
        if self._free:
            base = self.data.qpos[self.mujoco_model.base_qpos]
            position = at.world_R_home @ start.world_p_base + at.world_p_home
            base[:3] = world_R_floor @ position
            base[3:7] = quat_wxyz_from_rotation(
                world_R_floor @ at.world_R_home @ start.world_R_base
            )
        count = len(start.q)
        self.data.qpos[self.mujoco_model.qpos_of_joints[:count]] = start.q

    @property
    def time(self) -> float:
        """Time of the simulation [s]."""
        return self.physics.time

    def set_torques(self, tau: Array, *, hold: Array | None = None) -> None:
        """Command torques (n,) [N m]; they stay until the next command.

        Args:
            tau: The torques.
            hold: Where the joints are to be (n,). When no command comes in time, the
                drives hold them there, on top of the torques.

        Raises:
            BadInput: If a value is not finite.
        """
        self._command(tau, 0.0, 0.0)
        self._hold = None if hold is None else (self.time, tau, np.array(hold))

    def set_servos(
        self,
        q: Array,
        *,
        kp: Array,
        kd: Array,
        dq: Array | None = None,
        tau: Array | None = None,
    ) -> None:
        """Command servos: force = kp (q - q_measured) + kd (dq - dq_measured) + tau.

        Args:
            q: Positions to hold (n,) [rad] or [m].
            kp: Stiffness (n,) [N m/rad].
            kd: Damping (n,) [N m s/rad].
            dq: Velocities to follow (n,); zeros if None.
            tau: Torque to add (n,) [N m]; zeros if None.

        Raises:
            BadInput: If a value is not finite.
        """
        ctrl = kp * q
        if dq is not None:
            ctrl = ctrl + kd * dq
        if tau is not None:
            ctrl = ctrl + tau
        self._command(ctrl, kp, kd)

    def _command(self, ctrl: Array, kp: Array | float, kd: Array | float) -> None:
        if np.shape(ctrl) != (self.n,):
            raise BadInput(f"a command needs {self.n} finite values")
        command = np.empty((3, self.n))
        command[0], command[1], command[2] = ctrl, kp, kd
        if not np.isfinite(command).all():
            raise BadInput(f"a command needs {self.n} finite values")
        self._last = command
        if not self._delayed_steps:
            self._apply(command)

    def _apply(self, command: Array) -> None:
        self._ctrl[:] = command[0]
        np.negative(command[1:], out=self._gains)

    def push(self, push: Push) -> None:
        """Push the base, or pull at a hand, once.

        Raises:
            BadInput: If the robot has no such hand.
        """
        self._outside.push(push)

    def hold_hand(self, spring: HandSpring) -> None:
        """Have a person take a hand, as a spring that goes its own way.

        Raises:
            BadInput: If the robot has no such hand.
        """
        self._outside.hold_hand(spring)

    def let_hands_go(self) -> None:
        """End all springs and pulls at the hands, now."""
        self._outside.let_hands_go()

    def feel_at(self, hand: str, source: Callable[[], Array]) -> None:
        """Have a hand's sensor feel what something else does there.

        Args:
            hand: "left" or "right".
            source: Returns the force on the hand now, world axes (3,) [N].

        Raises:
            BadInput: If the robot has no such hand.
        """
        self._outside.hands.feel(hand, source)

    def advance(self, duration: float) -> None:
        """Let the world go on for a time [s], in whole steps; what is left is owed.

        Raises:
            SimulationDiverged: If there is no answer any more, until `reset`.
        """
        self.physics.advance(duration)

    def prepare(self) -> None:
        """Get ready for some steps: for `Physics`."""
        if self._shapes is not None:
            self._shapes.update()

    def before_step(self) -> None:
        """Command drives and pull where somebody pulls: for `Physics`."""
        if self._hold is not None and self.time - self._hold[0] > HOLD_AFTER:
            (_, tau, q), self._hold = self._hold, None
            kp, kd = hold_gains(self.mujoco_model.actuators.effort)
            self._command(kp * q + tau, kp, kd)
        if self._delayed_steps:
            self._waiting.append(self._last)
            if len(self._waiting) > self._delayed_steps:
                self._apply(self._waiting.popleft())
        self._outside.apply(self.time)

    def after_step(self, left: int, count: int) -> None:
        """Look at what came of a step: for `Physics`.

        Args:
            left: How many steps are left, this one too.
            count: How many there are together.
        """
        self.extremes.look(
            self.data.qpos[self._q_places], self.data.qvel[self._dq_places]
        )
        # Only the reading that will be old enough is needed, unless time is short.
        length = self._past.maxlen or 1
        if left == length:
            self._past.clear()
        if left == length or count < length:
            self._past.append(self.true_reading())

    def read_state(self) -> RobotState:
        """Return what the robot's sensors say now: delayed, noisy, without the base."""
        return self._sensors.read(self._past[0])

    def true_reading(self) -> RobotState:
        """Return what perfect sensors would say, and where the base is."""
        data, state, touched = self.data, self.true_state(), self._soles.read()
        return RobotState(
            stamp=self.time,
            q=state.q,
            dq=state.dq,
            tau=np.array(data.actuator_force[self._tau_places]),
            imu_acceleration=np.array(data.sensordata[self.mujoco_model.accelerometer]),
            imu_angular_velocity=np.array(data.sensordata[self.mujoco_model.gyro]),
            imu_world_R_base=state.world_R_base,
            foot_wrenches=touched[:2],
            hand_wrenches=self._outside.hands.read(),
            thigh_wrenches=touched[2:] if len(touched) > 2 else None,
            world_p_base=state.world_p_base,
            world_R_base=state.world_R_base,
            world_v_base=state.world_v_base,
            world_w_base=state.world_w_base,
        )

    def true_state(self) -> BodyState:
        """Return where the robot really is; the first joints are the body's."""
        data, body = self.data, self.mujoco_model.base_body
        if not self._free:
            v, w = np.zeros(3), np.zeros(3)
            p = np.array(data.xpos[body])
            world_R_base = np.array(data.xmat[body]).reshape(3, 3)
        else:
            # qpos itself, not xpos: that lags one step behind.
            place = data.qpos[self.mujoco_model.base_qpos]
            velocity = data.qvel[self.mujoco_model.base_dofs]
            quat_wxyz, axes = np.array(place[3:]), np.empty(9)
            mujoco.mju_normalize4(quat_wxyz)
            mujoco.mju_quat2Mat(axes, quat_wxyz)
            world_R_base = axes.reshape(3, 3)
            p, v = np.array(place[:3]), np.array(velocity[:3])
            w = world_R_base @ velocity[3:]
        return BodyState(
            world_p_base=p,
            world_R_base=world_R_base,
            q=data.qpos[self._q_places],
            world_v_base=v,
            world_w_base=w,
            dq=data.qvel[self._dq_places],
        )

    def heading(self) -> float:
        """Return where the robot really faces: its yaw from world x [rad]."""
        neutral = self.mujoco_model.robot.body.neutral.world_R_base
        return float(yaw_of(self.true_state().world_R_base @ neutral.T))

    def centre_of_mass(self) -> Array:
        """Return where the robot's centre of mass really is (3,) [m]."""
        return np.array(self.data.subtree_com[self.mujoco_model.base_body])

    def centre_of_mass_velocity(self) -> Array:
        """Return how fast it really moves (3,) [m/s]."""
        mujoco.mj_subtreeVel(self.model, self.data)
        return np.array(self.data.subtree_linvel[self.mujoco_model.base_body])

    def kinetic_energy(self) -> float:
        """Return the kinetic energy of the whole robot [J]."""
        velocity, momentum = np.zeros((2, self.model.nv))
        dofs = self.mujoco_model.dofs
        velocity[dofs] = self.data.qvel[dofs]
        mujoco.mj_mulM(self.model, self.data, momentum, velocity)
        return float(0.5 * velocity @ momentum)

    @property
    def weight(self) -> float:
        """Of the robot [N]."""
        carried = self.model.body_subtreemass[self.mujoco_model.base_body]
        return float(carried) * GRAVITY

    def hand_place(self, hand: str) -> Array:
        """Return where a hand's link really is (3,) [m].

        Raises:
            BadInput: If the robot has no such hand.
        """
        hands = self._outside.hands
        return hands.place(hands.row(hand))

    def sole_middles(self) -> Array:
        """Return where the soles' middles really are (2, 3) [m]."""
        return np.array([self._soles.middle(0), self._soles.middle(1)])

    def applied_torques(self) -> Array:
        """Return what the drives really give now (n,) [N m]."""
        return np.array(self.data.actuator_force[self.mujoco_model.drives])
