"""How far apart the feet are: near while walking, apart once the robot is to stand."""

from __future__ import annotations

from dataclasses import replace

from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping.footsteps import Foothold, side_by_side

__all__ = ["StepSpacing"]


class StepSpacing:
    """Puts the feet apart in the last step, from where they stand nearly side by side.

    Attributes:
        apart: Whether the next step is such a one.
    """

    def __init__(self, parameters: ControlParameters) -> None:
        """Prepare; `start` comes first."""
        self._near, self._wide = parameters.foot_spacing, parameters.stance_spacing
        self._parallel = parameters.gait.parallel
        self._close = parameters.gait.close * parameters.max_step_length
        self.apart = False

    def start(self) -> None:
        """Begin to walk."""
        self.apart = False

    def landed(self, old: Foothold, new: Foothold, *, stay: bool) -> bool:
        """Look at the feet after a step; return whether the robot can stand like that.

        Args:
            old: The foot that stood.
            new: The foot that has landed.
            stay: Whether the robot is to stay where it is.
        """
        done = (
            self.apart and stay and side_by_side(old, new, self._wide, self._parallel)
        )
        beside = side_by_side(old, new, self._near, self._close)
        self.apart = stay and (beside or self.apart)
        return done

    def of(self, steps: ControlParameters) -> ControlParameters:
        """Return the parameters of the next steps."""
        return replace(steps, foot_spacing=self._wide) if self.apart else steps
