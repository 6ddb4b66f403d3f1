"""How far apart the feet are: near while walking, apart once the robot is to stand."""

from __future__ import annotations

from dataclasses import replace

from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping.footsteps import Foothold, side_by_side

__all__ = ["StepSpacing"]


class StepSpacing:
    """Puts the feet apart in the last step, from where they stand nearly side by side.

    One foot that goes aside brings the robot aside by half its way. Who is to stand
    exactly where it walked to puts both feet aside by the same.

    Attributes:
        apart: Whether the next step is such a one.
        both: Whether both feet go aside, one after the other.
    """

    def __init__(self, parameters: ControlParameters) -> None:
        """Prepare; `start` comes first."""
        self._near, self._wide = parameters.foot_spacing, parameters.stance_spacing
        self._parallel = parameters.gait.parallel
        self._close = parameters.gait.close * parameters.max_step_length
        self.both = False
        self.start()

    def start(self) -> None:
        """Begin to walk."""
        self.apart, self._one_aside = False, False

    @property
    def last(self) -> bool:
        """Whether the robot may stand after the next step."""
        return self.apart and (self._one_aside or not self.both)

    def landed(self, old: Foothold, new: Foothold, *, stay: bool) -> bool:
        """Look at the feet after a step; return whether the robot can stand like that.

        Args:
            old: The foot that stood.
            new: The foot that has landed.
            stay: Whether the robot is to stay where it is.
        """
        aside = self.apart and stay
        done = self.last and stay and self._beside(old, new, self._wide)
        if aside and self.both and not self._one_aside:
            self._one_aside = self._beside(old, new, 0.5 * (self._near + self._wide))
        beside = side_by_side(old, new, self._near, self._close)
        self.apart = stay and (beside or self.apart)
        self._one_aside = self._one_aside and self.apart
        return done

    def of(self, steps: ControlParameters) -> ControlParameters:
        """Return the parameters of the next steps."""
        if not self.apart:
            return steps
        spacing = self._wide if self.last else 0.5 * (self._near + self._wide)
        return replace(steps, foot_spacing=spacing)

    def _beside(self, old: Foothold, new: Foothold, spacing: float) -> bool:
        return side_by_side(old, new, spacing, self._parallel)
