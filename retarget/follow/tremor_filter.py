"""Takes the tremor of bad sensors out of a person's orientations, and nothing else.

Noise goes to and fro from frame to frame: the second differences s of what trembles
have E[s_k s_k-1] = -4 times its variance. A motion is smooth, its second differences
have one sign from frame to frame; so a person who is seen clearly is left as he is.

What trembles is averaged over a third of a second while it is no farther from its mean
than noise takes it, and is believed the more the farther it is; at four times the
tremor at once. So a motion is never late by more than 2.2 tremors.

Robots stand in N-pose with joints at their limits: elbows that cannot bend backwards,
arms that touch the body. There noise could move a joint one way only, and the robot
would not be neutral even in the mean.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.follow.steady import LEAST, Tremor, hold_steady
from telexist.retarget.signals import HumanFrame

__all__ = ["TremorFilter"]


class TremorFilter:
    """Follows frames without their tremor; one person, one source."""

    def __init__(self) -> None:
        """Know nothing of the noise."""
        self.reset()

    def reset(self) -> None:
        """Forget the frames so far."""
        self._tremor: Tremor | None = None
        self._segments: tuple[str, ...] = ()
        self._stamp = 0.0

    @property
    def age(self) -> float:
        """How long the person has been followed [s]."""
        return 0.0 if self._tremor is None else float(self._tremor.age[0])

    @property
    def trembles(self) -> bool:
        """Whether a segment trembles so much that it is averaged."""
        return self._tremor is not None and self._tremor.variance.max() > LEAST**2

    def step(self, frame: HumanFrame) -> HumanFrame:
        """Return a frame without its tremor; velocities and places are as they were.

        Args:
            frame: The newest frame. One that is not later than the last, or has other
                segments, is a first frame.
        """
        dt = frame.stamp - self._stamp
        self._stamp = frame.stamp
        if self._tremor is None or frame.segments != self._segments or dt <= 0.0:
            self._segments, self._tremor = frame.segments, _first(frame)
            return frame
        hold_steady(self._tremor, np.ascontiguousarray(frame.rotations), dt)
        return replace(frame, rotations=self._tremor.steady)


def _first(frame: HumanFrame) -> Tremor:
    s = len(frame.segments)
    return Tremor(
        steady=frame.rotations.copy(),
        seen=frame.rotations.copy(),
        step=np.zeros((s, 3)),
        bend=np.zeros((s, 3)),
        variance=np.zeros(s),
        age=np.zeros(1),
    )
