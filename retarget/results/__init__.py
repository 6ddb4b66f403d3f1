"""Robot motions on disk: written whole or not at all, read back with care."""

from retarget.results.atomic import write_bytes
from retarget.results.formats import FORMATS, motion_paths, save_motion
from retarget.results.load import load_motion
from retarget.results.report_file import save_report

__all__ = [
    "FORMATS",
    "load_motion",
    "motion_paths",
    "save_motion",
    "save_report",
    "write_bytes",
]
