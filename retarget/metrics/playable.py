"""Whether a robot could play a motion, in one line."""

from __future__ import annotations

from telexist.retarget.metrics.balance import BalanceReport
from telexist.retarget.metrics.collisions import Collisions
from telexist.retarget.metrics.limits import LimitsReport
from telexist.retarget.metrics.stance import StanceReport

__all__ = ["obstacles", "verdict"]

SLIDE = 0.02  # [m/s] p95 of feet that should stand
HOVER = 0.01  # [m] p95 of the same
HELD = 0.95  # share of planted feet that must be held
BALANCED = 0.9  # share of supported frames with the ZMP inside the soles
BESIDE = 0.005  # [m] of the centre of mass in a still one-leg stance
FEW = 0.01  # share of frames that may float or collide


def obstacles(
    limits: LimitsReport,
    stance: StanceReport | None,
    collisions: Collisions,
    balance: BalanceReport | None = None,
) -> tuple[str, ...]:
    """Return what stands in the way of playing a motion, worst kinds first."""
    found = []
    if limits.violations:
        found.append("limits are crossed")
    found += _on_the_floor(stance) if stance is not None else []
    found += _in_balance(balance) if balance is not None else []
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


def _in_balance(balance: BalanceReport) -> list[str]:
    found = []
    if balance.zmp_inside is not None and balance.zmp_inside < BALANCED:
        out = 1.0 - balance.zmp_inside
        found.append(f"the ZMP is outside the soles in {out:.0%} of supported frames")
    if balance.beside is not None and balance.beside > BESIDE:
        found.append(
            f"still on one leg, the centre of mass is {1e3 * balance.beside:.0f} mm "
            "beside the sole"
        )
    if balance.beyond_effort is not None and balance.beyond_effort > FEW:
        found.append(
            f"drives lack torque in {balance.beyond_effort:.0%} of frames, "
            f"{balance.weakest} most"
        )
    return found


def verdict(found: tuple[str, ...], *, balance_known: bool = False) -> str:
    """Return the line at the top of a report.

    Args:
        found: What stands in the way.
        balance_known: Whether balance and torques were judged.
    """
    if found:
        return f"not playable as it is: {'; '.join(found)}"
    how = "playable" if balance_known else "kinematically playable"
    return f"{how}: nothing found that stands in the way"
