"""The 24-joint body of PICO, IsaacTeleop and Xsens' preset, and its recordings."""

from telexist.retarget.recordings.isaac.body24 import (
    JOINT_PARENTS,
    JOINTS,
    SEGMENT_JOINT,
    Body24,
    from_openxr,
    to_openxr,
)
from telexist.retarget.recordings.isaac.full_body import (
    FULL_BODY_SIZE,
    read_full_body,
    read_record,
    write_full_body,
)
from telexist.retarget.recordings.isaac.read_isaac import (
    holds_full_bodies,
    read_isaac,
)

__all__ = [
    "Body24",
    "FULL_BODY_SIZE",
    "JOINTS",
    "JOINT_PARENTS",
    "SEGMENT_JOINT",
    "from_openxr",
    "holds_full_bodies",
    "read_full_body",
    "read_isaac",
    "read_record",
    "to_openxr",
    "write_full_body",
]
