"""A world with more than one body: robots, their seats, and ties between their hands.

Robots with their places go in; one simulation comes out, in which each of them is a
`Simulation` as if it were alone.
"""

from telexist.robots.mujoco.world.hand_tie import HandTie
from telexist.robots.mujoco.world.shared_world import SharedWorld, WorldRobot

__all__ = ["HandTie", "SharedWorld", "WorldRobot"]
