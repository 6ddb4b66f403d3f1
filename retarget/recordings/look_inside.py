"""Whether a file that lies in a folder is a recording, by a short look inside.

Suffixes such as `.json` or `.pkl` say little. Who names a file gets it read and is told
what is wrong with it; who names a folder is told what in it was passed over.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from telexist.retarget.recordings.format import FORMATS

__all__ = ["why_no_recording"]

_LOOKED_AT = 30_000_000  # bytes
_SMPL = (b"pose_body", b"body_pose", b"poses", b"pose_world", b"smplx_world")
_COLUMNS = (
    *(b"left_hip_x", b"left_hip.x", b"lefthip_x", b"lefthip.x", b"l_hip_x"),
    *(b"x23", b"x_23", b"23_x", b"landmark", b"keypoint"),
)
_RESULT = {"joint_positions.npy", "base_quat_wxyz.npy", "format_version.npy"}
_WORDS: Mapping[str, tuple[tuple[bytes, ...], str]] = MappingProxyType(
    {
        **dict.fromkeys(
            (".glb", ".gltf", ".vrm", ".vrma"), ((b'"animations"',), "no animation")
        ),
        ".fbx": ((b"animationcurve", b"; fbx"), "no animation"),
        **dict.fromkeys(
            (".mot", ".sto"),
            ((b"hip_flexion_r\t", b"hip_flexion_r/value"), "no coordinates of a body"),
        ),
        ".csv": (_COLUMNS, "no landmarks"),
        ".json": ((b"landmarks", b"keypoints"), "no landmarks"),
        ".pkl": (_SMPL, "no SMPL motion"),
        ".pt": (_SMPL, "no SMPL motion"),
        ".pth": (_SMPL, "no SMPL motion"),
    }
)
"""What is in a recording of that suffix, and what it is without."""


def why_no_recording(path: Path) -> str:
    """Return why a file is passed over in a folder; empty if it is to be read.

    A file that cannot be looked at is to be read: the reader says what is wrong.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        return "no known format"
    try:
        if suffix == ".npz":
            return _why_no_archive(path)
        if suffix not in _WORDS:
            return ""
        words, problem = _WORDS[suffix]
        content = _beginning(path).lower()
    except (OSError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError):
        return ""
    return "" if any(word in content for word in words) else problem


def _why_no_archive(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        is_result = set(archive.namelist()) >= _RESULT
    return "a robot's motion" if is_result else ""


def _beginning(path: Path) -> bytes:
    """Return the first bytes; of a zip, those of its pickle."""
    with path.open("rb") as file:
        if file.read(2) != b"PK":
            file.seek(0)
            return file.read(_LOOKED_AT)
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith("data.pkl"):
                with archive.open(name) as member:
                    return member.read(_LOOKED_AT)
    return b""
