"""From a strange skeleton to the 23 segments: limbs, sides, axes, neutral pose.

Joints with their motion go in; the same motion as segments whose frames are the
identity in N-pose comes out.
"""

from telexist.retarget.recordings.recognition.axes import axis_vector
from telexist.retarget.recordings.recognition.floor import floor_height
from telexist.retarget.recordings.recognition.human_motion import clip_from_skeleton
from telexist.retarget.recordings.recognition.person_size import person_size, stature_of
from telexist.retarget.recordings.recognition.placement import place_on_floor
from telexist.retarget.recordings.recognition.segment_motion import SegmentMotion
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton

__all__ = [
    "SegmentMotion",
    "SourceSkeleton",
    "axis_vector",
    "clip_from_skeleton",
    "floor_height",
    "person_size",
    "place_on_floor",
    "stature_of",
]
