"""Which moments of a clip to show."""

from __future__ import annotations

import numpy as np
from telexist.retarget.segments import LIMBS, SEGMENT_INDEX
from telexist.retarget.signals import HumanClip

__all__ = ["choose_moments"]

EDGE = 0.1  # of a stretch at its ends from which no moment is taken
SAMPLES = 40  # frames considered in a stretch


def choose_moments(clip: HumanClip, count: int) -> list[int]:
    """Choose frames that show the clip: one in each of equal stretches of time.

    Within its stretch, the one whose limbs point least like in those before it.
    """
    if len(clip) <= count:
        return list(range(len(clip)))
    starts = [SEGMENT_INDEX[limb] for limb in LIMBS]
    ends = [SEGMENT_INDEX[end] for end in LIMBS.values()]
    shown = [len(clip) // (2 * count)]
    bounds = np.linspace(0, len(clip), count + 1)
    for low, high in zip(bounds[1:-1], bounds[2:], strict=True):
        edge = EDGE * (high - low)
        picks = np.linspace(low + edge, high - 1 - edge, SAMPLES).astype(int)
        picks = np.unique(np.clip(picks, int(low), len(clip) - 1))
        at = np.concatenate([shown, picks])
        limbs = clip.positions[at][:, ends] - clip.positions[at][:, starts]
        old, new = limbs[: len(shown)], limbs[len(shown) :]
        far = np.linalg.norm(new[:, None] - old[None], axis=(-2, -1)).min(axis=1)
        shown.append(int(picks[np.argmax(far)]))
    return shown
