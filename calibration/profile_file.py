"""Operator profiles as TOML files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.calibration.operator_profile import OperatorProfile
from telexist.retarget.config import decode, read_toml
from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.files import write_bytes
from telexist.retarget.human_size import HumanSize
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz
from telexist.robots.urdf import TomlValue, toml_text

__all__ = ["VERSION", "load_profile", "profile_text", "save_profile"]

VERSION = 1
MAX_BYTES = 200_000  # a profile has about 8 000
UNIT = 1e-6  # by which the length of a quaternion may miss 1

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Segment:
    quat_wxyz: tuple[float, float, float, float]
    offset: Triple = (0.0, 0.0, 0.0)
    residual_deg: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Size:
    joints: Mapping[str, Triple]
    tips: Mapping[str, Triple]


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    version: int
    operator: str
    source: str
    pose: str
    heading: float
    origin: Triple
    segments: Mapping[str, _Segment]
    size: _Size


def save_profile(profile: OperatorProfile, path: Path) -> None:
    """Write a profile; the file appears whole or not at all.

    Raises:
        CannotWrite: Naming the path and the reason.
    """
    write_bytes(path, profile_text(profile).encode())


def profile_text(profile: OperatorProfile) -> str:
    """Return a profile as TOML."""
    segments: dict[str, TomlValue] = {}
    quats = profile.quats_wxyz  # every profile finds them
    if quats is None:
        raise BadInput("a profile without rotations")
    for k, name in enumerate(profile.segments):
        entry: dict[str, TomlValue] = {
            "quat_wxyz": _numbers(quats[k]),
            "offset": _numbers(profile.offsets[k]),
        }
        if name in profile.residuals:
            entry["residual_deg"] = round(profile.residuals[name], 4)
        segments[name] = entry
    table: dict[str, TomlValue] = {
        "version": VERSION,
        "operator": profile.operator,
        "source": profile.source,
        "pose": profile.pose,
        "heading": float(profile.heading),
        "origin": _numbers(profile.origin),
        "segments": segments,
        "size": {
            "joints": {k: _numbers(p) for k, p in profile.size.joints.items()},
            "tips": {k: _numbers(p) for k, p in profile.size.tips.items()},
        },
    }
    return toml_text(table)


def load_profile(path: Path) -> OperatorProfile:
    """Read a profile, strictly.

    Raises:
        BadConfig: If it cannot be read, or holds anything that no profile holds.
    """
    again = "calibrate again: telexist calibrate"
    if path.exists() and not path.is_file():
        raise BadConfig(path, f"not a file; {again}")
    if path.exists() and path.stat().st_size > MAX_BYTES:
        raise BadConfig(path, f"larger than {MAX_BYTES} bytes: not a profile; {again}")
    table = read_toml(path)
    version = table.get("version")
    if version != VERSION or isinstance(version, bool):
        problem = f"expected {VERSION}, found {version!r}; {again}"
        raise BadConfig(path, problem, place="version")
    file = decode(_File, table, path=path)
    try:
        return _profile(file, path)
    except BadInput as error:
        if isinstance(error, BadConfig):
            raise
        raise BadConfig(path, str(error)) from error


def _profile(file: _File, path: Path) -> OperatorProfile:
    if not file.segments:
        raise BadConfig(path, "holds no segment; calibrate again", place="segments")
    quats, residuals = [], {}
    for name, segment in file.segments.items():
        place = f"segments.{name}.quat_wxyz"
        if not abs(math.hypot(*segment.quat_wxyz) - 1.0) < UNIT:
            raise BadConfig(path, "its length is not 1: no rotation", place=place)
        quats.append(segment.quat_wxyz)
        if segment.residual_deg is not None:
            residuals[name] = segment.residual_deg
    return OperatorProfile(
        operator=file.operator,
        source=file.source,
        pose=file.pose,
        heading=file.heading,
        origin=np.array(file.origin),
        segments=tuple(file.segments),
        neutral=rotation_from_quat_wxyz(quats),
        quats_wxyz=np.array(quats),
        offsets=np.array([segment.offset for segment in file.segments.values()]),
        size=HumanSize(joints=_points(file.size.joints), tips=_points(file.size.tips)),
        residuals=residuals,
    )


def _points(table: Mapping[str, Triple]) -> dict[str, Array]:
    return {name: np.array(point) for name, point in table.items()}


def _numbers(values: Array) -> list[TomlValue]:
    return [float(value) for value in values]
