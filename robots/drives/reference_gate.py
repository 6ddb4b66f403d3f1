"""The last word on what goes to real drives: finite, inside, and not too fast.

Real drives take whatever comes: a NaN, 1e9 degrees, a jump. So this comes last before
the socket, knows nothing of what came before it, and trusts nobody.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["ReferenceGate"]

LONGEST_STEP = 0.02  # [s] that one reference may make up for
ROUNDING = 1.0 - 1e-9  # keeps a step below its bound after rounding
CAUGHT_UP = 1e-6  # [deg] nothing is farther than this from what is asked,
CAUGHT_UP_FOR = 0.5  # [s] for so long,
MOVED = 0.5  # [deg] and something has moved by so much: a ramp is over


class ReferenceGate:
    """Bounds references of all driven joints; (n,) in degrees.

    Attributes:
        lower: Lower limits, those of board and model together.
        upper: Upper limits.
        speed: Greatest speeds [deg/s].
        last: The reference that went out last.
        ramping: Whether it is still on its slow way to what is asked.
    """

    def __init__(
        self, names: tuple[str, ...], lower: Array, upper: Array, speed: Array
    ) -> None:
        """Take limits; `start` must come before the first step.

        Raises:
            BadInput: If limits are missing, not finite or contradict each other.
        """
        self._names = names
        limits = (np.array(lower), np.array(upper), np.array(speed))
        self.lower, self.upper, self.speed = limits
        for name, low, high, fast in zip(names, *limits, strict=True):
            finite = np.isfinite([low, high, fast]).all()
            if not (finite and low < high and fast > 0.0):
                raise BadInput(
                    f"{name}: limits {low} to {high} deg, {fast} deg/s: board and "
                    "model leave it no room"
                )
        self.last: Array | None = None
        self.ramping = False
        self._time = self._behind = 0.0
        self._begin = self.lower
        self._ramp_speed = self.speed

    def start(self, measured: Array, now: float, ramp_speed: Array) -> None:
        """Begin where the joints are, slowly.

        Args:
            measured: Where they are [deg].
            now: Time [s].
            ramp_speed: Greatest speeds until they have caught up [deg/s].
        """
        self.last = np.clip(self._finite(measured), self.lower, self.upper)
        self._time, self.ramping = now, True
        self._begin, self._behind = self.last, now
        self._ramp_speed = np.minimum(ramp_speed, self.speed)

    def step(self, wanted: Array, now: float) -> Array:
        """Return the next reference towards what is wanted [deg].

        Raises:
            BadInput: If a value is missing or not finite, or nothing was begun.
        """
        if self.last is None:
            raise BadInput("no reference before the joints' positions are known")
        goal = np.clip(self._finite(wanted), self.lower, self.upper)
        dt = min(max(now - self._time, 0.0), LONGEST_STEP)
        speed = self._ramp_speed if self.ramping else self.speed
        most = speed * (dt * ROUNDING)
        reference = np.clip(goal, self.last - most, self.last + most)
        np.clip(reference, self.lower, self.upper, out=reference)
        self._time, self.last = now, reference
        if self.ramping:
            self._look(np.abs(goal - reference).max(initial=0.0), now)
        return reference.copy()

    def _look(self, behind: float, now: float) -> None:
        """End the slow way once it has led somewhere."""
        if behind > CAUGHT_UP or self.last is None:
            self._behind = now
        elif now - self._behind > CAUGHT_UP_FOR:
            moved = np.abs(self.last - self._begin).max(initial=0.0)
            self.ramping = bool(moved < MOVED)

    def _finite(self, values: Array) -> Array:
        array = np.asarray(values, dtype=np.float64)
        if array.shape != self.lower.shape:
            raise BadInput(
                f"{len(self.lower)} joints are driven, found shape {array.shape}"
            )
        if not np.isfinite(array).all():
            name = self._names[int(np.argmin(np.isfinite(array)))]
            raise BadInput(f"the reference of {name} is not finite; not sent")
        return array
