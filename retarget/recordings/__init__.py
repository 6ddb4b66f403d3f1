"""Recordings of people: one folder a format, one recogniser for all skeletons.

A file goes in; a `HumanClip` comes out, whose segment frames are the identity in
N-pose.
"""

from telexist.retarget.recordings.chained_nodes import (
    NodeMotion,
    bound_posture,
    chain_nodes,
)
from telexist.retarget.recordings.format import (
    BUILTIN,
    FORMATS,
    RecordingFormat,
    read_clip,
)
from telexist.retarget.recordings.look_inside import why_no_recording
from telexist.retarget.recordings.options import ReadOptions, load_options

__all__ = [
    "BUILTIN",
    "FORMATS",
    "NodeMotion",
    "ReadOptions",
    "RecordingFormat",
    "bound_posture",
    "chain_nodes",
    "load_options",
    "read_clip",
    "why_no_recording",
]
