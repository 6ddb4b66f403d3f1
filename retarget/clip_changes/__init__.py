"""Other clips out of one: its mirror image, or without the standing at its ends.

A `HumanClip` goes in and another comes out, as if it had been recorded so.
"""

from telexist.retarget.clip_changes.mirrored import mirrored
from telexist.retarget.clip_changes.trimmed import trimmed

__all__ = ["mirrored", "trimmed"]
