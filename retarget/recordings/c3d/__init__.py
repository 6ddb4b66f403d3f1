"""C3D: markers and force plates of motion laboratories, in one binary file.

A path goes in; a `MarkerCapture` with its forces, or a `HumanClip`, comes out.
"""

from telexist.retarget.recordings.c3d.read_c3d import c3d_capture, read_c3d

__all__ = ["c3d_capture", "read_c3d"]
