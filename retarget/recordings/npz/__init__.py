"""Archives of numpy arrays: SMPL motion, and clips that we saved.

A file goes in, read with suspicion; a clip comes out.
"""

from telexist.retarget.recordings.npz.clip_file import save_clip

__all__ = ["save_clip"]
