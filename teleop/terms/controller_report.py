"""What a controller has to say after a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from telexist.retarget.so3 import Array
from telexist.teleop.terms.controller_event import ControllerEvent

__all__ = ["ControllerReport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerReport:
    """What a controller wants to be shown and recorded after a step.

    Attributes:
        values: Name to numbers: "com" (3,), "dcm" (2,), "zmp" (2,), "footsteps" (k, 4)
            of x, y, yaw, side, "floor" (1,) its height, ... [m], [rad].
        events: What happened in this step, in order.
    """

    values: Mapping[str, Array]
    events: tuple[ControllerEvent, ...] = ()
