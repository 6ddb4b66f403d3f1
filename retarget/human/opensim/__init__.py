"""OpenSim models (.osim): joints, their functions and muscles.

A file goes in; the model that LM-PFD solves comes out.
"""

from telexist.retarget.human.opensim.model import read_osim

__all__ = ["read_osim"]
