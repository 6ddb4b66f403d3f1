"""How good a robot's motion is, in numbers."""

from retarget.metrics.collisions import Collisions, find_collisions
from retarget.metrics.feet import FeetReport, SoleMotion, measure_feet, sole_motions
from retarget.metrics.link_motion import LinkMotion, joints_in_order, link_motion
from retarget.metrics.report import Report, Series, make_report
from retarget.metrics.tracking import Tracking, TrackingErrors, tracking_errors

__all__ = [
    "Collisions",
    "FeetReport",
    "LinkMotion",
    "Report",
    "Series",
    "SoleMotion",
    "Tracking",
    "TrackingErrors",
    "find_collisions",
    "joints_in_order",
    "link_motion",
    "make_report",
    "measure_feet",
    "sole_motions",
    "tracking_errors",
]
