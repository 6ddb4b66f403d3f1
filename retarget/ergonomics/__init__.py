"""Scores of posture and load as ergonomists use them: NIOSH, RULA, REBA, L5/S1.

Angles and loads go in; a score comes out, with the steps that made it. Scores are
screening tools: no verdict on a person, no medical advice.
"""

from telexist.retarget.ergonomics.lifting import (
    COUPLINGS,
    LiftingIndex,
    lifting_index,
)
from telexist.retarget.ergonomics.lumbar import lumbar_compression
from telexist.retarget.ergonomics.reba import RebaScore, reba_score
from telexist.retarget.ergonomics.rula import RulaScore, rula_score

__all__ = [
    "COUPLINGS",
    "LiftingIndex",
    "RebaScore",
    "RulaScore",
    "lifting_index",
    "lumbar_compression",
    "reba_score",
    "rula_score",
]
