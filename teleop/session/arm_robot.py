"""Before a real robot moves: what was found is shown, and somebody says yes."""

from __future__ import annotations

from collections.abc import Callable

from telexist.retarget.errors import RobotLost
from telexist.robots.base import Check, NeedsArming

__all__ = ["all_well", "arm_if_confirmed"]


def all_well(checks: list[Check]) -> bool:
    """Say yes without asking: what is not well was refused before."""
    return all(check.well for check in checks)


def arm_if_confirmed(
    robot: NeedsArming, confirm: Callable[[list[Check]], bool]
) -> None:
    """Look at the robot, have it confirmed, and take its joints over.

    Raises:
        RobotLost: If something is not well, nobody confirmed, or a joint cannot be
            taken over; nothing has moved then.
    """
    checks = robot.preflight()
    agreed = confirm(checks)
    wrong = [f"{check.what}: {check.detail}" for check in checks if not check.well]
    if wrong:
        raise RobotLost(f"the robot is not ready: {'; '.join(wrong)}")
    if not agreed:
        raise RobotLost("nobody confirmed: the robot was not moved")
    robot.arm()
