"""Accelerometers on a person: where they sit, and what they tell of a segment.

The motion of a segment and the readings of what is strapped to it go in; its place on
the segment comes out, with deviations. Later readings become information for
`retarget.dynamics`.
"""

from telexist.retarget.imu.acceleration_information import (
    AccelerationInformation,
    acceleration_information,
)
from telexist.retarget.imu.imu_place import ImuPlace, SegmentAcceleration, find_place

__all__ = [
    "AccelerationInformation",
    "ImuPlace",
    "SegmentAcceleration",
    "acceleration_information",
    "find_place",
]
