"""Binary FBX 7: animated characters of Mixamo, MotionBuilder, Motive, Blender, ...

A path goes in; a clip comes out.
"""

from telexist.retarget.recordings.fbx.read_fbx import fbx_skeleton, read_fbx

__all__ = ["fbx_skeleton", "read_fbx"]
