"""Where the trunk of a person is of whom only head, hands and trackers are seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, rotation_z, shortest_rotation, yaw_of

__all__ = ["Trunk", "TrunkTracker"]

FREE = float(np.deg2rad(20.0))  # the head may turn this far without the trunk
FOLLOW = 1.5  # [s] in which the trunk follows a head that turned farther
HANDS = 0.5  # share of the hands in the guess of where the trunk faces
ARM_OUT = 0.7  # of an arm: hands so far ahead tell fully where the trunk faces
FARTHEST = float(np.deg2rad(60.0))  # hands farther to the side tell nothing more


@dataclass(frozen=True, slots=True, kw_only=True)
class Trunk:
    """The trunk at one time.

    Attributes:
        heading: Where the person faces [rad].
        here_R_chest: Orientation of the chest, heading removed (3, 3).
        here_R_pelvis: Orientation of the pelvis, heading removed (3, 3).
        world_R_here: The heading as a rotation (3, 3).
        shoulders: Places of the left and the right shoulder (2, 3) [m].
        chest_R_world: Takes world coordinates to those of the chest (3, 3).
    """

    heading: float
    here_R_chest: Array
    here_R_pelvis: Array
    world_R_here: Array
    shoulders: Array
    chest_R_world: Array


class TrunkTracker:
    """Guesses the trunk from frame to frame."""

    def __init__(self, size: HumanSize) -> None:
        """Take the person's size."""
        self._joints, self._arm = size.joints, size.arm_length
        self.reset()

    def reset(self) -> None:
        """Forget where the person faced."""
        self._heading: float | None = None

    def step(self, frame: HumanFrame, dt: float) -> Trunk:
        """Find the trunk at a frame; it must show the head or a trunk segment.

        Args:
            frame: Calibrated, with places.
            dt: Time since the last frame [s].
        """
        seen = _Seen(frame)
        heading = self._turn(seen, dt)
        world_R_here = rotation_z(heading)
        chest, pelvis = self._rotations(seen, world_R_here)
        here = world_R_here.T
        return Trunk(
            heading=heading,
            here_R_chest=here @ chest,
            here_R_pelvis=here @ pelvis,
            world_R_here=world_R_here,
            shoulders=self._shoulders(seen, chest),
            chest_R_world=chest.T,
        )

    def _turn(self, seen: _Seen, dt: float) -> float:
        """Return the heading: of a tracker at once, of the head with some patience."""
        for segment in ("Pelvis", "T8"):
            if segment in seen.rotations:
                self._heading = float(yaw_of(seen.rotations[segment]))
                return self._heading
        guess = _facing(seen, self._arm)
        if self._heading is None:
            self._heading = guess
        gap = _wrapped(guess - self._heading)
        beyond = gap - float(np.clip(gap, -FREE, FREE))
        self._heading += beyond * (1.0 - float(np.exp(-dt / FOLLOW)))
        return self._heading

    def _rotations(self, seen: _Seen, world_R_here: Array) -> tuple[Array, Array]:
        """Return the orientations of chest and pelvis."""
        pelvis = seen.rotations.get("Pelvis", world_R_here)
        if "T8" in seen.rotations:
            return seen.rotations["T8"], pelvis
        if "Pelvis" in seen.places and "Head" in seen.places:
            straight = self._joints["Head"] - self._joints["Pelvis"]
            line = world_R_here.T @ (seen.places["Head"] - seen.places["Pelvis"])
            return world_R_here @ shortest_rotation(straight, line), pelvis
        return world_R_here, pelvis

    def _shoulders(self, seen: _Seen, world_R_chest: Array) -> Array:
        anchor = next(s for s in ("T8", "Head", "Pelvis") if s in seen.places)
        return np.array(
            [
                seen.places[anchor]
                + world_R_chest @ (self._joints[name] - self._joints[anchor])
                for name in ("LeftUpperArm", "RightUpperArm")
            ]
        )


class _Seen:
    """A frame by name."""

    def __init__(self, frame: HumanFrame) -> None:
        self.rotations = dict(zip(frame.segments, frame.rotations, strict=True))
        places = frame.positions if frame.positions is not None else ()
        self.places: dict[str, Array] = dict(zip(frame.segments, places, strict=False))


def _facing(seen: _Seen, arm: float) -> float:
    """Guess where the trunk faces from head and hands [rad]; `arm` is its length."""
    looks = float(yaw_of(seen.rotations["Head"]))
    hands = [seen.places[s] for s in ("LeftHand", "RightHand") if s in seen.places]
    if len(hands) < 2:
        return looks
    ahead = (hands[0] + hands[1]) / 2.0 - seen.places["Head"]
    distance = float(np.hypot(ahead[0], ahead[1]))
    aside = _wrapped(float(np.arctan2(ahead[1], ahead[0])) - looks)
    trust = HANDS * min(distance / (ARM_OUT * arm), 1.0) ** 2
    return looks + trust * float(np.clip(aside, -FARTHEST, FARTHEST))


def _wrapped(angle: float) -> float:
    return (angle + np.pi) % (2.0 * np.pi) - np.pi
