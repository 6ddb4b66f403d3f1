"""TRC: markers as text, as OpenSim and OpenCap write them.

A path goes in; a `MarkerCapture` or a `HumanClip` comes out.
"""

from telexist.retarget.recordings.trc.read_trc import read_trc, trc_capture

__all__ = ["read_trc", "trc_capture"]
