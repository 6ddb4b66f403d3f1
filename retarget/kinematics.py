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
from telexist.retarget.errors import BadModel, UnknownName
from telexist.retarget.so3 import Array, exp_so3, hat, log_so3
from telexist.retarget.tree import Tree

__all__ = ["Configuration", "Kinematics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Where a robot is: base pose and joint positions.

    Attributes:
        world_p_base: Position of the base link (3,) [m].
        world_R_base: Orientation of the base link (3, 3).
        q: Joint positions (n,) [rad] or [m], order of `Kinematics.joints`; of a ball
            joint its rotation vector.
    """

    world_p_base: Array
    world_R_base: Array
    q: Array

    def moved(self, nu: Array, dt: float) -> Configuration:
        """Integrate the velocity nu (6 + n,) exactly over dt.

        `nu` is mixed base velocity first, then joints; it is constant in world axes
        over the step, so the base turns by exp(w dt) and moves by v dt. For a robot
        with ball joints see `Kinematics.moved`.
        """
        return Configuration(
            world_p_base=self.world_p_base + nu[:3] * dt,
            world_R_base=exp_so3(nu[3:6] * dt) @ self.world_R_base,
            q=self.q + nu[6:] * dt,
        )


class Kinematics:
    """A tree of links with joints of one degree of freedom, or balls, on a base.

    Call `update` with a configuration, then ask for poses and Jacobians. Columns of
    Jacobians are 6 mixed base velocities and n joint velocities, for a fixed base too.
    A ball joint counts as three: `shoulder.x`, `.y` and `.z`. Its position is a
    rotation vector, its velocity the angular velocity in the axes of the body it moves.

    Attributes:
        joints: Names of the n joints, in the model's own order.
        links: Names of all links, fixed ones included.
        base: Name of the base link.
    """

    def __init__(self, urdf: str, *, path: str = "URDF") -> None:
        """Build the model from URDF text whose joints are revolute, prismatic or fixed.

        Args:
            urdf: The text; `robots/urdf/urdf.py` brings foreign files into this form.
            path: Name of the file, for messages.

        Raises:
            BadModel: If pinocchio refuses it or a joint has several degrees of freedom.
        """
        try:
            model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
        except (RuntimeError, ValueError) as error:
            problem = str(error).strip().splitlines()[0]
            raise BadModel(
                path, f"not a usable robot description: {problem}"
            ) from error
        self._take(model, path)

    @classmethod
    def from_model(cls, model: pin.Model, *, path: str = "model") -> Kinematics:
        """Take a pinocchio model: revolute, prismatic, continuous and ball joints.

        Its first joint is the free base if it is a free-flyer; else what is fixed to
        the world becomes the base.

        Args:
            model: The model.
            path: Its name, for messages.

        Raises:
            BadModel: If a joint is of another kind.
        """
        kinematics = cls.__new__(cls)
        kinematics._take(_on_free_base(model), path)
        return kinematics

    def _take(self, model: pin.Model, path: str) -> None:
        """Read a model whose first joint is a free-flyer."""
        self._model, self._data = model, model.createData()
        self.joints: tuple[str, ...] = tuple(
            name
            for j in range(2, model.njoints)
            for name in _coordinates(model.names[j], model.joints[j], path)
        )
        self._balls = [j for j in self._joint_ids() if model.joints[j].nv == 3]
        self._endless = [j for j in self._joint_ids() if model.joints[j].nq == 2]
        single = [j for j in self._joint_ids() if model.joints[j].nq == 1]
        self._single_q = np.array([model.joints[j].idx_q for j in single], dtype=int)
        self._single = np.array([model.joints[j].idx_v - 6 for j in single], dtype=int)
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
        self._columns[:, :6] = np.eye(6)

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
        lower, upper = np.full(self.n, -np.inf), np.full(self.n, np.inf)
        lower[self._single] = model.lowerPositionLimit[self._single_q]
        upper[self._single] = model.upperPositionLimit[self._single_q]
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
        q_full[3:7] = pin.Quaternion(configuration.world_R_base).coeffs()
        q_full[self._single_q] = configuration.q[self._single]
        if self._balls or self._endless:
            self._fill_turns(configuration.q)
        pin.computeJointJacobians(self._model, self._data, q_full)
        pin.updateFramePlacements(self._model, self._data)
        # data.J is at the world origin; its base columns take body-frame velocities.
        # Mixed base velocity (v, w): twist at the world origin (v + p x w, w).
        J = self._columns
        J[:, 6:] = self._data.J[:, 6:]
        x, y, z = configuration.world_p_base
        J[:3, 3:6] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))

    def moved(
        self, configuration: Configuration, nu: Array, dt: float
    ) -> Configuration:
        """Integrate the velocity nu (6 + n,) exactly over dt, ball joints too."""
        after = configuration.moved(nu, dt)
        for j in self._balls:
            at = slice(self._model.joints[j].idx_v - 6, self._model.joints[j].idx_v - 3)
            turned = exp_so3(configuration.q[at]) @ exp_so3(nu[6:][at] * dt)
            after.q[at] = log_so3(turned)
        return after

    def posture_error(self, q: Array, goal: Array) -> Array:
        """Return the joint displacement (n,) that leads from q to a goal."""
        error: Array = goal - q
        for j in self._balls:
            at = slice(self._model.joints[j].idx_v - 6, self._model.joints[j].idx_v - 3)
            error[at] = log_so3(exp_so3(q[at]).T @ exp_so3(goal[at]))
        return error

    def _fill_turns(self, q: Array) -> None:
        """Fill the model's q of ball and continuous joints."""
        for j in self._balls:
            joint = self._model.joints[j]
            at, to = joint.idx_v - 6, joint.idx_q
            quaternion = pin.Quaternion(exp_so3(q[at : at + 3]))
            self._q_full[to : to + 4] = quaternion.coeffs()
        for j in self._endless:
            joint = self._model.joints[j]
            angle, to = q[joint.idx_v - 6], joint.idx_q
            self._q_full[to : to + 2] = np.cos(angle), np.sin(angle)

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

    def supports(self, frames: Sequence[int]) -> np.ndarray:
        """Return which velocities move each of several links (k, 1, 6 + n) bool."""
        carriers = [self._model.frames[frame].parentJoint for frame in frames]
        return self._support[np.array(carriers, dtype=int), None, :]

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

    def point_columns(self, frames: Sequence[int], world_p_points: Array) -> Array:
        """Return the linear Jacobians (m, 3, 6 + n) of points of links, world axes.

        Args:
            frames: Numbers of the links (m,).
            world_p_points: Where the points are (m, 3) [m].
        """
        v, w = self._columns[:3], self._columns[3:]
        columns = v - hat(world_p_points) @ w
        return np.asarray(columns * self.supports(frames))

    def joint_axes(self) -> tuple[Array, Array]:
        """Return a point on (n, 3) and the direction of (n, 3) every joint's axis.

        World axes, at the last update; for a prismatic joint the direction it slides.
        """
        ids = self._joint_of_coordinate()
        points = np.array([self._data.oMi[j].translation for j in ids])
        directions = np.empty((self.n, 3))
        for i in range(self.n):
            motion = self._data.J[:, 6 + i]
            directions[i] = motion[3:] if np.any(motion[3:]) else motion[:3]
        return points, directions

    def tree(self) -> Tree:
        """Return the model as plain arrays, for compiled code."""
        model, n = self._model, self.n
        rotation, position = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))
        parent, axis, ball = np.arange(n), np.empty((n, 3)), np.zeros(n, dtype=np.int64)
        slides = np.zeros(n, dtype=np.bool_)
        for j in self._joint_ids():
            i, joint = model.joints[j].idx_v - 6, model.joints[j]
            data = joint.createData()
            joint.calc(data, self._q_full)
            motions = np.asarray(data.S).reshape(6, -1)
            parent[i] = self._body(model.parents[j])
            rotation[i] = model.jointPlacements[j].rotation
            position[i] = model.jointPlacements[j].translation
            for k, motion in enumerate(motions.T):
                slides[i + k] = not np.any(motion[3:])
                axis[i + k] = motion[:3] if slides[i + k] else motion[3:]
                ball[i + k] = k + 1 if joint.nv == 3 else 0
        return Tree(
            parent=parent,
            rotation=rotation,
            position=position,
            axis=axis,
            slides=slides,
            ball=ball,
        )

    def attachment(self, frame: int) -> tuple[int, Array, Array]:
        """Return the body that carries a link, and the link's pose on it.

        Bodies are numbered as in `Tree`: 0 is the base, i + 1 is moved by joint i.
        """
        link = self._model.frames[frame]
        body, placement = self._body(link.parentJoint), link.placement
        return body, np.array(placement.rotation), np.array(placement.translation)

    def _body(self, joint: int) -> int:
        """Return the body that a joint of the model carries."""
        moved = self._model.joints[joint]
        return int(moved.idx_v - 6 + moved.nv)

    def _joint_of_coordinate(self) -> list[int]:
        return [j for j in self._joint_ids() for _ in range(self._model.joints[j].nv)]

    def _joint_ids(self) -> range:
        return range(2, self._model.njoints)


def _coordinates(name: str, joint: pin.JointModel, path: str) -> list[str]:
    """Return the names of a joint's degrees of freedom.

    Raises:
        BadModel: If the joint is of a kind that is not supported.
    """
    if joint.nv == 1 and joint.nq in (1, 2):
        return [name]
    if joint.shortname() == "JointModelSpherical":
        return [f"{name}.{axis}" for axis in "xyz"]
    raise BadModel(
        path, f"joints of type {joint.shortname()} are not supported", place=name
    )


def _on_free_base(model: pin.Model) -> pin.Model:
    """Return a model whose first joint is a free-flyer."""
    if model.njoints > 1 and model.joints[1].shortname() == "JointModelFreeFlyer":
        return model
    base = pin.Model()
    flyer, here = pin.JointModelFreeFlyer(), pin.SE3.Identity()
    base.addJoint(0, flyer, here, "root_joint")
    frame = pin.Frame("base", 1, 0, here, pin.FrameType.BODY)
    return pin.appendModel(base, model, base.addFrame(frame), here)
