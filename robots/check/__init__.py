"""A robot's description looked over: findings with their remedies."""

from telexist.robots.check.check import check_robot
from telexist.robots.check.finding import CheckReport

__all__ = ["CheckReport", "check_robot"]
