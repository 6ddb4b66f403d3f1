"""Every channel's arrays in one `.npz` file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.person_dynamics import SCORES
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.columns import TABLES, person_joints
from telexist.teleop.recording.export.options import ExportOptions
from telexist.teleop.terms import STAGES

__all__ = ["export_npz"]

FORMAT_VERSION = 1


def export_npz(
    reader: SessionReader, out: Path, options: ExportOptions
) -> tuple[str, ...]:
    """Write `session.npz`: arrays `CHANNEL.FIELD`, time first, and what names them."""
    header = reader.header
    arrays: dict[str, np.ndarray] = {
        "format_version": np.array(FORMAT_VERSION),
        "robot": np.array(header.robot),
        "operator": np.array(header.operator),
        "started": np.array(header.started),
        "start_stamp": np.array(header.stamp),
        "joint_names": np.array(header.joints, dtype=np.str_),
        "joint_units": np.array(header.units, dtype=np.str_),
        "stage_names": np.array(STAGES),
        "person_joint_names": np.array(person_joints(), dtype=np.str_),
        "score_names": np.array(SCORES, dtype=np.str_),
        "calibration": np.array(reader.text("calibration")),
        "configuration": np.array(reader.text("configuration")),
    }
    for channel in TABLES:
        for field, values in reader.arrays(channel).items():
            arrays[f"{channel}.{field}"] = values
    np.savez_compressed(out / "session.npz", allow_pickle=False, **arrays)
    pictures = reader.counts().get("camera", 0)
    if pictures:
        return (f"{pictures} pictures left out: --format lerobot has them",)
    return ()
