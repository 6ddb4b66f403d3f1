"""The sheet to look at: person and robot at several times, errors over time.

Motion and report go in; a figure comes out, as PNG, PDF or SVG.
"""

from telexist.retarget.pictures.hands import hands_figure
from telexist.retarget.pictures.neutral import neutral_figure
from telexist.retarget.pictures.palette import FADED, INK, SIDE_COLOURS
from telexist.retarget.pictures.robot_solids import link_sides
from telexist.retarget.pictures.save import save_figure
from telexist.retarget.pictures.sheet import draw_sheet

__all__ = [
    "FADED",
    "INK",
    "SIDE_COLOURS",
    "draw_sheet",
    "hands_figure",
    "link_sides",
    "neutral_figure",
    "save_figure",
]
