"""Any robot with a `robot.toml` as a MuJoCo model to be compiled.

Contacts: the floor, and one box per sole whose bottom is the sole; a robot that fell
lies on ellipsoids (`body_shapes.py`). All shapes of the URDF are for the eye only. Each
joint has one drive whose force is `ctrl - kp q - kd dq` within its effort, with kp = kd
= 0 (torque) until somebody sets `actuator_biasprm`; so torque and position control need
no other model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import mujoco
import numpy as np
from telexist.retarget.errors import BadModel
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY, actuators_of
from telexist.robots.dynamics import simulation_urdf
from telexist.robots.mjcf import log_mujoco_warnings
from telexist.robots.mujoco.body_shapes import add_body_shapes
from telexist.robots.mujoco.robot_place import RobotPlace
from telexist.robots.mujoco.seat import Seat, add_seat, add_thighs
from telexist.robots.mujoco.stand_in_shapes import add_stand_in_shapes

__all__ = [
    "FLOOR_FRICTION",
    "FREE_BASE",
    "Mount",
    "POLE_HEIGHT",
    "ROBOT_GROUP",
    "add_stage",
    "mujoco_spec",
    "robot_spec",
]

Mount = Literal["free", "fixed", "pole"]

TIMESTEP = 0.0025  # [s] two steps at 200 Hz of control, four at 100; 1 to 5 ms walk too
STOP_MARGIN = 0.004  # [rad] before its limit where a joint meets its soft stop
STOP_TIME = 0.01  # [s] in which the stop gives way and returns
FLOOR_FRICTION = 0.8
SOLE_THICKNESS = 0.02  # [m]
FREE_BASE = "free_base"  # name of its joint
POLE_HEIGHT = 0.1  # [m] of the soles over the floor
PICTURE = (1280, 960)  # [px] the largest that can be rendered
ROBOT_GROUP, SOLE_GROUP = 2, 3  # of shapes, for viewers


def mujoco_spec(
    robot: RobotModel,
    *,
    mount: Mount = "free",
    visuals: bool = False,
    unlocked: Iterable[str] = (),
    seat: Seat | None = None,
) -> Any:
    """Return the model as an `MjSpec` that may still be changed; see `build_mujoco`."""
    spec = robot_spec(robot, mount=mount, visuals=visuals, unlocked=unlocked, seat=seat)
    add_stage(spec)
    return spec


def robot_spec(
    robot: RobotModel,
    *,
    mount: Mount = "free",
    visuals: bool = False,
    unlocked: Iterable[str] = (),
    seat: Seat | None = None,
    place: RobotPlace | None = None,
) -> Any:
    """Return a robot without a stage as an `MjSpec`; see `build_mujoco`.

    Args:
        robot: The robot.
        mount: How its base is held.
        visuals: Whether the shapes to draw are loaded.
        unlocked: Joints locked in the body that move here.
        seat: Its own, seen from where it stands; None for none.
        place: Where it stands; None: at the world's origin, facing x.

    Raises:
        BadModel: If MuJoCo refuses it.
    """
    unlocked = tuple(unlocked)
    text = simulation_urdf(robot, visuals=visuals, unlocked=unlocked)
    log_mujoco_warnings()
    try:
        spec = mujoco.MjSpec.from_string(text)
    except ValueError as error:
        raise BadModel(robot.urdf.path, f"MuJoCo refuses it: {error}") from error
    _set_options(spec)
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
        geom.group, geom.density = ROBOT_GROUP, 0.0
    if visuals:
        add_stand_in_shapes(spec, group=ROBOT_GROUP)
    place = place or RobotPlace()
    _place_base(spec, robot, mount, place)
    for side, sole in robot.body.soles.items():
        _add_sole(spec, side, sole)
    if mount == "free":
        feet = frozenset(sole.link for sole in robot.body.soles.values())
        add_body_shapes(spec, feet)
    if seat is not None:
        add_seat(spec, seat, place)
        add_thighs(spec, robot.body)
    _add_drives(spec, robot, unlocked)
    _add_senses(spec, robot)
    return spec


def _set_options(spec: Any) -> None:
    option = spec.option
    option.timestep = TIMESTEP
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 10.0
    option.gravity = [0.0, 0.0, -GRAVITY]
    spec.visual.global_.offwidth, spec.visual.global_.offheight = PICTURE


def _place_base(spec: Any, robot: RobotModel, mount: Mount, place: RobotPlace) -> None:
    base, neutral = spec.body(robot.urdf.root), robot.body.neutral
    position = place.world_R_home @ neutral.world_p_base + place.world_p_home
    if mount == "pole":
        position[2] += POLE_HEIGHT
    base.pos = position
    base.quat = quat_wxyz_from_rotation(place.world_R_home @ neutral.world_R_base)
    if mount == "free":
        base.add_freejoint(name=FREE_BASE)
    elif mount == "pole":
        size = [0.02, position[2] / 2.0, 0.0]
        foot = position + place.world_R_home @ np.array([-0.3, 0.0, 0.0])
        foot[2] = position[2] / 2.0
        kind = mujoco.mjtGeom.mjGEOM_CYLINDER
        spec.worldbody.add_geom(
            name="pole", type=kind, size=size, pos=foot, contype=0, conaffinity=0
        )


def add_stage(spec: Any) -> None:
    """Put floor and light into a world before it is compiled."""
    spec.worldbody.add_light(pos=[1.0, 1.0, 4.0], dir=[-0.2, -0.2, -1.0])
    spec.worldbody.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 0.5],
        rgba=[0.75, 0.78, 0.8, 1.0],
        friction=[FLOOR_FRICTION, 0.005, 0.0001],
        contype=1,
        conaffinity=1,
    )


def _add_sole(spec: Any, side: str, sole: Sole) -> None:
    half = np.array([sole.length, sole.width, SOLE_THICKNESS]) / 2.0
    centre = sole.link_p_sole + sole.link_R_sole @ np.array([0.0, 0.0, half[2]])
    spec.body(sole.link).add_geom(
        name=f"{side}_sole",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=half,
        pos=centre,
        quat=quat_wxyz_from_rotation(sole.link_R_sole),
        mass=0.0,
        condim=3,
        friction=[FLOOR_FRICTION, 0.005, 0.0001],
        contype=1,
        conaffinity=1,
        group=SOLE_GROUP,
    )


def _add_drives(spec: Any, robot: RobotModel, unlocked: tuple[str, ...]) -> None:
    body = robot.body
    drives = actuators_of(robot, (*body.kinematics.joints, *unlocked))
    for i, name in enumerate(drives.joints):
        joint = spec.joint(name)
        joint.armature = drives.armature[i]
        joint.damping = np.array([drives.damping[i], 0.0, 0.0])
        joint.frictionloss = drives.friction[i]
        if i < body.kinematics.n:
            joint.range = [body.lower[i], body.upper[i]]
        joint.limited = True
        joint.margin = STOP_MARGIN
        joint.solref_limit = [STOP_TIME, 1.0]
        joint.actfrclimited = False  # the URDF's effort; the drive has its own
        drive = spec.add_actuator(name=name, target=name)
        drive.trntype = mujoco.mjtTrn.mjTRN_JOINT
        drive.gaintype = mujoco.mjtGain.mjGAIN_FIXED
        drive.biastype = mujoco.mjtBias.mjBIAS_AFFINE
        drive.gainprm[0] = 1.0
        drive.forcelimited = True
        drive.forcerange = [-drives.effort[i], drives.effort[i]]
    for mimic in body.mimics:
        tie = spec.add_equality(name=f"{mimic.joint} follows")
        tie.type = mujoco.mjtEq.mjEQ_JOINT
        tie.objtype = mujoco.mjtObj.mjOBJ_JOINT
        tie.name1, tie.name2 = mimic.joint, mimic.leader
        tie.data[:5] = [mimic.offset, mimic.multiplier, 0.0, 0.0, 0.0]


def _add_senses(spec: Any, robot: RobotModel) -> None:
    spec.body(robot.urdf.root).add_site(name="imu")
    for name, kind in (
        ("gyro", mujoco.mjtSensor.mjSENS_GYRO),
        ("accelerometer", mujoco.mjtSensor.mjSENS_ACCELEROMETER),
    ):
        spec.add_sensor(
            name=name, type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="imu"
        )
    links = robot.spec.links
    link = next((links[p] for p in ("Head", "T8") if p in links), robot.urdf.root)
    ahead = 0.12 if "Head" in links else 0.15  # [m] outside the link's shape
    up = 0.08 if "Head" in links else 0.35  # [m] a chest without a head: above it
    world_R_link, position = _neutral_pose(robot, link)
    world_R_camera = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    spec.body(link).add_camera(
        name="head",
        pos=world_R_link.T @ np.array([ahead, 0.0, up]),
        quat=quat_wxyz_from_rotation(world_R_link.T @ world_R_camera),
        fovy=70.0,
    )
    height = max(float(position[2]) + up, 0.5)  # the whole robot is in view
    spec.body(robot.urdf.root).add_camera(
        name="side",
        mode=mujoco.mjtCamLight.mjCAMLIGHT_TRACKCOM,
        pos=robot.body.neutral.world_R_base.T @ np.array([0.8, -2.2, 0.3]) * height,
        quat=quat_wxyz_from_rotation(robot.body.neutral.world_R_base.T @ _SIDE_VIEW),
        fovy=45.0,
    )


def _neutral_pose(robot: RobotModel, link: str) -> tuple[Array, Array]:
    kinematics = robot.body.kinematics
    kinematics.update(robot.body.neutral)
    frame = kinematics.frame(link)
    return kinematics.rotation(frame), kinematics.position(frame)


def _looking(direction: Array) -> Array:
    """Return the axes of a level camera (x right, y up, -z ahead)."""
    z = -direction / np.linalg.norm(direction)
    x = np.cross(np.array([0.0, 0.0, 1.0]), z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


_SIDE_VIEW = _looking(np.array([-0.8, 2.2, -0.35]))
