"""How much each foot may carry while the weight goes from one to the other."""

from __future__ import annotations

__all__ = ["FREE", "handed_over", "leaving"]

FREE = 2.0  # body weights that a standing foot may carry
LEAST = 0.02  # of a foot that is about to leave the floor
LANDED = 0.15  # of one that has just landed
GROWTH = 3.0  # by which it may carry more over a double support
OLD_LOAD = 0.2  # that the foot behind may take more than it has


def leaving(share: float) -> float:
    """Return what a foot may carry when a share of the way off it is done."""
    return max(LEAST, FREE * (1.0 - share))


def handed_over(share: float, since: float, carried: float) -> tuple[float, float]:
    """Return what the foot that has landed and the one behind may carry.

    Args:
        share: Of the way of the pressure that is done, 0 to 1.
        since: Landing, as a share of the double support.
        carried: By the foot behind now; it may have left the floor already.
    """
    behind = min(leaving(share), max(LEAST, carried + OLD_LOAD))
    return LANDED + GROWTH * since, behind
