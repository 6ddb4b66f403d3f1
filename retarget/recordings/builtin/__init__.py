"""The motion that comes with the program, made by a script.

A person's size goes in; half a minute of waving, reaching, squatting and walking comes
out.
"""

from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.recordings.builtin.posing import leg_pose, segment_rotations

__all__ = ["builtin_clip", "leg_pose", "segment_rotations"]
