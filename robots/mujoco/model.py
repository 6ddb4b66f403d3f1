"""A robot compiled for MuJoCo, and where to find it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.errors import BadModel
from telexist.robots.description import RobotModel
from telexist.robots.drives import Actuators, actuators_of
from telexist.robots.mujoco.robot_spec import FREE_BASE, Mount, mujoco_spec
from telexist.robots.mujoco.seat import Seat

__all__ = ["MujocoModel", "build_mujoco", "compile_spec", "find_robot"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MujocoModel:
    """A compiled model and where to find one robot in it.

    Attributes:
        robot: The robot.
        model: What `mujoco` simulates; it may hold other robots, too.
        mount: Whether the base is free, bolted down, or on a pole.
        joints: The body's joints in its order, then those unlocked for the simulation.
        actuators: Their drives.
        drives: Where they are among the model's actuators; drive i is that of joint i.
        base_qpos: Of the free base, place and orientation in `qpos`; else empty.
        base_dofs: Of the free base, velocity and turning in `qvel`; else empty.
        dofs: All that the robot moves in, in `qvel`.
        bodies: Its bodies, the base's first.
        gyro: Where `sensordata` has the base's angular velocity.
        accelerometer: Where `sensordata` has its specific force.
        prefix: Of the robot's names in the model; "" for the first.
        qpos_of_joints: Index of each joint in `qpos` (n,).
        dof_of_joints: Index of each joint in `qvel` (n,).
        mujoco_from_body: Order of the model's joints: `q_mujoco = q[mujoco_from_body]`.
        sole_geoms: "left" and "right" box.
        floor_geom: The floor.
        base_body: The body that carries the robot.
        seat: What it can sit on, or None.
    """

    robot: RobotModel
    model: Any
    mount: Mount
    joints: tuple[str, ...]
    actuators: Actuators
    drives: slice
    base_qpos: slice
    base_dofs: slice
    dofs: np.ndarray
    bodies: np.ndarray
    gyro: slice
    accelerometer: slice
    prefix: str
    qpos_of_joints: np.ndarray
    dof_of_joints: np.ndarray
    mujoco_from_body: np.ndarray
    sole_geoms: Mapping[str, int]
    floor_geom: int
    base_body: int
    seat: Seat | None = None


def build_mujoco(
    robot: RobotModel,
    *,
    mount: Mount = "free",
    visuals: bool = False,
    unlocked: Iterable[str] = (),
    seat: Seat | None = None,
) -> MujocoModel:
    """Compile a robot for MuJoCo.

    Args:
        robot: The robot.
        mount: "free" base, "fixed" where the robot stands, or on a "pole" with its feet
            in the air.
        visuals: Whether the shapes to draw are loaded; they cost seconds.
        unlocked: Joints locked in the body that move here, such as fingers.
        seat: What stands in the world for the robot's thighs; None for nothing.

    Raises:
        BadModel: If MuJoCo refuses it.
        BadInput: If there is a seat and the robot's model tells of no thighs.
    """
    unlocked = tuple(unlocked)
    spec = mujoco_spec(
        robot, mount=mount, visuals=visuals, unlocked=unlocked, seat=seat
    )
    model = compile_spec(spec, robot)
    return find_robot(robot, model, mount=mount, unlocked=unlocked, seat=seat)


def compile_spec(spec: Any, robot: RobotModel) -> Any:
    """Return what `mujoco` simulates.

    Raises:
        BadModel: If it refuses; it names the robot's file.
    """
    try:
        return spec.compile()
    except ValueError as error:
        raise BadModel(robot.urdf.path, f"MuJoCo refuses it: {error}") from error


def find_robot(
    robot: RobotModel,
    model: Any,
    *,
    mount: Mount,
    unlocked: tuple[str, ...] = (),
    seat: Seat | None = None,
    prefix: str = "",
) -> MujocoModel:
    """Find a robot in a compiled model.

    Args:
        robot: The robot.
        model: MuJoCo's, with this robot in it.
        mount: How its base is held there.
        unlocked: Joints locked in the body that move there.
        seat: Its seat there.
        prefix: Of the robot's names there.
    """
    joints = (*robot.body.kinematics.joints, *unlocked)
    ids = [model.joint(prefix + name).id for name in joints]
    first = min((model.actuator(prefix + name).id for name in joints), default=0)
    base = model.body(prefix + robot.urdf.root).id
    bodies = np.flatnonzero(_below(model, base))
    qpos = dof = 0
    if mount == "free":
        free = model.joint(f"{prefix}{FREE_BASE}").id
        qpos, dof = int(model.jnt_qposadr[free]), int(model.jnt_dofadr[free])
    loose = mount == "free"
    return MujocoModel(
        robot=robot,
        model=model,
        mount=mount,
        joints=joints,
        actuators=actuators_of(robot, joints),
        drives=slice(first, first + len(joints)),
        base_qpos=slice(qpos, qpos + 7 * loose),
        base_dofs=slice(dof, dof + 6 * loose),
        dofs=np.flatnonzero(np.isin(model.dof_bodyid, bodies)),
        bodies=bodies,
        gyro=_sensor(model, f"{prefix}gyro"),
        accelerometer=_sensor(model, f"{prefix}accelerometer"),
        prefix=prefix,
        qpos_of_joints=np.array(model.jnt_qposadr[ids]),
        dof_of_joints=np.array(model.jnt_dofadr[ids]),
        mujoco_from_body=np.argsort(model.jnt_qposadr[ids]),
        sole_geoms={s: model.geom(f"{prefix}{s}_sole").id for s in robot.body.soles},
        floor_geom=model.geom("floor").id,
        base_body=base,
        seat=seat,
    )


def _below(model: Any, base: int) -> np.ndarray:
    """Return which bodies a body carries, itself too (b,)."""
    carried = np.zeros(model.nbody, dtype=bool)
    carried[base] = True
    for body in range(base + 1, model.nbody):  # parents come before their children
        carried[body] = carried[model.body_parentid[body]]
    return carried


def _sensor(model: Any, name: str) -> slice:
    first = int(model.sensor(name).adr[0])
    return slice(first, first + 3)
