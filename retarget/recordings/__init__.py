"""Recordings of people: one reader per format, one recogniser for all skeletons."""

from retarget.recordings.format import FORMATS, RecordingFormat, read_clip
from retarget.recordings.options import ReadOptions, load_options
from retarget.recordings.skeleton import SourceSkeleton

__all__ = [
    "FORMATS",
    "ReadOptions",
    "RecordingFormat",
    "SourceSkeleton",
    "load_options",
    "read_clip",
]
