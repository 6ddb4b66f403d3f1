"""Scores of posture and load as ergonomists use them: NIOSH, RULA, REBA, L5/S1.

A person's dynamics go in, live or over a recording; scores come out, with the settings
that they assume. Scores are screening tools: no verdict on a person, no medical advice.
"""

from telexist.retarget.ergonomics.body_angles import BodyAngles, body_angles
from telexist.retarget.ergonomics.lifting import (
    COUPLINGS,
    LiftingIndex,
    lifting_index,
)
from telexist.retarget.ergonomics.lifts import HandLift, HandPlace, LiftFinder
from telexist.retarget.ergonomics.lumbar import LIMIT, lumbar_compression
from telexist.retarget.ergonomics.person_ergonomics import (
    ErgonomicSample,
    ErgonomicScores,
    PersonErgonomics,
    hand_place,
)
from telexist.retarget.ergonomics.posture_scores import (
    Circumstances,
    reba_of,
    rula_of,
)
from telexist.retarget.ergonomics.reba import RebaScore, reba_score
from telexist.retarget.ergonomics.rula import RulaScore, rula_score
from telexist.retarget.ergonomics.settings import POPULATIONS, ErgonomicSettings
from telexist.retarget.ergonomics.strength import (
    STRENGTH_JOINTS,
    STRENGTHS,
    StrengthShare,
    require_strengths,
    strength_share,
)

__all__ = [
    "BodyAngles",
    "COUPLINGS",
    "Circumstances",
    "ErgonomicSample",
    "ErgonomicScores",
    "ErgonomicSettings",
    "HandLift",
    "HandPlace",
    "LIMIT",
    "LiftFinder",
    "LiftingIndex",
    "POPULATIONS",
    "PersonErgonomics",
    "RebaScore",
    "RulaScore",
    "STRENGTHS",
    "STRENGTH_JOINTS",
    "StrengthShare",
    "body_angles",
    "hand_place",
    "lifting_index",
    "lumbar_compression",
    "reba_of",
    "reba_score",
    "require_strengths",
    "rula_of",
    "rula_score",
    "strength_share",
]
