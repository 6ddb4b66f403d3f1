"""Motion that you computed yourself: a clip made of arrays, without feet on the floor.

python examples/own_motion.py
"""

from __future__ import annotations

import numpy as np

from telexist import (
    HumanClip,
    Retargeter,
    RetargetSettings,
    RobotMotion,
    load_robot,
    read_clip,
)


def slowed(clip: HumanClip, factor: float, frames: int) -> HumanClip:
    """Return the first frames of a clip, played slower."""
    part = slice(0, frames)
    return HumanClip(
        name=f"{clip.name}_slow",
        source=clip.source,
        time=clip.time[part] * factor,
        rotations=clip.rotations[part],
        angular_velocities=clip.angular_velocities[part] / factor,
        positions=clip.positions[part],
        linear_velocities=clip.linear_velocities[part] / factor,
        size=clip.size,
    )


def retarget_in_the_air(robot: str, factor: float, frames: int) -> RobotMotion:
    """Carry it over with the feet free, as for a robot on a stand."""
    clip = slowed(read_clip("builtin"), factor, frames)
    settings = RetargetSettings(feet=False)
    return Retargeter(load_robot(robot).body, clip.size, settings).run(clip)


if __name__ == "__main__":
    motion = retarget_in_the_air("icub", 2.0, 600)
    speed = np.abs(motion.joint_velocities).max()
    print(f"{len(motion.time)} frames, at most {speed:.2f} rad/s")
