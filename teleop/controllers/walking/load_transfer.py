"""How much each foot may carry while the weight goes from one to the other."""

from __future__ import annotations

from telexist.teleop.controllers.parameters import WalkingParameters

__all__ = ["handed_over", "leaving"]


def leaving(share: float, p: WalkingParameters) -> float:
    """Return what a foot may carry when a share of the way off it is done."""
    return max(p.leaving_load, p.standing_load * (1.0 - share))


def handed_over(
    share: float, since: float, carried: float, p: WalkingParameters
) -> tuple[float, float]:
    """Return what the foot that has landed and the one behind may carry.

    Args:
        share: Of the way of the pressure that is done, 0 to 1.
        since: Landing, as a share of the double support.
        carried: By the foot behind now; it may have left the floor already.
        p: Of walking.
    """
    most = max(p.leaving_load, carried + p.trailing_load)
    return p.landed_load + p.load_growth * since, min(leaving(share, p), most)
