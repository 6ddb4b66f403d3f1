"""SMPL, SMPL+H and SMPL-X: AMASS, and what GVHMR, WHAM and PromptHMR found in videos.

Joint rotations, ways and body shapes of a file go in; a clip comes out. Body models are
the user's own files; without one, a stated approximation stands for the shape.
"""

from telexist.retarget.recordings.smpl.parameters import find_parameters
from telexist.retarget.recordings.smpl.read_smpl import (
    FLAT_KEYS,
    clip_from_smpl,
    read_pickled_smpl,
    read_torch_smpl,
)

__all__ = [
    "FLAT_KEYS",
    "clip_from_smpl",
    "find_parameters",
    "read_pickled_smpl",
    "read_torch_smpl",
]
