"""A treadmill with the walking command that follows from it, as one device."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable

from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base import Device
from telexist.teleop.devices.treadmill.treadmill_walk import (
    TreadmillWalk,
    TreadmillWalkSettings,
)
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["WalkingTreadmill"]

logger = logging.getLogger(__name__)


class WalkingTreadmill(Device):
    """Adds a walking command to each sample of a treadmill.

    The ring's heading counts from the first sample, and has no leaps: a ring that
    leapt is counted as "ring_jump". See `treadmill_walk.py`.
    """

    def __init__(
        self, treadmill: Device, settings: TreadmillWalkSettings | None = None
    ) -> None:
        """Take the treadmill and how its walking becomes the robot's."""
        self._treadmill = treadmill
        self._walk = TreadmillWalk(settings)

    @property
    def name(self) -> str:
        """The treadmill's own name."""
        return self._treadmill.name

    @property
    def manual(self) -> str:
        """What a user should know of the treadmill."""
        return self._treadmill.manual

    @property
    def provides(self) -> frozenset[Provides]:
        """What the treadmill provides, and walking."""
        return self._treadmill.provides | {Provides.WALK}

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return self._treadmill.deadline

    def open(self, wake: Callable[[], None]) -> None:
        """Open the treadmill."""
        self._walk.reset()
        self._treadmill.open(wake)

    def read(self) -> DeviceSample | None:
        """Return the newest sample with its walking command, or None."""
        sample = self._treadmill.read()
        if sample is None or sample.treadmill is None:
            return sample
        step = self._walk.step(sample.treadmill, sample.stamp)
        dropped = sample.dropped
        if step.jump is not None:
            logger.warning("%s: its ring leapt by %.2f rad", self.name, step.jump)
            dropped = (*dropped, ("ring_jump", 1))
        treadmill = dataclasses.replace(sample.treadmill, yaw=step.heading)
        return dataclasses.replace(
            sample, treadmill=treadmill, walk=step.walk, dropped=dropped
        )

    def show(self, feedback: RobotFeedback) -> None:
        """Show it on the treadmill."""
        self._treadmill.show(feedback)

    def close(self) -> None:
        """Close the treadmill."""
        self._treadmill.close()
