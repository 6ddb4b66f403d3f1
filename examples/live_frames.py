"""Frames from a device of your own, one at a time, with the numbers of a whole clip.

python examples/live_frames.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from telexist import HumanFrame, Retargeter, load_robot, read_clip


def my_device(seconds: float) -> Iterator[HumanFrame]:
    """Yield frames as a suit would: any of the 23 segments, world axes, z up."""
    for frame in read_clip("builtin").frames():
        if frame.stamp > seconds:
            return
        yield HumanFrame(
            stamp=frame.stamp,
            segments=frame.segments,
            rotations=frame.rotations,  # world_R_segment, identity in N-pose
            angular_velocities=frame.angular_velocities,
            positions=frame.positions,
            linear_velocities=frame.linear_velocities,
        )


def follow(robot: str, seconds: float) -> float:
    """Follow the device; return the greatest joint speed [rad/s]."""
    retargeter = Retargeter(load_robot(robot).body, read_clip("builtin").size)
    fastest = 0.0
    for frame in my_device(seconds):
        now = retargeter.step(frame)  # q, dq, world_p_base, world_R_base, planted
        fastest = max(fastest, float(abs(now.dq).max()))
    return fastest


if __name__ == "__main__":
    robot = sys.argv[1] if len(sys.argv) > 1 else "icub"
    print(f"{robot}: at most {follow(robot, 10.0):.2f} rad/s")
