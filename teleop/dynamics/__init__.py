"""A person's dynamics beside a session, in a process of its own.

Ticks of the loop go in; estimates of torques, forces and scores come back, and what was
found about the sensors. Whatever becomes of it, the loop and the robot do not notice.
"""

from telexist.teleop.dynamics.live_dynamics import DynamicsNote, LiveDynamics

__all__ = ["DynamicsNote", "LiveDynamics"]
