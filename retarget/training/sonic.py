"""SONIC's folder of a reference motion: four tables and a note.

Its controller knows one robot, Unitree's G1 with 29 joints, by their order; a G1 with
hands has these joints too.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.training.archive import table
from telexist.retarget.training.body_motion import central_rates
from telexist.retarget.training.even_motion import EvenMotion
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["SONIC_FILES", "encode_sonic"]

SONIC_FILES = (
    "joint_pos.csv",
    "joint_vel.csv",
    "body_pos.csv",
    "body_quat.csv",
    "metadata.txt",
)
_LEG = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
_ARM = (
    "shoulder_pitch",
    "shoulder_roll",
    "shoulder_yaw",
    "elbow",
    "wrist_roll",
    "wrist_pitch",
    "wrist_yaw",
)
JOINTS = {
    *(f"{side}_{name}_joint" for side in ("left", "right") for name in _LEG + _ARM),
    *(f"waist_{name}_joint" for name in ("yaw", "roll", "pitch")),
}


def encode_sonic(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return the files in the order of `SONIC_FILES`; joints breadth first.

    Raises:
        BadInput: If the robot lacks a joint that the controller moves.
    """
    missing = sorted(JOINTS - set(model.joints))
    if missing:
        problem = f"{model.robot} has no joint '{missing[0]}'"
        raise BadInput(f"sonic: its controller moves Unitree's G1; {problem}")
    order = model.breadth_first_bodies()[1:] - 1
    order = np.array([i for i in order if model.joints[i] in JOINTS])
    names = ",".join(model.joints[i] for i in order)
    speeds = central_rates(even.q, float(even.fps))
    return (
        table(even.q[:, order], header=names),
        table(speeds[:, order], header=names),
        table(even.base_p, header="body_0_x,body_0_y,body_0_z"),
        table(even.base_quat_wxyz(), header="body_0_w,body_0_x,body_0_y,body_0_z"),
        b"Body part indexes:\n[0]\n",
    )
