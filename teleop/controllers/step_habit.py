"""Steps that always fall short, or long, are asked for longer, or shorter.

What the model does not know (friction in the joints, a heavier body, the pull of the
swing leg) shifts every step in the same way. The shift is learnt from where feet really
land, so that the robot goes as fast as it is told; a single step that caught a push
teaches little.
"""

from __future__ import annotations

import numpy as np

from retarget.so3 import Array
from teleop.controllers.footsteps import Foothold, planar_rotation, step_bounds
from teleop.controllers.parameters import ControlParameters

__all__ = ["StepHabit"]

SHARE = 0.2  # of what one step teaches
SURPRISE = 0.03  # [m] beyond which a step teaches no more
LARGEST = 0.12  # [m] of a correction


class StepHabit:
    """Learns by how much steps are missed.

    Attributes:
        correction: Added to steps, in the axes of the new foothold (2,) [m].
    """

    def __init__(self) -> None:
        """Start without a correction."""
        self.correction: Array = np.zeros(2)

    def forget(self) -> None:
        """Begin anew."""
        self.correction = np.zeros(2)

    def learn(self, planned: Foothold, landed: Foothold) -> None:
        """See where a foot has landed."""
        missed = planar_rotation(planned.yaw).T @ (planned.p - landed.p)
        missed[1] = 0.0  # sideways the feet keep balance first
        news = np.clip(missed, -SURPRISE, SURPRISE)
        self.correction = np.clip(self.correction + SHARE * news, -LARGEST, LARGEST)

    def corrected(
        self, planned: Foothold, stance: Foothold, parameters: ControlParameters
    ) -> Foothold:
        """Return the step to ask for, within reach."""
        p = planned.p + planar_rotation(planned.yaw) @ self.correction
        R = planar_rotation(stance.yaw)
        inside = np.clip(R.T @ (p - stance.p), *step_bounds(stance.foot, parameters))
        return Foothold(stance.p + R @ inside, planned.yaw, planned.foot)
