"""The ways to reach a robot, by name; a robot's model goes in, a `Robot` comes out.

A way is a row of the table and a function `make(model, options)` in its own folder.
"""

from telexist.robots.backends.options import RobotOptions
from telexist.robots.backends.table import BACKENDS, backend_kind, make_robot

__all__ = ["BACKENDS", "RobotOptions", "backend_kind", "make_robot"]
