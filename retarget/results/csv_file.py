"""A table for spreadsheets and plotting: one row per time, named columns."""

from __future__ import annotations

import csv
import io

import numpy as np
from telexist.retarget.results.base_quaternions import base_quat_wxyz
from telexist.retarget.signals import RobotMotion

__all__ = ["encode_csv"]

BASE_COLUMNS = ("base_x", "base_y", "base_z", "quat_w", "quat_x", "quat_y", "quat_z")


def encode_csv(motion: RobotMotion) -> bytes:
    """Return the table: time [s], base [m], joints [rad] or [m], contacts 0 or 1.

    Finger joints, where there are any, follow the others.

    Numbers are written with as many digits as it takes to read them back exactly.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    contacts = ("contact_left", "contact_right")
    names = (*motion.joint_names, *motion.finger_names)
    writer.writerow(("time", *BASE_COLUMNS, *names, *contacts))
    numbers = np.column_stack(
        [
            motion.time,
            motion.base_position,
            base_quat_wxyz(motion),
            motion.joint_positions,
            motion.fingers,
        ]
    ).tolist()
    planted = np.column_stack([motion.contact_left, motion.contact_right])
    for row, flags in zip(numbers, planted.astype(int).tolist(), strict=True):
        writer.writerow((*map(repr, row), *flags))
    return text.getvalue().encode("utf-8")
