"""Whether a robot could play a motion, in one line."""

from __future__ import annotations

from telexist.retarget.metrics.collisions import Collisions
from telexist.retarget.metrics.limits import LimitsReport
from telexist.retarget.metrics.stance import StanceReport

__all__ = ["obstacles", "verdict"]

SLIDE = 0.02  # [m/s] p95 of feet that should stand
HOVER = 0.01  # [m] p95 of the same
HELD = 0.95  # share of planted feet that must be held
FEW = 0.01  # share of frames that may float or collide


def obstacles(
    limits: LimitsReport, stance: StanceReport | None, collisions: Collisions
) -> tuple[str, ...]:
    """Return what stands in the way of playing a motion, worst kinds first."""
    found = []
    if limits.violations:
        found.append("limits are crossed")
    found += _on_the_floor(stance) if stance is not None else []
    if collisions.checked:
        deep, sunk = (
            count / collisions.checked
            for count in (collisions.deep_frames, collisions.floor_frames)
        )
        if deep > FEW:
            found.append(f"limbs pass through each other in {deep:.0%} of frames")
        if sunk > FEW:
            found.append(f"a body is below the floor in {sunk:.0%} of frames")
    return tuple(found)


def _on_the_floor(stance: StanceReport) -> list[str]:
    found = []
    if stance.hover is not None and stance.hover > HOVER:
        found.append(f"standing feet hover by {1e3 * stance.hover:.0f} mm")
    if stance.slide is not None and stance.slide > SLIDE:
        found.append(f"standing feet slide at {1e3 * stance.slide:.0f} mm/s")
    if stance.held is not None and stance.held < HELD:
        found.append(f"only {stance.held:.0%} of planted feet are held")
    if stance.floating is not None and stance.floating > FEW:
        found.append(f"floats in {stance.floating:.0%} of frames")
    return found


def verdict(found: tuple[str, ...]) -> str:
    """Return the line at the top of a report.

    Balance and torques are not judged here.
    """
    if not found:
        return "kinematically playable: nothing found that stands in the way"
    return f"not playable as it is: {'; '.join(found)}"
