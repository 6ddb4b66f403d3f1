"""glTF 2.0 and VRM: animated characters, in one binary file or a JSON with buffers.

A path goes in; a clip comes out. VRM (0.x and 1.0) and VRM animations name the bones of
a person; in all others the person is recognised by shape.
"""

from telexist.retarget.recordings.gltf.read_gltf import gltf_skeleton, read_gltf

__all__ = ["gltf_skeleton", "read_gltf"]
