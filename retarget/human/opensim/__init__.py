"""OpenSim models (.osim): joints, their functions and muscles.

A file goes in; the model that LM-PFD solves comes out, or the bodies, which
coordinates over time move.
"""

from telexist.retarget.human.opensim.model import read_osim
from telexist.retarget.human.opensim.moved_bodies import OsimBodies, read_osim_bodies

__all__ = ["OsimBodies", "read_osim", "read_osim_bodies"]
