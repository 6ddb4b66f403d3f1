"""Motions of robots in files: npz, CSV, pickle, MuJoCo keyframes, and their reports.

A `RobotMotion` goes in and out again.
"""

from telexist.retarget.results.base_quaternions import base_quat_wxyz
from telexist.retarget.results.formats import FORMATS, motion_paths, save_motion
from telexist.retarget.results.load import load_motion
from telexist.retarget.results.report_file import save_report

__all__ = [
    "FORMATS",
    "base_quat_wxyz",
    "load_motion",
    "motion_paths",
    "save_motion",
    "save_report",
]
