"""From a moving skeleton to the 23 segments of a person."""

from __future__ import annotations

from retarget.recordings.options import ReadOptions
from retarget.recordings.skeleton import SourceSkeleton
from retarget.signals import HumanClip

__all__ = ["clip_from_skeleton"]


def clip_from_skeleton(source: SourceSkeleton, options: ReadOptions) -> HumanClip:
    """Recognise the person in a skeleton and return the motion of all 23 segments.

    Args:
        source: Moving points in the file's own axes and units.
        options: What the user states about the recording.

    Raises:
        UnknownSkeleton: If no whole person is recognised.
        BadRecording: If the motion cannot be used.
    """
    raise NotImplementedError
