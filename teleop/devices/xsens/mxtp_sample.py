"""Several messages of one MVN sample, made into one pose.

MVN sends each kind of data that its user ticked as a message of its own, all with the
same sample counter. A sample is complete when every kind that came with the sample
before is there, so nothing is waited for that does not come; what is still missing when
the next sample begins goes without it.

Orientations come from one kind, the best at the begin. While that kind is only missing
now and then, no other one replaces it: a single spoilt byte makes a 01 of a 21.
"""

from __future__ import annotations

from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.xsens.mxtp_pose import MvnBody

__all__ = ["SampleCollector"]

_ROTATIONS_FROM = ("02", "22", "05", "01")  # best first
_POSITIONS_FROM = ("02", "21", "05", "01")
PATIENCE = 30  # samples without the usual kind before another one is taken


class SampleCollector:
    """Collects the messages of the newest sample."""

    def __init__(self) -> None:
        self._states: dict[str, MvnBody] = {}
        self._expected: frozenset[str] = frozenset()
        self._done = False
        self._usual: str | None = None
        self._missed = 0

    def begin(self) -> MvnBody | None:
        """Start a new sample; return the last one if it was still waiting.

        It waited for a kind that did not come; it has rotations at least.
        """
        waiting = None if self._done else self._pose()
        self._expected = frozenset(self._states)
        self._missed = 0 if self._usual in self._states else self._missed + 1
        self._states, self._done = {}, False
        return waiting

    def clear(self) -> None:
        """Forget everything."""
        self._states, self._done = {}, False
        self._expected = frozenset()
        self._usual, self._missed = None, 0

    def add(self, kind: str, state: MvnBody) -> MvnBody | None:
        """Take a message of the sample; return the pose once it is complete.

        Raises:
            RefusedMessage: If there is one of its kind already.
        """
        if kind in self._states:
            raise RefusedMessage("duplicate", f"message {kind} twice")
        self._states[kind] = state
        if self._done or not self._expected <= self._states.keys():
            return None
        pose = self._pose()
        if pose is None or pose.positions is None:
            return None
        self._done = True
        return pose

    def _pose(self) -> MvnBody | None:
        """Put together what is there, or return None without orientations."""
        kind = self._kind_of_rotations()
        if kind is None:
            return None
        self._usual = kind
        return MvnBody(
            rotations=self._states[kind].rotations,
            positions=self._first((kind, *_POSITIONS_FROM), "positions"),
            angular_velocities=self._first(("22",), "angular_velocities"),
            linear_velocities=self._first(("21",), "linear_velocities"),
        )

    def _kind_of_rotations(self) -> str | None:
        if self._usual in self._states:
            return self._usual
        if self._usual is not None and self._missed < PATIENCE:
            return None
        return next((kind for kind in _ROTATIONS_FROM if kind in self._states), None)

    def _first(self, kinds: tuple[str, ...], name: str) -> Array | None:
        for kind in kinds:
            if kind in self._states:
                value: Array | None = getattr(self._states[kind], name)
                if value is not None:
                    return value
        return None
