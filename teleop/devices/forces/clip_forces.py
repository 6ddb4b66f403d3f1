"""What perfect sensors under a recorded person's feet would say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["SoleForces", "sole_forces"]

SIDES = ("Left", "Right")


@dataclass(frozen=True, slots=True, kw_only=True)
class SoleForces:
    """Wrenches over time, in the soles' axes about the points below the ankles.

    Attributes:
        time: (t,) [s].
        wrench: Left, right (t, 2, 6), force first [N], [N m].
    """

    time: Array
    wrench: Array

    def at(self, time: float) -> Array:
        """Return the wrenches at a time [s], between the samples by straight lines."""
        k = int(np.clip(np.searchsorted(self.time, time), 1, len(self.time) - 1))
        a, b = self.time[k - 1], self.time[k]
        share = min(max((time - a) / (b - a), 0.0), 1.0)
        wrench: Array = (1.0 - share) * self.wrench[k - 1] + share * self.wrench[k]
        return wrench


def sole_forces(clip: HumanClip, mass: float) -> SoleForces:
    """Return what the feet of a clip feel, from its motion.

    Args:
        clip: The person.
        mass: Of the body [kg].

    Raises:
        BadInput: If the clip is too short, or its frames are uneven.
    """
    # scipy and the compiled estimator: only for who simulates
    from telexist.retarget.dynamics import RecordedPerson, dynamics_of_recording

    recorded = RecordedPerson(clip=clip, plates=None, mass=None, notes=())
    result = dynamics_of_recording(recorded, mass=mass)
    wrenches = np.zeros((len(clip), 2, 6))
    for s, side in enumerate(SIDES):
        foot = SEGMENT_INDEX[f"{side}Foot"]
        R = result.motion.rotations[:, foot]
        world = result.body.wrenches[:, foot]
        force = np.einsum("tji,tj->ti", R, world[:, :3])
        ankle = np.array([0.0, 0.0, clip.size.joints[f"{side}Foot"][2]])
        moment = np.einsum("tji,tj->ti", R, world[:, 3:]) + np.cross(ankle, force)
        wrenches[:, s] = np.concatenate([force, moment], axis=1)
    return SoleForces(time=np.array(clip.time), wrench=wrenches)
