"""The report on a retargeted motion: every number that says how good it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from telexist.retarget.errors import BadInput
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.metrics.balance import BalanceReport, measure_balance
from telexist.retarget.metrics.collisions import Collisions, find_collisions
from telexist.retarget.metrics.feet import (
    FeetReport,
    SoleMotion,
    measure_feet,
    sole_motions,
)
from telexist.retarget.metrics.limits import LimitsReport, measure_limits
from telexist.retarget.metrics.link_motion import link_motion
from telexist.retarget.metrics.playable import obstacles, verdict
from telexist.retarget.metrics.second_pass import PassFigures, SecondPassReport
from telexist.retarget.metrics.smoothness import JointMotionReport, measure_joint_motion
from telexist.retarget.metrics.stance import StanceReport, measure_stance
from telexist.retarget.metrics.timing import TimingReport, measure_timing
from telexist.retarget.metrics.tracking import Tracking, TrackingErrors, tracking_errors
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.signals import HumanClip, RobotMotion

__all__ = ["REPORT_VERSION", "Report", "Series", "make_report"]

REPORT_VERSION = 2  # raised when a key changes its meaning
TRANSIENT = 1.0  # [s] left out of the second set of errors


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """What the report was made from, for pictures; not part of the JSON."""

    errors: TrackingErrors
    soles: Mapping[str, SoleMotion]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report:
    """All numbers on one motion of one robot; SI units unless the name says.

    Attributes:
        clip: Name of the human motion.
        source: Where it came from.
        robot: Name of the robot.
        frames: How many.
        duration: Of the motion [s].
        leg_ratio: Leg of the robot over leg of the person; 1 for a robot without legs.
        notes: What the reader found or assumed.
        whole_clip: Tracking errors over all times.
        after_first_second: The same without the first second; None for a shorter clip.
        limits: Position, velocity and coupling limits.
        feet: Soles on the floor; None for a robot without feet.
        stance: Soles while the person's feet stand, judged from the recording alone.
        collisions: The robot with itself.
        joints: Speed and jerk.
        balance: What floor and drives would have to give; None if the robot's masses
            are unknown, or it has no soles.
        second_pass: Price and gain of the second pass; None without one.
        timing: Of the steps; None if not measured.
        series: The errors at every time.
    """

    clip: str
    source: str
    robot: str
    frames: int
    duration: float
    leg_ratio: float
    notes: tuple[str, ...]
    whole_clip: Tracking
    after_first_second: Tracking | None
    limits: LimitsReport
    feet: FeetReport | None
    stance: StanceReport | None
    collisions: Collisions
    joints: JointMotionReport
    balance: BalanceReport | None
    second_pass: SecondPassReport | None
    timing: TimingReport | None
    series: Series

    @property
    def obstacles(self) -> tuple[str, ...]:
        """What stands in the way of playing the motion."""
        return obstacles(self.limits, self.stance, self.collisions, self.balance)

    @property
    def verdict(self) -> str:
        """One line: playable or not, and why."""
        line = verdict(self.obstacles, balance_known=self.balance is not None)
        passed = self.second_pass
        return line if passed is None or passed.kept else f"{line} ({passed.note})"

    def to_json(self) -> dict[str, object]:
        """Return plain tables for `json`, units in the keys, no NaN."""
        after = self.after_first_second
        return {
            "format_version": REPORT_VERSION,
            "verdict": self.verdict,
            "obstacles": list(self.obstacles),
            "clip": self.clip,
            "source": self.source,
            "robot": self.robot,
            "frames": self.frames,
            "duration_s": self.duration,
            "leg_ratio": self.leg_ratio,
            "notes": list(self.notes),
            "whole_clip": self.whole_clip.to_json(),
            "after_first_second": after.to_json() if after else None,
            "limits": self.limits.to_json(),
            "feet": self.feet.to_json() if self.feet else None,
            "stance": self.stance.to_json() if self.stance else None,
            "self_collision": self.collisions.to_json(),
            "joints": self.joints.to_json(),
            "balance": self.balance.to_json() if self.balance else None,
            "second_pass": self.second_pass.to_json() if self.second_pass else None,
            "timing": self.timing.to_json() if self.timing else None,
        }


def make_report(
    clip: HumanClip,
    body: RobotBody,
    motion: RobotMotion,
    step_times: ArrayLike = (),
    *,
    hulls: Sequence[LinkHull] = (),
    masses: RobotMasses | None = None,
    before: RobotMotion | None = None,
    refusals: tuple[str, ...] = (),
) -> Report:
    """Measure a retargeted motion.

    Args:
        clip: The human motion.
        body: The robot.
        motion: Its motion, at the times of the clip.
        step_times: What each step took [s]; empty if not measured.
        hulls: Convex collision shapes of the links; empty if unknown.
        masses: Of the robot; None leaves balance unjudged.
        before: The motion before the second pass; None if there was none, `motion`
            itself if it was not kept.
        refusals: Why tries of that pass were refused.

    Raises:
        BadInput: If clip and motion differ in length, or the robot plays no segment.
        UnknownName: If the motion lacks one of the robot's joints.
    """
    if len(clip) != len(motion.time):
        raise BadInput(
            f"{clip.name} has {len(clip)} frames, the motion of {motion.robot} has "
            f"{len(motion.time)}: a report compares them frame by frame"
        )
    carriers = [sole.link for sole in body.soles.values()]
    links = link_motion(body, motion, (*body.links.values(), *carriers))
    errors = tracking_errors(clip, body, links)
    whole = errors.summary()
    if whole is None:
        raise BadInput(f"robot {body.name} has no link that plays a human segment")
    soles = sole_motions(body, motion, links)
    duration = float(clip.time[-1] - clip.time[0])
    joints = measure_joint_motion(body, motion)
    balance = measure_balance(body, motion, masses)
    after = _pass_figures(whole, joints, balance)
    passed = _second_pass(clip, body, before, masses, after)
    if passed is not None:
        passed = replace(passed, kept=before is not motion, refusals=refusals)
    told = (passed.note,) if passed is not None and passed.note else ()
    return Report(
        clip=clip.name,
        source=clip.source,
        robot=motion.robot,
        frames=len(clip),
        duration=duration,
        leg_ratio=_leg_ratio(body, clip),
        notes=(*clip.notes, *told),
        whole_clip=whole,
        after_first_second=errors.summary(TRANSIENT),
        limits=measure_limits(body, motion),
        feet=measure_feet(np.asarray(motion.time), soles),
        stance=measure_stance(clip, motion, soles),
        collisions=find_collisions(body, motion, hulls),
        joints=joints,
        balance=balance,
        second_pass=passed,
        timing=measure_timing(step_times, duration),
        series=Series(errors=errors, soles=soles),
    )


def _pass_figures(
    tracking: Tracking, joints: JointMotionReport, balance: BalanceReport | None
) -> PassFigures:
    limbs = tracking.limb_direction_deg
    return PassFigures(
        limb_error_deg=limbs.mean if limbs else None,
        jerk_rms=joints.jerk_rms,
        balance=balance,
    )


def _second_pass(
    clip: HumanClip,
    body: RobotBody,
    before: RobotMotion | None,
    masses: RobotMasses | None,
    after: PassFigures,
) -> SecondPassReport | None:
    if before is None:
        return None
    links = link_motion(body, before, body.links.values())
    tracking = tracking_errors(clip, body, links).summary()
    if tracking is None:
        return None
    joints = measure_joint_motion(body, before)
    was = _pass_figures(tracking, joints, measure_balance(body, before, masses))
    return SecondPassReport(before=was, after=after)


def _leg_ratio(body: RobotBody, clip: HumanClip) -> float:
    leg = body.leg_length
    return leg / clip.size.leg_length if leg > 0.0 else 1.0
