"""From the samples of a capture to a profile, or to reasons against one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from telexist.calibration.capture_settings import CaptureSettings
from telexist.calibration.heading import find_heading
from telexist.calibration.mean_pose import MeanPose, mean_pose
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.operator_size import Fit, fit_joints, fit_size, fit_turned
from telexist.calibration.pose_average import average_rotation
from telexist.calibration.pose_checks import pose_faults
from telexist.calibration.samples import SegmentSamples
from telexist.calibration.source_traits import SourceTraits
from telexist.calibration.standing_pose import pose_rotation
from telexist.calibration.stillness import motion_faults
from telexist.calibration.worn_points import fit_worn, worn_floor
from telexist.retarget.errors import CalibrationRefused
from telexist.retarget.human_size import HumanSize
from telexist.retarget.so3 import Array, rotation_z

__all__ = ["CaptureConditions", "fit_profile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureConditions:
    """What is known before the capture; see `Capture`."""

    pose: str
    operator: str
    source: str
    traits: SourceTraits
    height: float | None
    size: HumanSize | None
    heading: float | None
    settings: CaptureSettings


def fit_profile(
    samples: Sequence[SegmentSamples], stance: CaptureConditions
) -> OperatorProfile:
    """Average the samples, judge the pose and measure the operator.

    Args:
        samples: Of every segment.
        stance: What is known beforehand.

    Raises:
        CalibrationRefused: With one line for every reason.
    """
    names = tuple(own.segment for own in samples)
    stance = replace(stance, traits=stance.traits.for_segments(names))
    averages = [average_rotation(own.rotations) for own in samples]
    pairs = list(zip(samples, averages, strict=True))
    _refuse([line for s, a in pairs for line in motion_faults(s, a, stance.settings)])
    raw = mean_pose(samples, averages)
    heading = stance.heading
    if heading is None:
        heading = find_heading(raw, stance.traits)
    pose = raw.turned(heading)
    floor = 0.0 if stance.traits.joints else worn_floor(pose, stance.height)
    _refuse(pose_faults(pose, stance.pose, stance.traits, stance.settings, floor=floor))
    fit = _fit(pose, stance)
    _check_height(fit, pose, stance)
    return OperatorProfile(
        operator=stance.operator,
        source=stance.source,
        pose=stance.pose,
        heading=heading,
        origin=rotation_z(heading) @ fit.origin,
        segments=names,
        neutral=np.array([_neutral(raw, heading, stance.pose, n) for n in names]),
        offsets=np.array([fit.offsets.get(name, np.zeros(3)) for name in names]),
        size=fit.size,
        residuals={s.segment: a.spread_deg for s, a in pairs},
    )


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        raise CalibrationRefused(*faults)


def _fit(pose: MeanPose, stance: CaptureConditions) -> Fit:
    if stance.size is not None:
        return fit_size(stance.size, pose)
    if not pose.positions:
        return fit_turned(stance.height)
    if stance.traits.joints:
        return fit_joints(pose, stance.pose, stance.height)
    return fit_worn(pose, stance.pose, stance.height)


def _check_height(fit: Fit, pose: MeanPose, stance: CaptureConditions) -> None:
    settings, height = stance.settings, fit.size.height
    low, high = settings.least_height, settings.most_height
    if pose.positions and not low < height < high:
        raise CalibrationRefused(
            f"the operator seems to be {height:.2f} m tall, not {low} to {high} m: "
            "stand upright, check the source's unit and floor, or state the height"
        )


def _neutral(raw: MeanPose, heading: float, pose: str, segment: str) -> Array:
    """Return world_R_raw in N-pose from the pose in which the operator stood.

    In that pose the calibrated segment must be turned by A = `pose_rotation`, so
    world_R_raw(N) = Rz(psi) A^T Rz(-psi) world_R_raw.
    """
    world_R_here = rotation_z(heading)
    A = pose_rotation(pose, segment)
    return world_R_here @ A.T @ world_R_here.T @ raw.rotations[segment]
