"""How closely the robot's links and limbs follow the person's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.metrics.link_motion import LinkMotion
from telexist.retarget.metrics.spread import Spread
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.rotation_map import fixed_rotation_map, reference_segment
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, angle_between, angular_velocities, log_so3

__all__ = ["Tracking", "TrackingErrors", "target_rotations", "tracking_errors"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrackingErrors:
    """Errors at every time.

    Attributes:
        time: (t,) [s].
        segments: The k mapped human segments.
        orientation: Angle between wanted and actual link orientation (t, k) [rad].
        trace: tr(I - h^T R*) / 2 of [R] (15), in [0, 2] (t, k).
        angular_velocity: Wanted minus actual, world axes (t, k, 3) [rad/s].
        limbs: The l limb segments that the robot has.
        limb_direction: Angle between the person's limb and the robot's (t, l) [rad].
    """

    time: Array
    segments: tuple[str, ...]
    orientation: Array
    trace: Array
    angular_velocity: Array
    limbs: tuple[str, ...]
    limb_direction: Array

    def summary(self, start: float = 0.0) -> Tracking | None:
        """Summarise from `start` [s] after the first frame; None if nothing is left."""
        kept = self.time >= self.time[0] + start
        orientation = np.degrees(self.orientation[kept])
        overall = Spread.of(orientation)
        if overall is None:
            return None
        limb_direction = np.degrees(self.limb_direction[kept])
        return Tracking(
            orientation_deg=overall,
            orientation_deg_by_segment=_by_name(self.segments, orientation),
            mnte=float(self.trace[kept].mean()),
            angular_velocity_rmse=float(
                np.sqrt(np.mean(self.angular_velocity[kept] ** 2))
            ),
            limb_direction_deg=Spread.of(limb_direction),
            limb_direction_deg_by_limb=_by_name(self.limbs, limb_direction),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracking:
    """Errors over a stretch of time.

    Attributes:
        orientation_deg: Link orientation error, all mapped links.
        orientation_deg_by_segment: The same for each mapped human segment.
        mnte: Mean normalised trace error [R] (15).
        angular_velocity_rmse: [R] (16) over links and times [rad/s].
        limb_direction_deg: Limb direction error, all limbs; None without limbs.
        limb_direction_deg_by_limb: The same for each limb.
    """

    orientation_deg: Spread
    orientation_deg_by_segment: Mapping[str, Spread]
    mnte: float
    angular_velocity_rmse: float
    limb_direction_deg: Spread | None
    limb_direction_deg_by_limb: Mapping[str, Spread]

    def to_json(self) -> dict[str, object]:
        """Return plain tables, units in the keys."""
        limbs = self.limb_direction_deg
        return {
            "orientation_error_deg": self.orientation_deg.to_json(),
            "orientation_error_by_segment_deg": {
                name: s.to_json() for name, s in self.orientation_deg_by_segment.items()
            },
            "mnte": self.mnte,
            "angular_velocity_rmse_rad_s": self.angular_velocity_rmse,
            "limb_direction_error_deg": limbs.to_json() if limbs else None,
            "limb_direction_error_by_limb_deg": {
                name: s.to_json() for name, s in self.limb_direction_deg_by_limb.items()
            },
        }


def target_rotations(body: RobotBody, rotations: Array) -> dict[str, Array]:
    """Return the wanted `world_R_link` (..., 3, 3) of every mapped segment.

    [T] (10.1): R*_wR = R_wH R_HR, relative to a segment of the person for a fixed base.

    Args:
        body: The robot.
        rotations: `world_R_segment` of all 23 segments (..., 23, 3, 3).
    """
    reference_R_world = _seen_from_reference(body, rotations)
    return {
        segment: reference_R_world
        @ rotations[..., SEGMENT_INDEX[segment], :, :]
        @ human_R_robot
        for segment, human_R_robot in fixed_rotation_map(body).items()
    }


def tracking_errors(
    clip: HumanClip, body: RobotBody, links: LinkMotion
) -> TrackingErrors:
    """Compare a robot's motion with the person's at every time.

    Args:
        clip: The person.
        body: The robot.
        links: Its mapped links at the times of the clip.
    """
    targets = target_rotations(body, clip.rotations)
    t = len(clip)
    segments = tuple(targets)
    orientation, trace = np.empty((t, len(segments))), np.empty((t, len(segments)))
    w_error = np.empty((t, len(segments), 3))
    for k, (segment, wanted) in enumerate(targets.items()):
        actual = links.rotation(body.links[segment])
        error = np.swapaxes(actual, -1, -2) @ wanted
        orientation[:, k] = np.linalg.norm(log_so3(error), axis=-1)
        trace[:, k] = (3.0 - np.trace(error, axis1=-2, axis2=-1)) / 2.0
        if body.fixed_base:
            w_wanted = angular_velocities(wanted, clip.time)
        else:
            w_wanted = clip.angular_velocities[:, SEGMENT_INDEX[segment]]
        w_error[:, k] = w_wanted - angular_velocities(actual, clip.time)
    limbs = tuple(s for s in LIMBS if s in body.limb_directions and s in body.links)
    angles = [_limb_angle(clip, body, links, limb) for limb in limbs]
    return TrackingErrors(
        time=clip.time,
        segments=segments,
        orientation=orientation,
        trace=trace,
        angular_velocity=w_error,
        limbs=limbs,
        limb_direction=np.stack(angles, axis=1) if angles else np.empty((t, 0)),
    )


def _seen_from_reference(body: RobotBody, rotations: Array) -> Array:
    """Return `reference_R_world` (..., 3, 3); identity without a reference."""
    reference = reference_segment(body)
    if reference is None:
        return np.eye(3)
    return np.swapaxes(rotations[..., SEGMENT_INDEX[reference], :, :], -1, -2)


def _limb_angle(
    clip: HumanClip, body: RobotBody, links: LinkMotion, limb: str
) -> Array:
    start, end = SEGMENT_INDEX[limb], SEGMENT_INDEX[LIMBS[limb]]
    along = clip.positions[:, end] - clip.positions[:, start]
    reference_R_world = _seen_from_reference(body, clip.rotations)
    human = (reference_R_world @ along[..., None])[..., 0]
    robot = links.rotation(body.links[limb]) @ body.limb_directions[limb]
    return angle_between(human, robot)


def _by_name(names: tuple[str, ...], values: Array) -> dict[str, Spread]:
    spreads = {name: Spread.of(values[:, k]) for k, name in enumerate(names)}
    return {name: spread for name, spread in spreads.items() if spread is not None}
