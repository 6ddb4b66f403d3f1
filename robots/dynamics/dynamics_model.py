"""Dynamics of a robot for controllers: the second file that knows pinocchio.

Base velocities are mixed, as everywhere: velocity of the base origin and angular
velocity, both in world axes. With nu = (v, w, dq) the equations are
M dnu + h = (0, tau) + J_left' f_left + J_right' f_right,
with wrenches at the soles' middles in world axes. M holds the rotors' inertia; h holds
gravity, Coriolis terms and the joints' viscous friction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from telexist.retarget.errors import BadModel, UnknownName
from telexist.retarget.robot_body import Sole
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY, Actuators, actuators_of
from telexist.robots.dynamics.mixed_dynamics import (
    read_dynamics,
    read_sole_acceleration,
    read_sole_jacobian,
    read_sole_motion,
    write_posture,
    write_state,
)
from telexist.robots.dynamics.simulation_urdf import simulation_urdf
from telexist.robots.dynamics.sole_roll import can_roll, write_sole_up
from telexist.robots.dynamics.thighs import thigh_patches

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


class _SoleArrays:
    """Pinocchio's arrays about the joint that carries a sole; they see every update.

    Attributes:
        R: Axes of the joint (3, 3).
        p: Its position (3,).
        v: Its spatial velocity, own axes (6,).
        a: Its spatial acceleration against free fall, own axes (6,).
        joint_R_sole: Axes of the sole seen from the joint (3, 3).
        joint_p_sole: Its middle seen from the joint (3,).
        columns: Of the joints between base and sole (k,).
    """

    def __init__(self, model: pin.Model, data: pin.Data, frame: int) -> None:
        """Look at the joint of a frame."""
        place, joint = model.frames[frame].placement, model.frames[frame].parentJoint
        self.R, self.p = data.oMi[joint].rotation, data.oMi[joint].translation
        self.v, self.a = data.v[joint].vector, data.a_gf[joint].vector
        self.joint_R_sole = np.array(place.rotation, order="C")
        self.joint_p_sole = np.array(place.translation)
        chain = [j for j in model.supports[joint] if j > 1]
        self.columns = np.array([model.joints[j].idx_v for j in chain], dtype=np.int64)


def _level(R: Array) -> None:
    """Turn axes (3, 3) so that z is up: a round thigh feels the seat's normal."""
    x, y = R[0, 0], R[1, 0]
    length = max(math.hypot(x, y), 1e-9)
    c, s = x / length, y / length
    R[:] = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


class DynamicsModel:
    """Mass matrix, bias, Jacobians and momentum at the last `update`.

    All arrays are written anew by the next update: copy what is to be kept.

    Attributes:
        robot: The robot.
        joints: Names of the n joints, order of the body.
        n: Number of joints.
        mass: Of the whole robot [kg].
        base_p_mass: Centre of mass of the base and what is fixed to it (3,) [m].
        actuators: Drives of the joints.
        sides: Sides with a sole, in the order of `soles_*` below.
        patches: Their soles, then the thighs' lines if those were asked for (m).
        soles_roll: Whether the leg can roll each sole where it is (k,).
        M: Mass matrix (6 + n, 6 + n).
        h: Bias (6 + n,).
        com: Centre of mass (3,) [m].
        com_vel: Its velocity (3,) [m/s].
        angular_momentum: About the centre of mass, world axes (3,) [kg m^2/s].
        sole_p: Middles of the soles (k, 3) [m].
        sole_R: Axes of the soles (k, 3, 3).
        sole_up: Where the soles have up: their z axes, but without the roll of soles
            that cannot roll by themselves (k, 3).
        sole_tip: On which long edge such soles stand, -1 right to 1 left, 0 flat (k,).
        sole_edge: From the soles' middles to where they then stand (k, 3) [m].
        sole_v: Velocities of the soles' middles, linear first, world axes (k, 6).
        sole_J: Jacobians of the soles' middles (k, 6, 6 + n).
        sole_bias: Accelerations of the soles' middles at dnu = 0 (k, 6).
        contact_p: Middles of all contact patches, the soles first, then, if asked for,
            the lines under the left and the right thigh (m, 3) [m].
        contact_R: Their axes; those of thighs level with the world (m, 3, 3).
        contact_v: Their velocities, as `sole_v` (m, 6).
        contact_J: Their Jacobians (m, 6, 6 + n).
        contact_bias: Their accelerations at dnu = 0 (m, 6).
    """

    def __init__(self, robot: RobotModel, *, thighs: bool = False) -> None:
        """Build the model from the text that the simulator gets too.

        Args:
            robot: The robot.
            thighs: Whether its thighs may touch a seat.

        Raises:
            BadModel: If pinocchio refuses it.
            BadInput: If thighs are asked for and its model tells of none.
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
        soles = robot.body.soles
        self._soles = [
            self._add_patch(model, f"{side}_sole_middle", soles[side])
            for side in self.sides
        ]
        under = thigh_patches(robot.body) if thighs else {}
        self._thighs = [
            self._add_patch(model, f"{side}_thigh_middle", patch)
            for side, patch in under.items()
        ]
        self.patches = [*(soles[side] for side in self.sides), *under.values()]
        self._frame_of = {
            frame.name: index
            for index, frame in enumerate(model.frames)
            if frame.type == pin.FrameType.BODY
        }
        self._model, self._data = model, model.createData()
        self.mass = float(sum(inertia.mass for inertia in model.inertias))
        self.base_p_mass = np.array(model.inertias[1].lever)
        self._q_full, self._v_full = pin.neutral(model), np.zeros(model.nv)
        self._base_p, self._base_R = np.zeros(3), np.eye(3)
        self._drift = np.zeros(3)
        self._damping = np.array(self.actuators.damping)
        nv, k = model.nv, len(self.sides)
        self.M, self.h = np.eye(nv), np.zeros(nv)
        self.com, self.com_vel = np.zeros(3), np.zeros(3)
        self.angular_momentum = np.zeros(3)
        m = len(self.patches)
        self.contact_p, self.contact_R = np.zeros((m, 3)), np.zeros((m, 3, 3))
        self.contact_v, self.contact_bias = np.zeros((m, 6)), np.zeros((m, 6))
        self.contact_J = np.zeros((m, 6, nv))
        self.sole_p, self.sole_R = self.contact_p[:k], self.contact_R[:k]
        self.sole_v, self.sole_bias = self.contact_v[:k], self.contact_bias[:k]
        self.sole_J = self.contact_J[:k]
        data, frames = self._data, [*self._soles, *self._thighs]
        self._carriers = [_SoleArrays(model, data, frame) for frame in frames]
        self._M, self._nle, self._J = data.M, data.nle, data.J
        self._com, self._com_vel = data.com[0], data.vcom[0]
        self._angular = data.hg.angular
        self.soles_roll = np.array([self._rolls(i) for i in range(k)], dtype=bool)
        self.sole_up, self.sole_edge = np.zeros((k, 3)), np.zeros((k, 3))
        self.sole_tip = np.zeros(k)
        self._widths = np.array([robot.body.soles[side].width for side in self.sides])
        self._vertical = np.array([0.0, 0.0, 1.0])

    def _add_patch(self, model: pin.Model, name: str, sole: Sole) -> int:
        link = model.getFrameId(sole.link, pin.FrameType.BODY)
        parent = model.frames[link]
        place = parent.placement * pin.SE3(sole.link_R_sole, sole.link_p_sole)
        frame = pin.Frame(
            name,
            parent.parentJoint,
            link,
            place,
            pin.FrameType.OP_FRAME,
        )
        return int(model.addFrame(frame))

    def _rolls(self, sole: int) -> bool:
        """Whether the joints that only this leg has can roll its sole."""
        body, q_full = self.robot.body, pin.neutral(self._model)
        q_full[7:] = body.neutral.q
        frame, axes = self._soles[sole], pin.ReferenceFrame.LOCAL
        J = pin.computeFrameJacobian(self._model, self._data, q_full, frame, axes)
        own = set(self._carriers[sole].columns)
        for i, other in enumerate(self._carriers[: len(self._soles)]):
            own -= set(other.columns) if i != sole else set()
        return can_roll(J[:, sorted(own)], body.soles[self.sides[sole]].length)

    def masses(self) -> RobotMasses:
        """Return what the bodies weigh and what the drives can give."""
        inertias = list(self._model.inertias)[1:]
        return RobotMasses(
            mass=np.array([inertia.mass for inertia in inertias]),
            com=np.array([inertia.lever for inertia in inertias]),
            inertia=np.array([inertia.inertia for inertia in inertias]),
            armature=np.array(self.actuators.armature),
            effort=np.array(self.actuators.effort),
        )

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
        pin.computeAllTerms(model, data, self._q_full, v)
        R, drift = self._base_R, self._drift
        read_dynamics(self._M, self._nle, R, v, self._damping, self.M, self.h, drift)
        self.com[:], self.com_vel[:] = self._com, self._com_vel
        self.angular_momentum[:] = self._angular
        self._read_soles()
        for i, at in enumerate(self._carriers):
            read_sole_acceleration(
                at.R,
                at.v,
                at.a,
                at.joint_p_sole,
                GRAVITY,
                R,
                drift,
                self.contact_bias[i],
            )
            read_sole_jacobian(
                self._J, at.columns, self._base_p, self.contact_p[i], self.contact_J[i]
            )

    def update_positions(self, state: BodyState) -> None:
        """Compute poses and velocities of links and soles only: for the estimator."""
        self._set(state)
        pin.forwardKinematics(self._model, self._data, self._q_full, self._v_full)
        self._read_soles()

    def update_posture(self, q: Array, dq: Array) -> None:
        """Compute links, velocities and centre of mass with the base at the origin."""
        model, data, q_full, v = self._model, self._data, self._q_full, self._v_full
        q_full[:7] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        q_full[7:] = q
        v[:6], v[6:] = 0.0, dq
        pin.centerOfMass(model, data, q_full, v, False)
        self.com[:], self.com_vel[:] = self._com, self._com_vel
        self._read_soles()

    def weight_torques(self, q: Array, world_R_base: Array) -> Array:
        """Return what the joints need against weight alone, nothing touched (n,)."""
        write_posture(world_R_base, q, self._q_full)
        return np.array(
            pin.computeGeneralizedGravity(self._model, self._data, self._q_full)[6:]
        )

    def _set(self, state: BodyState) -> None:
        self._base_p[:], self._base_R[:] = state.world_p_base, state.world_R_base
        write_state(
            self._base_p,
            self._base_R,
            state.q,
            state.world_v_base,
            state.world_w_base,
            state.dq,
            self._q_full,
            self._v_full,
        )

    def _read_soles(self) -> None:
        for i, at in enumerate(self._carriers):
            read_sole_motion(
                at.R,
                at.p,
                at.v,
                at.joint_R_sole,
                at.joint_p_sole,
                self.contact_R[i],
                self.contact_p[i],
                self.contact_v[i],
            )
        for R in self.contact_R[len(self._soles) :]:
            _level(R)
        write_sole_up(
            self.sole_R,
            self.soles_roll,
            self._widths,
            self._vertical,
            self.sole_up,
            self.sole_tip,
            self.sole_edge,
        )

    def rotation(self, frame: int) -> Array:
        """Return `world_R_link` (3, 3)."""
        return np.array(self._place(frame).rotation)

    def position(self, frame: int) -> Array:
        """Return `world_p_link` (3,) [m]."""
        return np.array(self._place(frame).translation)

    def _place(self, frame: int) -> pin.SE3:
        return pin.updateFramePlacement(self._model, self._data, frame)

    def jacobian(self, frame: int) -> Array:
        """Return the Jacobian (6, 6 + n) of a link: linear rows first, world axes."""
        J = pin.getFrameJacobian(
            self._model, self._data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        base_R_world = self._base_R.T
        J[:, :3], J[:, 3:6] = J[:, :3] @ base_R_world, J[:, 3:6] @ base_R_world
        return J

    def velocity(self, frame: int) -> Array:
        """Return the velocity of a link's origin and its angular velocity (6,)."""
        motion = pin.getFrameVelocity(
            self._model, self._data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        return np.array(motion.vector)

    def acceleration_bias(self, frame: int) -> Array:
        """Return the acceleration (6,) of a link's origin at dnu = 0; world axes."""
        at, found = _SoleArrays(self._model, self._data, frame), np.empty(6)
        read_sole_acceleration(
            at.R,
            at.v,
            at.a,
            at.joint_p_sole,
            GRAVITY,
            self._base_R,
            self._drift,
            found,
        )
        return found

    def sole_frames(self) -> Sequence[int]:
        """Return the numbers of the soles' frames, in the order of `sides`."""
        return self._soles
