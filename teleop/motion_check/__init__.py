"""Whether a robot can play a motion: a saved motion in, a run in MuJoCo comes out.

On its own feet, under the whole-body QP, or with its base held on a gantry.
"""

from telexist.teleop.motion_check.check_figures import (
    check_figure_manual,
    check_figures,
    check_line,
    figure_lines,
)
from telexist.teleop.motion_check.check_motion import check_motion
from telexist.teleop.motion_check.check_plot import save_check_plot
from telexist.teleop.motion_check.motion_check import CHECK_RATE, MotionCheck

__all__ = [
    "CHECK_RATE",
    "MotionCheck",
    "check_figure_manual",
    "check_figures",
    "check_line",
    "check_motion",
    "figure_lines",
    "save_check_plot",
]
