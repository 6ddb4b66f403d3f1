"""One tick as IIT's messages: wearables, the person's state, wrenches, torques."""

from __future__ import annotations

import numpy as np
from telexist.retarget.human import MASS_FRACTIONS
from telexist.retarget.person_dynamics import GroundForces, PersonDynamics
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.robots.yarp.iit import (
    PERSON_JOINTS,
    HumanState,
    SensorStatus,
    WearableSensor,
    human_dynamics_items,
    human_state_items,
    human_wrench_items,
    n_pose_to_t_pose,
    person_angles,
    person_torques,
    suit_sensors,
    wearable_data_items,
)
from telexist.robots.yarp.wire import Bottle, Dialect

__all__ = [
    "dynamics_message",
    "state_message",
    "wearables_message",
    "wrench_message",
]

PRODUCER = "XsensSuit"
ANKLE = 0.08  # [m] over the sole, about which shoes state moments
FEET = ("LeftFoot", "RightFoot")
_NEXT = {
    **LIMBS,
    **{"Pelvis": "L5", "L5": "L3", "L3": "T12", "T12": "T8", "T8": "Neck"},
    **{"Neck": "Head", "LeftFoot": "LeftToe", "RightFoot": "RightToe"},
    **{f"{side}Shoulder": f"{side}UpperArm" for side in ("Left", "Right")},
}
_NEAR = np.arange(len(SEGMENTS))
_FAR = np.array([SEGMENT_INDEX[_NEXT.get(name, name)] for name in SEGMENTS])
_SHARES = np.array([MASS_FRACTIONS[name] for name in SEGMENTS])


def wearables_message(frame: HumanFrame, forces: GroundForces | None) -> Bottle:
    """Return the person as a suit, with shoes where there are forces.

    Segments that are not shown are not in it.
    """
    rows = [SEGMENT_INDEX[name] for name in frame.segments]
    whole = np.tile(np.eye(3), (len(SEGMENTS), 1, 1))
    whole[rows] = frame.rotations
    zeros = np.zeros((len(rows), 3))
    p, v = frame.positions, frame.linear_velocities
    sensors = suit_sensors(
        frame.segments,
        n_pose_to_t_pose(whole)[rows],
        zeros if p is None else p,
        zeros if v is None else v,
        frame.angular_velocities,
    )
    if forces is not None and not forces.in_world:
        sensors += [_shoe(side, forces.wrench[i]) for i, side in enumerate(FEET)]
    return wearable_data_items(PRODUCER, sensors)


def _shoe(foot: str, wrench: Array) -> WearableSensor:
    name = f"{PRODUCER}::ft6D::{foot.removesuffix('Foot')}Shoe"
    if not np.isfinite(wrench).all():
        return WearableSensor("ft6D", name, SensorStatus.TIMEOUT, (0.0,) * 6)
    about_ankle = wrench.copy()
    about_ankle[3:] -= np.cross([0.0, 0.0, ANKLE], wrench[:3])
    return WearableSensor("ft6D", name, SensorStatus.OK, tuple(about_ankle.tolist()))


def state_message(frame: HumanFrame, dialect: Dialect) -> Bottle | None:
    """Return the joints and the base of IIT's model of a person.

    None for a frame without some segments. The centre of mass is that of masses in the
    middle of the segments.
    """
    if frame.segments != SEGMENTS:
        return None
    p, v = frame.positions, frame.linear_velocities
    placed = p if p is not None else np.zeros((len(SEGMENTS), 3))
    moving = v if v is not None else np.zeros((len(SEGMENTS), 3))
    angles = person_angles(n_pose_to_t_pose(frame.rotations))
    state = HumanState(
        joints=PERSON_JOINTS,
        positions=angles,
        velocities=np.zeros(0),
        base="Pelvis",
        world_p_base=placed[0],
        base_quat_wxyz=quat_wxyz_from_rotation(frame.rotations[0]),
        base_velocity=np.concatenate([moving[0], frame.angular_velocities[0]]),
        com=_com(placed),
        com_velocity=_com(moving),
    )
    return human_state_items(state, dialect)


def _com(points: Array) -> Array:
    middles = 0.5 * (points[_NEAR] + points[_FAR])
    mean: Array = _SHARES @ middles
    return mean


def wrench_message(
    dynamics: PersonDynamics, frame: HumanFrame, dialect: Dialect
) -> Bottle | None:
    """Return the wrenches of the ground on the feet, in the feet's axes at the ankles.

    Args:
        dynamics: Of the person.
        frame: The person at about that time.
        dialect: Of YARP.
    """
    if any(foot not in frame.segments for foot in FEET):
        return None
    wrenches = {}
    for side, foot in enumerate(FEET):
        R = frame.rotations[frame.segments.index(foot)]
        wrench = dynamics.foot_wrenches[side]
        wrenches[foot] = np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
    return human_wrench_items(wrenches, dialect)


def dynamics_message(
    dynamics: PersonDynamics, frame: HumanFrame, dialect: Dialect
) -> Bottle | None:
    """Return the torques about the joints of IIT's model of a person."""
    if frame.segments != SEGMENTS:
        return None
    angles = person_angles(n_pose_to_t_pose(frame.rotations))
    torques = person_torques(angles, dynamics.moments)
    named = dict(zip(PERSON_JOINTS, torques.tolist(), strict=True))
    return human_dynamics_items(named, dialect)
