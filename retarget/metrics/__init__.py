"""How good a robot's motion is, in numbers.

A clip of the person and the robot's motion go in; a `Report` comes out: errors, limits,
feet, collisions, smoothness.
"""

from telexist.retarget.metrics.balance import BalanceReport, measure_balance
from telexist.retarget.metrics.collisions import Collisions, find_collisions
from telexist.retarget.metrics.feet import (
    FeetReport,
    SoleMotion,
    measure_feet,
    sole_motions,
)
from telexist.retarget.metrics.guarded_pass import GuardedPass, guarded_pass
from telexist.retarget.metrics.link_motion import (
    LinkMotion,
    configurations,
    joints_in_order,
    link_motion,
)
from telexist.retarget.metrics.report import Report, Series, make_report
from telexist.retarget.metrics.tracking import Tracking, TrackingErrors, tracking_errors

__all__ = [
    "BalanceReport",
    "Collisions",
    "FeetReport",
    "GuardedPass",
    "LinkMotion",
    "Report",
    "Series",
    "SoleMotion",
    "Tracking",
    "TrackingErrors",
    "configurations",
    "find_collisions",
    "guarded_pass",
    "joints_in_order",
    "link_motion",
    "make_report",
    "measure_balance",
    "measure_feet",
    "sole_motions",
    "tracking_errors",
]
