"""Recorded sessions as files that other tools read."""

from teleop.recording.export.formats import FORMATS, export_session
from teleop.recording.export.options import ExportOptions

__all__ = ["ExportOptions", "FORMATS", "export_session"]
