"""Coordinates of OpenSim over time (`.mot`, `.sto`) on the model that they move.

A path goes in; a clip comes out.
"""

from telexist.retarget.recordings.opensim_motion.read_mot import mot_skeleton, read_mot

__all__ = ["mot_skeleton", "read_mot"]
