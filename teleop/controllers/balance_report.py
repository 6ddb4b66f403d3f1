"""What a balancing robot has to show: balance, support, steps and forces."""

from __future__ import annotations

import numpy as np

from retarget.robot_body import Sole
from retarget.so3 import Array
from teleop.controllers.footsteps import LEFT, RIGHT
from teleop.controllers.intent import Intent
from teleop.controllers.measured import Measured
from teleop.controllers.support_polygon import support_corners

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
