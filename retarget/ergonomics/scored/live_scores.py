"""The scores of a live estimate: what the loop, the page and recordings carry."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from telexist.retarget.dynamics import Moment
from telexist.retarget.ergonomics import (
    STRENGTH_JOINTS,
    ErgonomicSample,
    ErgonomicScores,
    ErgonomicSettings,
    HandLift,
    PersonErgonomics,
)
from telexist.retarget.person_dynamics import SCORES, PersonDynamics
from telexist.retarget.so3 import Array

__all__ = ["LiveErgonomics"]


class LiveErgonomics:
    """Scores estimates as they come.

    Attributes:
        notes: Lifts that have ended, one line each; whoever reads empties the list.
    """

    def __init__(self, settings: ErgonomicSettings, *, hands: bool, seat: bool) -> None:
        """Begin.

        Args:
            settings: What is assumed.
            hands: Whether the estimate lets the hands hold something.
            seat: Whether it lets something carry the pelvis.
        """
        self.notes: list[str] = []
        self._judge = PersonErgonomics(settings)
        self._hands, self._seat = hands, seat
        self._told = 0

    def score(self, moment: Moment) -> PersonDynamics:
        """Return the estimate with its scores."""
        scores = self._judge.step(self._sample(moment))
        for lift in self._judge.finder.lifts[self._told :]:
            self.notes.append(_words(lift))
        self._told = len(self._judge.finder.lifts)
        return replace(moment.dynamics, scores=_numbers(scores))

    def _sample(self, moment: Moment) -> ErgonomicSample:
        found, unknown = moment.dynamics, np.full(2, np.nan)
        force, spread = moment.spine_force
        return ErgonomicSample(
            time=found.stamp,
            mass=found.mass,
            rotations=moment.rotations,
            positions=moment.positions,
            moments=found.moments,
            moments_sd=found.moments_sd,
            foot_forces=found.foot_wrenches[:, 2],
            hand_loads=found.hand_loads if self._hands else unknown,
            hand_loads_sd=found.hand_loads_sd if self._hands else unknown,
            seat_force=float(found.seat_force[0]) if self._seat else 0.0,
            spine_force=force,
            spine_force_sd=spread,
        )


def _numbers(scores: ErgonomicScores) -> Array:
    """Return the scores in the order of `SCORES`; NaN where there is none."""
    lift, strength = scores.lift, scores.strength
    values = {
        "rula": max(scores.rula),
        "reba": max(scores.reba),
        "lumbar_compression": scores.compression,
        "lumbar_compression_sd": scores.compression_sd,
        "lifts": scores.lifts,
        "strength_share": strength.share,
        "strength_share_sd": strength.deviation,
    }
    if strength.name:
        values["strength_joint"] = STRENGTH_JOINTS.index(strength.name)
    if lift is not None:
        values["lifting_index"] = lift.index
        values["lifting_index_sd"] = lift.index_sd
        values["lift_load"], values["lift_load_sd"] = lift.load, lift.load_sd
    return np.array([values.get(name, math.nan) for name in SCORES])


def _words(lift: HandLift) -> str:
    return (
        f"lifted {lift.load:.1f} kg (sd {lift.load_sd:.1f}) for "
        f"{lift.end - lift.start:.1f} s: NIOSH lifting index {lift.index:.2f} "
        f"(sd {lift.index_sd:.2f})"
    )
