"""Dynamics of a robot for controllers: the second file that knows pinocchio.

Base velocities are mixed, as everywhere: velocity of the base origin and angular
velocity, both in world axes. With nu = (v, w, dq) the equations are
M dnu + h = (0, tau) + J_left' f_left + J_right' f_right,
with wrenches at the soles' middles in world axes. M holds the rotors' inertia; h holds
gravity, Coriolis terms and the joints' viscous friction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from retarget.errors import BadModel, UnknownName
from retarget.so3 import Array
from robots.actuators import GRAVITY, Actuators, actuators_of
from robots.body import Robot
from robots.simulation_urdf import simulation_urdf

__all__ = ["BodyState", "DynamicsModel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyState:
    """Where a robot is and how it moves.

    Attributes:
        world_p_base: Position of the base (3,) [m].
        world_R_base: Orientation of the base (3, 3).
        q: Joint positions (n,) [rad] or [m].
        world_v_base: Velocity of the base's origin, world axes (3,) [m/s].
        world_w_base: Angular velocity of the base, world axes (3,) [rad/s].
        dq: Joint velocities (n,) [rad/s] or [m/s].
    """

    world_p_base: Array
    world_R_base: Array
    q: Array
    world_v_base: Array
    world_w_base: Array
    dq: Array

    @property
    def nu(self) -> Array:
        """Mixed velocity (6 + n,)."""
        return np.concatenate([self.world_v_base, self.world_w_base, self.dq])


class DynamicsModel:
    """Mass matrix, bias, Jacobians and momentum at the last `update`.

    Attributes:
        robot: The robot.
        joints: Names of the n joints, order of the body.
        n: Number of joints.
        mass: Of the whole robot [kg].
        actuators: Drives of the joints.
        sides: Sides with a sole, in the order of `soles_*` below.
        M: Mass matrix (6 + n, 6 + n).
        h: Bias (6 + n,).
        com: Centre of mass (3,) [m].
        com_vel: Its velocity (3,) [m/s].
        angular_momentum: About the centre of mass, world axes (3,) [kg m^2/s].
        momentum_matrix: Centroidal momentum, linear rows first (6, 6 + n).
        momentum_bias: Rate of the centroidal momentum at dnu = 0 (6,).
    """

    def __init__(self, robot: Robot) -> None:
        """Build the model from the text that the simulator gets too.

        Raises:
            BadModel: If pinocchio refuses it.
        """
        text = simulation_urdf(robot)
        try:
            model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
        except (RuntimeError, ValueError) as error:
            problem = str(error).strip().splitlines()[0]
            raise BadModel(robot.urdf.path, problem) from error
        self.robot = robot
        self.joints = tuple(model.names[2:])
        self.n = len(self.joints)
        if self.joints != tuple(robot.body.kinematics.joints):
            raise BadModel(
                robot.urdf.path, "joints come in another order than the body's"
            )
        self.actuators: Actuators = actuators_of(robot)
        armature = np.zeros(model.nv)
        armature[6:] = self.actuators.armature
        model.armature = armature
        model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
        self.sides = tuple(
            side for side in ("left", "right") if side in robot.body.soles
        )
        self._soles = [self._add_sole(model, side) for side in self.sides]
        self._frame_of = {
            frame.name: index
            for index, frame in enumerate(model.frames)
            if frame.type == pin.FrameType.BODY
        }
        self._model, self._data = model, model.createData()
        self.mass = float(sum(inertia.mass for inertia in model.inertias))
        self._q_full, self._v_full = pin.neutral(model), np.zeros(model.nv)
        self._zero = np.zeros(model.nv)
        self._X = np.zeros((6, 6))
        self._base_R = np.eye(3)
        self._drift = np.zeros(model.nv)
        nv = model.nv
        self.M, self.h = np.eye(nv), np.zeros(nv)
        self.com, self.com_vel = np.zeros(3), np.zeros(3)
        self.angular_momentum = np.zeros(3)
        self.momentum_matrix, self.momentum_bias = np.zeros((6, nv)), np.zeros(6)

    @staticmethod
    def _add_sole_name(side: str) -> str:
        return f"{side}_sole_middle"

    def _add_sole(self, model: pin.Model, side: str) -> int:
        sole = self.robot.body.soles[side]
        link = model.getFrameId(sole.link, pin.FrameType.BODY)
        parent = model.frames[link]
        place = parent.placement * pin.SE3(sole.link_R_sole, sole.link_p_sole)
        frame = pin.Frame(
            self._add_sole_name(side),
            parent.parentJoint,
            link,
            place,
            pin.FrameType.OP_FRAME,
        )
        return int(model.addFrame(frame))

    def frame(self, link: str) -> int:
        """Return the number of a link.

        Raises:
            UnknownName: If there is no such link.
        """
        try:
            return self._frame_of[link]
        except KeyError:
            raise UnknownName("link", link, self._frame_of) from None

    def update(self, state: BodyState) -> None:
        """Compute everything at a state."""
        self._set(state)
        model, data, v = self._model, self._data, self._v_full
        # computeAllTerms leaves kinematics at zero joint acceleration undone.
        pin.computeAllTerms(model, data, self._q_full, v)
        pin.dccrba(model, data, self._q_full, v)
        pin.forwardKinematics(model, data, self._q_full, v, self._zero)
        pin.updateFramePlacements(model, data)
        X = self._X
        # nu_pin = blockdiag(X, 1) nu with X = diag(R', R'); its rate is `drift`.
        M = data.M
        self.M[6:, 6:] = M[6:, 6:]
        top = X.T @ M[:6]
        self.M[:6, 6:] = top[:, 6:]
        self.M[6:, :6] = top[:, 6:].T
        self.M[:6, :6] = top[:, :6] @ X
        h = data.nle + M[:, :3] @ self._drift[:3]
        self.h[:6] = X.T @ h[:6]
        self.h[6:] = h[6:] + self.actuators.damping * v[6:]
        self.com[:] = data.com[0]
        self.com_vel[:] = data.vcom[0]
        self.momentum_matrix[:] = data.Ag
        self.momentum_matrix[:, :6] = data.Ag[:, :6] @ X
        self.momentum_bias[:] = data.dAg @ v + data.Ag[:, :3] @ self._drift[:3]
        self.angular_momentum[:] = data.hg.angular

    def update_positions(self, state: BodyState) -> None:
        """Compute link poses, Jacobians and velocities only: for the estimator."""
        self._set(state)
        model, data = self._model, self._data
        pin.computeJointJacobians(model, data, self._q_full)
        pin.forwardKinematics(model, data, self._q_full, self._v_full)
        pin.updateFramePlacements(model, data)

    def update_posture(self, q: Array, dq: Array) -> None:
        """Compute links, velocities and centre of mass with the base at the origin."""
        model, data, q_full, v = self._model, self._data, self._q_full, self._v_full
        q_full[:7] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        q_full[7:] = q
        v[:6], v[6:] = 0.0, dq
        pin.centerOfMass(model, data, q_full, v, False)
        pin.updateFramePlacements(model, data)
        self.com[:], self.com_vel[:] = data.com[0], data.vcom[0]

    def weight_torques(self, q: Array, world_R_base: Array) -> Array:
        """Return what the joints need against weight alone, nothing touched (n,)."""
        q_full = self._q_full
        q_full[3:7] = pin.Quaternion(world_R_base).coeffs()
        q_full[7:] = q
        return np.array(
            pin.computeGeneralizedGravity(self._model, self._data, q_full)[6:]
        )

    def _set(self, state: BodyState) -> None:
        R = state.world_R_base
        q_full, v = self._q_full, self._v_full
        q_full[:3] = state.world_p_base
        q_full[3:7] = pin.Quaternion(R).coeffs()  # x, y, z, w
        q_full[7:] = state.q
        v[:3], v[3:6], v[6:] = (
            R.T @ state.world_v_base,
            R.T @ state.world_w_base,
            state.dq,
        )
        self._X[:3, :3] = self._X[3:, 3:] = R.T
        x, y, z = v[:3]
        a, b, c = v[3:6]
        self._drift[:3] = (c * y - b * z, a * z - c * x, b * x - a * y)  # -w x v

    def rotation(self, frame: int) -> Array:
        """Return `world_R_link` (3, 3)."""
        return np.array(self._data.oMf[frame].rotation)

    def position(self, frame: int) -> Array:
        """Return `world_p_link` (3,) [m]."""
        return np.array(self._data.oMf[frame].translation)

    def jacobian(self, frame: int) -> Array:
        """Return the Jacobian (6, 6 + n) of a link: linear rows first, world axes."""
        J = pin.getFrameJacobian(
            self._model, self._data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        J[:, :6] = J[:, :6] @ self._X
        return J

    def velocity(self, frame: int) -> Array:
        """Return the velocity of a link's origin and its angular velocity (6,)."""
        motion = pin.getFrameVelocity(
            self._model, self._data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        return np.array(motion.vector)

    def acceleration_bias(self, frame: int) -> Array:
        """Return the acceleration (6,) of a link at dnu = 0: the rate of J times nu."""
        motion = pin.getFrameClassicalAcceleration(
            self._model, self._data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        bias = np.array(motion.vector)
        # The model's zero acceleration is of the base in its own axes.
        bias[:3] += self._drift[:3] @ self._X[:3, :3]
        return bias

    def sole_frames(self) -> Sequence[int]:
        """Return the numbers of the soles' frames, in the order of `sides`."""
        return self._soles
