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
from telexist.retarget.so3 import Array
from telexist.retarget.whole_clip import (
    FollowedLimbs,
    FollowedLinks,
    following_errors,
    limb_angles,
    turning_rates,
)

__all__ = ["Tracking", "TrackingErrors", "tracking_errors"]


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


def tracking_errors(
    clip: HumanClip, body: RobotBody, links: LinkMotion
) -> TrackingErrors:
    """Compare a robot's motion with the person's at every time.

    Wanted is [T] (10.1): R*_wR = R_wH R_HR, relative to a segment of the person for a
    robot whose base is fixed.

    Args:
        clip: The person.
        body: The robot.
        links: Its mapped links at the times of the clip.
    """
    maps = fixed_rotation_map(body)
    segments = tuple(maps)
    pairs = _followed_links(body, maps, links)
    orientation, trace, wanted = following_errors(
        pairs, clip.rotations, links.rotations
    )
    if body.fixed_base:
        w_wanted = turning_rates(wanted, clip.time)
    else:
        w_wanted = clip.angular_velocities[:, pairs.segments]
    w_actual = turning_rates(links.rotations, clip.time)[:, pairs.links]
    limbs = tuple(s for s in LIMBS if s in body.limb_directions and s in body.links)
    angles = limb_angles(
        _followed_limbs(body, limbs, links),
        (clip.positions, clip.rotations),
        links.rotations,
    )
    return TrackingErrors(
        time=clip.time,
        segments=segments,
        orientation=orientation,
        trace=trace,
        angular_velocity=w_wanted - w_actual,
        limbs=limbs,
        limb_direction=angles,
    )


def _followed_links(
    body: RobotBody, maps: Mapping[str, Array], links: LinkMotion
) -> FollowedLinks:
    reference = reference_segment(body)
    seen_from = -1 if reference is None else SEGMENT_INDEX[reference]
    return FollowedLinks(
        segments=np.array([SEGMENT_INDEX[name] for name in maps], dtype=np.int64),
        links=np.array(
            [links.links.index(body.links[s]) for s in maps], dtype=np.int64
        ),
        human_R_robot=np.array(list(maps.values())).reshape(-1, 3, 3),
        reference=np.array([seen_from], dtype=np.int64),
    )


def _followed_limbs(
    body: RobotBody, limbs: tuple[str, ...], links: LinkMotion
) -> FollowedLimbs:
    reference = reference_segment(body)
    seen_from = -1 if reference is None else SEGMENT_INDEX[reference]
    return FollowedLimbs(
        starts=np.array([SEGMENT_INDEX[limb] for limb in limbs], dtype=np.int64),
        ends=np.array([SEGMENT_INDEX[LIMBS[limb]] for limb in limbs], dtype=np.int64),
        links=np.array(
            [links.links.index(body.links[n]) for n in limbs], dtype=np.int64
        ),
        directions=np.array([body.limb_directions[n] for n in limbs]).reshape(-1, 3),
        reference=np.array([seen_from], dtype=np.int64),
    )


def _by_name(names: tuple[str, ...], values: Array) -> dict[str, Spread]:
    return dict(zip(names, Spread.of_columns(values), strict=True)) if names else {}
