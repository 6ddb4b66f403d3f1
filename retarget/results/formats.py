"""The formats in which a motion can be saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import UnknownName
from telexist.retarget.files import write_bytes
from telexist.retarget.signals import RobotMotion

__all__ = ["FORMATS", "MotionFormat", "motion_paths", "save_motion"]


@dataclass(frozen=True, slots=True)
class MotionFormat:
    """A way to save a motion.

    Attributes:
        suffix: End of the file's name.
        encoder: `module:function` that turns a `RobotMotion` into bytes.
    """

    suffix: str
    encoder: str

    def encode(self, motion: RobotMotion) -> bytes:
        """Return the file's bytes."""
        module, function = self.encoder.split(":")
        encode = getattr(import_module(module), function)
        return cast(Callable[[RobotMotion], bytes], encode)(motion)


FORMATS: Mapping[str, MotionFormat] = MappingProxyType(
    {
        "npz": MotionFormat(".npz", "telexist.retarget.results.npz_file:encode_npz"),
        "csv": MotionFormat(".csv", "telexist.retarget.results.csv_file:encode_csv"),
        "pkl": MotionFormat(".pkl", "telexist.retarget.results.pkl_file:encode_pkl"),
        "mujoco": MotionFormat(
            ".xml", "telexist.retarget.results.mujoco_file:encode_mujoco"
        ),
    }
)


def motion_paths(
    folder: Path, stem: str, formats: Sequence[str] = ("npz",)
) -> tuple[Path, ...]:
    """Return where `save_motion` puts its files.

    Raises:
        UnknownName: If there is no such format.
    """
    for name in formats:
        if name not in FORMATS:
            raise UnknownName("format", name, FORMATS)
    return tuple(folder / f"{stem}{FORMATS[name].suffix}" for name in formats)


def save_motion(
    folder: Path, stem: str, motion: RobotMotion, formats: Sequence[str] = ("npz",)
) -> tuple[Path, ...]:
    """Write a motion in one or several formats, each file whole or not at all.

    Args:
        folder: Where to; made if it does not exist.
        stem: Name without suffix, `<clip>.<robot>`.
        motion: What to write.
        formats: Names in `FORMATS`.

    Returns:
        The files written.

    Raises:
        UnknownName: If there is no such format; nothing is written then.
        CannotWrite: If the disk or the folder refuses.
    """
    paths = motion_paths(folder, stem, formats)
    for name, path in zip(formats, paths, strict=True):
        write_bytes(path, FORMATS[name].encode(motion))
    return paths
