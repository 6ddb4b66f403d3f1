"""Recorded sessions as npz, CSV, parquet, clips or a LeRobot data set."""

from telexist.teleop.recording.export.formats import (
    FORMATS,
    export_session,
    require_format,
)
from telexist.teleop.recording.export.options import ExportOptions
from telexist.teleop.recording.export.pictures import decode_picture

__all__ = [
    "ExportOptions",
    "FORMATS",
    "decode_picture",
    "export_session",
    "require_format",
]
