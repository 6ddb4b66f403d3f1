"""The sheet of a person's dynamics: bodies by effort, forces, angles and moments.

A `RecordedDynamics` goes in; a figure comes out.
"""

from telexist.retarget.pictures.body_dynamics.dynamics_sheet import draw_dynamics_sheet

__all__ = ["draw_dynamics_sheet"]
