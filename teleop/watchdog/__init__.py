"""A process outside the loop that stops the robot when the loop is dead.

Heartbeats of the loop go in; a robot that brakes and holds, stands, or damps comes out.
"""

from telexist.teleop.watchdog.watchdog import Watchdog

__all__ = ["Watchdog"]
