"""Reads a saved motion back, and believes nothing that it did not check."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.files import read_arrays
from telexist.retarget.results.npz_file import FORMAT_VERSION
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import rotation_from_quat_wxyz

__all__ = ["load_motion"]

KINDS: Mapping[str, str] = {
    "time": "f",
    "joint_names": "U",
    "joint_positions": "f",
    "joint_velocities": "f",
    "base_position": "f",
    "base_quat_wxyz": "f",
    "contact_left": "b",
    "contact_right": "b",
    "robot": "U",
    "source": "U",
    "format_version": "iu",
}
"""Keys of the archive and the NumPy kinds allowed for each."""
FINGER_KINDS: Mapping[str, str] = {"finger_names": "U", "finger_positions": "f"}
"""Those of robots whose fingers move."""


def load_motion(path: Path) -> RobotMotion:
    """Read a motion that `save_motion` wrote as "npz".

    Raises:
        BadRecording: Naming the file and the key: truncated, not ours, wrong shape,
            not finite.
    """
    arrays = dict(read_arrays(path, {**KINDS, **FINGER_KINDS}))
    if not FINGER_KINDS.keys() & arrays.keys():
        none = np.zeros((arrays["time"].size if "time" in arrays else 0, 0))
        arrays |= {"finger_names": np.zeros(0, "U1"), "finger_positions": none}
    for key, kinds in {**KINDS, **FINGER_KINDS}.items():
        if key not in arrays:
            raise BadRecording(path, "missing: not a robot motion of ours", place=key)
        if arrays[key].dtype.kind not in kinds:
            raise BadRecording(
                path, f"holds {arrays[key].dtype}, which is not expected", place=key
            )
    version = arrays["format_version"]
    if version.shape != () or int(version) != FORMAT_VERSION:
        problem = f"is {version}, this program reads {FORMAT_VERSION}"
        raise BadRecording(path, problem, place="format_version")
    _check_shapes(arrays, path)
    _check_values(arrays, path)
    return _motion(arrays)


def _check_shapes(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    t, n = arrays["time"].size, arrays["joint_names"].size
    shapes: dict[str, tuple[int, ...]] = {
        "time": (t,),
        "joint_names": (n,),
        "joint_positions": (t, n),
        "joint_velocities": (t, n),
        "base_position": (t, 3),
        "base_quat_wxyz": (t, 4),
        "contact_left": (t,),
        "contact_right": (t,),
        "finger_names": (arrays["finger_names"].size,),
        "finger_positions": (t, arrays["finger_names"].size),
        "robot": (),
        "source": (),
    }
    for key, shape in shapes.items():
        if arrays[key].shape != shape:
            problem = f"has shape {arrays[key].shape}, expected {shape}"
            raise BadRecording(path, problem, place=key)
    if t == 0:
        raise BadRecording(path, "holds no frames", place="time")


def _check_values(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    for key, kinds in {**KINDS, **FINGER_KINDS}.items():
        if kinds == "f" and not np.isfinite(arrays[key]).all():
            frame = int(np.argwhere(~np.isfinite(arrays[key]))[0][0])
            problem = f"not finite at frame {frame}"
            raise BadRecording(path, problem, place=key)
    if not np.all(np.diff(arrays["time"]) > 0.0):
        raise BadRecording(path, "does not increase", place="time")
    lengths = np.linalg.norm(arrays["base_quat_wxyz"], axis=1)
    if np.abs(lengths - 1.0).max() > 1e-3:
        raise BadRecording(path, "not of unit length", place="base_quat_wxyz")


def _motion(arrays: Mapping[str, np.ndarray]) -> RobotMotion:
    def numbers(key: str) -> np.ndarray:
        array = arrays[key].astype(np.float64)
        array.setflags(write=False)
        return array

    return RobotMotion(
        robot=str(arrays["robot"]),
        source=str(arrays["source"]),
        time=numbers("time"),
        joint_names=tuple(str(name) for name in arrays["joint_names"]),
        joint_positions=numbers("joint_positions"),
        joint_velocities=numbers("joint_velocities"),
        base_position=numbers("base_position"),
        base_rotation=rotation_from_quat_wxyz(arrays["base_quat_wxyz"]),
        contact_left=arrays["contact_left"],
        contact_right=arrays["contact_right"],
        finger_names=tuple(str(name) for name in arrays["finger_names"]),
        finger_positions=numbers("finger_positions")
        if arrays["finger_names"].size
        else None,
    )
