"""Bodies in a browser's scene: person, robot, stage, marks."""

from telexist.teleop.viewers.figures.figure import Figure, human_figure, human_solids
from telexist.teleop.viewers.figures.person_forces import PersonForces, effort_colour
from telexist.teleop.viewers.figures.report_marks import ReportMarks, legend_html
from telexist.teleop.viewers.figures.robot_figure import robot_figure, robot_solids
from telexist.teleop.viewers.figures.robot_height import robot_height
from telexist.teleop.viewers.figures.scene_parts import SceneParts
from telexist.teleop.viewers.figures.stage_figure import StageFigure

__all__ = [
    "Figure",
    "PersonForces",
    "ReportMarks",
    "SceneParts",
    "StageFigure",
    "effort_colour",
    "human_figure",
    "human_solids",
    "legend_html",
    "robot_figure",
    "robot_height",
    "robot_solids",
]
