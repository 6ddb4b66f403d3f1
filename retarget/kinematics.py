"""Forward kinematics and Jacobians of a robot: the only file that knows pinocchio.

Outside this file the base velocity is mixed (velocity of the base origin and angular
velocity, both in world axes), rotations are matrices and joints are addressed by name
or by their position in `Kinematics.joints`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from retarget.errors import BadModel, UnknownName
from retarget.ik.tree import Tree
from retarget.so3 import Array, exp_so3, quat_wxyz_from_rotation

__all__ = ["Configuration", "Kinematics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Where a robot is: base pose and joint positions.

    Attributes:
        world_p_base: Position of the base link (3,) [m].
        world_R_base: Orientation of the base link (3, 3).
        q: Joint positions (n,) [rad] or [m], order of `Kinematics.joints`.
    """

    world_p_base: Array
    world_R_base: Array
    q: Array

    def moved(self, nu: Array, dt: float) -> Configuration:
        """Integrate the velocity nu (6 + n,) exactly over dt.

        `nu` is mixed base velocity first, then joints; it is constant in world axes
        over the step, so the base turns by exp(w dt) and moves by v dt.
        """
        return Configuration(
            world_p_base=self.world_p_base + nu[:3] * dt,
            world_R_base=exp_so3(nu[3:6] * dt) @ self.world_R_base,
            q=self.q + nu[6:] * dt,
        )


class Kinematics:
    """A tree of links with one-degree-of-freedom joints on a free or fixed base.

    Call `update` with a configuration, then ask for poses and Jacobians. Columns of
    Jacobians are 6 mixed base velocities and n joint velocities, for a fixed base too.

    Attributes:
        joints: Names of the n joints, in the model's own order.
        links: Names of all links, fixed ones included.
        base: Name of the base link.
    """

    def __init__(self, urdf: str, *, path: str = "URDF") -> None:
        """Build the model from URDF text whose joints are revolute, prismatic or fixed.

        Args:
            urdf: The text; `robots/urdf.py` brings foreign files into this form.
            path: Name of the file, for messages.

        Raises:
            BadModel: If pinocchio refuses it or a joint has several degrees of freedom.
        """
        try:
            self._model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
        except (RuntimeError, ValueError) as error:
            problem = str(error).strip().splitlines()[0]
            raise BadModel(
                path, f"not a usable robot description: {problem}"
            ) from error
        model = self._model
        for name, joint in zip(model.names[2:], model.joints[2:], strict=True):
            if joint.nq != 1 or joint.nv != 1:
                raise BadModel(
                    path,
                    f"joints of type {joint.shortname()} are not supported",
                    place=name,
                )
        self._data = model.createData()
        self.joints: tuple[str, ...] = tuple(model.names[2:])
        self._frame_of = {
            frame.name: index
            for index, frame in enumerate(model.frames)
            if frame.type == pin.FrameType.BODY
        }
        self.links: tuple[str, ...] = tuple(self._frame_of)
        self.base: str = self.links[0]
        self._q_full = pin.neutral(model)
        n = model.nv
        self._support = np.zeros((model.njoints, n), dtype=bool)
        for joint in range(1, model.njoints):
            for ancestor in model.supports[joint]:
                if ancestor:
                    start = model.joints[ancestor].idx_v
                    width = model.joints[ancestor].nv
                    self._support[joint, start : start + width] = True
        self._columns = np.zeros((6, n))

    @property
    def n(self) -> int:
        """Number of joints."""
        return len(self.joints)

    def index(self, joint: str) -> int:
        """Return the position of a joint in `joints`.

        Raises:
            UnknownName: If there is no such joint.
        """
        try:
            return self.joints.index(joint)
        except ValueError:
            raise UnknownName("joint", joint, self.joints) from None

    def frame(self, link: str) -> int:
        """Return the number of a link for `rotation`, `position` and `jacobian`.

        Raises:
            UnknownName: If there is no such link.
        """
        try:
            return self._frame_of[link]
        except KeyError:
            raise UnknownName("link", link, self._frame_of) from None

    def limits(self) -> tuple[Array, Array, Array]:
        """Return lower and upper position and velocity limits of the URDF (n,)."""
        model = self._model
        lower = np.array(model.lowerPositionLimit[7:])
        upper = np.array(model.upperPositionLimit[7:])
        return lower, upper, np.array(model.upperVelocityLimit[6:])

    def neutral(self) -> Configuration:
        """Return the configuration of zeros: base at the origin, joints at 0."""
        return Configuration(
            world_p_base=np.zeros(3), world_R_base=np.eye(3), q=np.zeros(self.n)
        )

    def update(self, configuration: Configuration) -> None:
        """Compute all link poses and joint Jacobians at a configuration."""
        q_full = self._q_full
        q_full[:3] = configuration.world_p_base
        quat_wxyz = quat_wxyz_from_rotation(configuration.world_R_base)
        q_full[3:6], q_full[6] = quat_wxyz[1:], quat_wxyz[0]
        q_full[7:] = configuration.q
        pin.computeJointJacobians(self._model, self._data, q_full)
        pin.updateFramePlacements(self._model, self._data)
        # data.J is at the world origin; its base columns take body-frame velocities.
        # Mixed base velocity (v, w): twist at the world origin (v + p x w, w).
        J = self._columns
        J[:, 6:] = self._data.J[:, 6:]
        J[:3, :3] = np.eye(3)
        J[3:, 3:6] = np.eye(3)
        x, y, z = configuration.world_p_base
        J[:3, 3:6] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))

    def rotation(self, frame: int) -> Array:
        """Return `world_R_link` (3, 3) at the last update."""
        return np.array(self._data.oMf[frame].rotation)

    def position(self, frame: int) -> Array:
        """Return `world_p_link` (3,) at the last update [m]."""
        return np.array(self._data.oMf[frame].translation)

    def rotations(self, frames: Sequence[int]) -> Array:
        """Return `world_R_link` (k, 3, 3) of several links."""
        found = np.array([self._data.oMf[frame].rotation for frame in frames])
        return found.reshape(-1, 3, 3)  # of no links too

    def positions(self, frames: Sequence[int]) -> Array:
        """Return `world_p_link` (k, 3) of several links [m]."""
        found = np.array([self._data.oMf[frame].translation for frame in frames])
        return found.reshape(-1, 3)

    def support(self, frame: int) -> np.ndarray:
        """Return which of the 6 + n velocities move a link (6 + n,) bool."""
        return self._support[self._model.frames[frame].parentJoint]

    def angular_columns(self) -> Array:
        """Return each velocity's contribution to angular velocity (3, 6 + n)."""
        return self._columns[3:]

    def jacobian(self, frame: int, world_p_point: Array | None = None) -> Array:
        """Return the Jacobian (6, 6 + n) of a link, linear rows first, world axes.

        Args:
            frame: Number of the link.
            world_p_point: Point of the link whose velocity the linear rows give (3,)
                [m]; the link's origin if None.
        """
        p = self.position(frame) if world_p_point is None else world_p_point
        J = self._columns * self.support(frame)
        x, y, z = p
        S = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        J[:3] -= S @ J[3:]
        return J

    def joint_axes(self) -> tuple[Array, Array]:
        """Return a point on (n, 3) and the direction of (n, 3) every joint's axis.

        World axes, at the last update; for a prismatic joint the direction it slides.
        """
        points = np.array([self._data.oMi[j].translation for j in self._joint_ids()])
        directions = np.empty((self.n, 3))
        for i, j in enumerate(self._joint_ids()):
            motion = self._data.J[:, self._model.joints[j].idx_v]
            directions[i] = motion[3:] if np.any(motion[3:]) else motion[:3]
        return points, directions

    def tree(self) -> Tree:
        """Return the model as plain arrays, for compiled code."""
        model = self._model
        axes = np.empty((self.n, 3))
        slides = np.zeros(self.n, dtype=np.bool_)
        for i, j in enumerate(self._joint_ids()):
            data = model.joints[j].createData()
            model.joints[j].calc(data, self._q_full)
            motion = np.asarray(data.S).reshape(6)
            slides[i] = not np.any(motion[3:])
            axes[i] = motion[:3] if slides[i] else motion[3:]
        placements = [model.jointPlacements[j] for j in self._joint_ids()]
        return Tree(
            parent=np.array([model.parents[j] - 1 for j in self._joint_ids()]),
            rotation=np.array([m.rotation for m in placements]).reshape(-1, 3, 3),
            position=np.array([m.translation for m in placements]).reshape(-1, 3),
            axis=axes,
            slides=slides,
        )

    def attachment(self, frame: int) -> tuple[int, Array, Array]:
        """Return the body that carries a link, and the link's pose on it.

        Bodies are numbered as in `Tree`: 0 is the base, i + 1 is moved by joint i.
        """
        link = self._model.frames[frame]
        placement = link.placement
        body = int(link.parentJoint) - 1
        return body, np.array(placement.rotation), np.array(placement.translation)

    def _joint_ids(self) -> range:
        return range(2, self._model.njoints)
