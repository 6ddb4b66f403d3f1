"""The second pass, asked what became of the motion before it is believed.

Where feet, depth, limbs or limits are worse than before by more than a small margin, or
the equations have no answer, soles are held more stiffly and it is tried once more;
then the motion stays as the engine gave it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.ahead import AheadSettings, see_ahead
from telexist.retarget.errors import QpFailed
from telexist.retarget.metrics.feet import measure_feet, sole_motions
from telexist.retarget.metrics.limits import measure_limits
from telexist.retarget.metrics.link_motion import link_motion
from telexist.retarget.metrics.stance import measure_stance
from telexist.retarget.metrics.tracking import tracking_errors
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.signals import HumanClip, RobotMotion

__all__ = ["GuardedPass", "guarded_pass", "stiffened"]

SLIDE = (0.020, 0.005)  # [m/s] that are small enough, and by which more is worse
HOVER = (0.010, 0.002)  # [m] the same, of the lowest corner
DEPTH = (0.001, 0.001)  # [m] the same, below the floor
LIMBS = 3.0  # [deg] of the mean by which more is worse

SecondPass = Callable[
    [RobotBody, RobotMotion, RobotMasses | None, AheadSettings], RobotMotion
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GuardedPass:
    """What became of a second pass.

    Attributes:
        motion: To be used: that of the pass, or the one before it.
        before: The one before it.
        kept: Whether the motion is that of the pass.
        refusals: Why a first, and a second try were refused; () if the first was kept.
    """

    motion: RobotMotion
    before: RobotMotion
    kept: bool
    refusals: tuple[str, ...]


def stiffened(settings: AheadSettings) -> AheadSettings:
    """Return settings that hold soles before they balance."""
    return replace(
        settings,
        cutoff=2.0 * settings.cutoff,
        hold=3.0 * settings.hold,
        tilt=max(settings.tilt, settings.hold),
        still=3.0 * settings.still,
        swing=20.0 * settings.swing,
        balance=0.1 * settings.balance,
    )


def guarded_pass(
    clip: HumanClip,
    body: RobotBody,
    motion: RobotMotion,
    masses: RobotMasses | None = None,
    settings: AheadSettings | None = None,
    *,
    second_pass: SecondPass = see_ahead,
) -> GuardedPass:
    """Return the motion of the second pass if it is not worse than the given one.

    Args:
        clip: The human motion, which says when feet stand.
        body: The robot.
        motion: Of that robot, as the engine gives it.
        masses: Of the robot; None smooths only.
        settings: What counts how much.
        second_pass: What goes over the motion.
    """
    wanted = settings or AheadSettings()
    refusals: tuple[str, ...] = ()
    was: _Figures | None = None
    for tried in (wanted, stiffened(wanted)):
        try:
            found = second_pass(body, motion, masses, tried)
        except QpFailed as error:
            refusals += (str(error),)
            continue
        if not _finite(found):
            refusals += ("its motion is not finite",)
            continue
        was = was or _figures(clip, body, motion)
        worse = _worse(was, _figures(clip, body, found))
        if not worse:
            return GuardedPass(
                motion=found, before=motion, kept=True, refusals=refusals
            )
        refusals += (worse,)
    return GuardedPass(motion=motion, before=motion, kept=False, refusals=refusals)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """What must not be worse; 0 where there is nothing to measure."""

    slide: float
    hover: float
    depth: float
    limbs: float
    violations: int


def _figures(clip: HumanClip, body: RobotBody, motion: RobotMotion) -> _Figures:
    carriers = [sole.link for sole in body.soles.values()]
    links = link_motion(body, motion, (*body.links.values(), *carriers))
    soles = sole_motions(body, motion, links)
    stance, feet = measure_stance(clip, motion, soles), measure_feet(motion.time, soles)
    errors = tracking_errors(clip, body, links).summary()
    limbs = errors.limb_direction_deg if errors else None
    return _Figures(
        slide=(stance.slide if stance else None) or 0.0,
        hover=(stance.hover if stance else None) or 0.0,
        depth=feet.depth if feet else 0.0,
        limbs=limbs.mean if limbs else 0.0,
        violations=measure_limits(body, motion).violations,
    )


def _worse(was: _Figures, now: _Figures) -> str:
    """Return what is worse, in words; "" if nothing is."""
    found = []
    if now.slide > max(was.slide, SLIDE[0]) + SLIDE[1]:
        found.append(
            f"standing feet slide at {1e3 * now.slide:.0f} mm/s instead of "
            f"{1e3 * was.slide:.0f}"
        )
    if now.hover > max(was.hover, HOVER[0]) + HOVER[1]:
        found.append(
            f"standing feet hover by {1e3 * now.hover:.0f} mm instead of "
            f"{1e3 * was.hover:.0f}"
        )
    if now.depth > max(was.depth, DEPTH[0]) + DEPTH[1]:
        found.append(f"soles are {1e3 * now.depth:.0f} mm in the floor")
    if now.limbs > was.limbs + LIMBS:
        found.append(f"limbs err by {now.limbs:.1f} deg instead of {was.limbs:.1f}")
    if now.violations > was.violations:
        found.append(f"{now.violations} samples are beyond a limit")
    return ", ".join(found)


def _finite(motion: RobotMotion) -> bool:
    arrays = (motion.joint_positions, motion.base_position, motion.base_rotation)
    return all(bool(np.isfinite(array).all()) for array in arrays)
