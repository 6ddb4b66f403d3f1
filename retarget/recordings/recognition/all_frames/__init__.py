"""What all frames of a clip say together: how feet stand, and the neutral orientations.

Joints over time, z up, go in; `neutral_R_joint` of every segment comes out, with the
segments that are doubtful. Rigs that are known by name are checked against the motion.
"""

from telexist.retarget.recordings.recognition.all_frames.evidence import MovingJoints
from telexist.retarget.recordings.recognition.all_frames.known_rigs import (
    KnownRig,
    known_rig,
)
from telexist.retarget.recordings.recognition.all_frames.moved_neutral import (
    MovedNeutral,
    moved_neutral,
)
from telexist.retarget.recordings.recognition.all_frames.planted import (
    FlatFoot,
    FootMotion,
    flat_foot,
    slow_and_low,
)

__all__ = [
    "FlatFoot",
    "FootMotion",
    "KnownRig",
    "MovedNeutral",
    "MovingJoints",
    "flat_foot",
    "known_rig",
    "moved_neutral",
    "slow_and_low",
]
