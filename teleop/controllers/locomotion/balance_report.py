"""What a balancing robot has to show: balance, support, steps and forces."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import support_corners
from telexist.teleop.controllers.stepping import LEFT, RIGHT
from telexist.teleop.controllers.terms import Intent, Measured

__all__ = ["balance_values"]


def balance_values(
    measured: Measured, intent: Intent, soles: tuple[Sole, Sole], wrenches: Array
) -> dict[str, Array]:
    """Return the values of a report; see `ControllerReport`.

    Args:
        measured: The robot.
        intent: What it is about to do.
        soles: Left and right.
        wrenches: Of the floor on them (2, 6), world axes.
    """
    loaded = [i for i in (LEFT, RIGHT) if intent.feet[i].load > 0.0]
    carrying = loaded or [LEFT, RIGHT]
    return {
        "com": measured.com,
        "dcm": measured.dcm,
        "zmp": intent.zmp,
        "support": support_corners(measured, soles, loaded),
        "footsteps": intent.footholds,
        "floor": measured.sole_p[carrying, 2].mean(keepdims=True),
        "contacts": np.hstack([measured.sole_p, wrenches[:, :3]])[loaded],
    }
