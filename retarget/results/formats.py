"""The formats in which a motion can be saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.files import write_bytes
from telexist.retarget.signals import RobotMotion
from telexist.retarget.training import (
    DIALECTS,
    ModelTree,
    TrainingOptions,
    encode_dialect,
)

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
        if name not in FORMATS and name not in DIALECTS:
            raise UnknownName("format", name, sorted({*FORMATS, *DIALECTS}))
    return tuple(
        folder / f"{stem}{suffix}" for name in formats for suffix in _suffixes(name)
    )


def save_motion(
    folder: Path,
    stem: str,
    motion: RobotMotion,
    formats: Sequence[str] = ("npz",),
    *,
    model: ModelTree | None = None,
    training: TrainingOptions | None = None,
) -> tuple[Path, ...]:
    """Write a motion in one or several formats, each file whole or not at all.

    Args:
        folder: Where to; made if it does not exist.
        stem: Name without suffix, `<clip>.<robot>`.
        motion: What to write.
        formats: Names in `FORMATS`, or in `DIALECTS` for trainers.
        model: The robot, which the dialects need: `robots.description.model_tree`.
        training: Rate and padding of the dialects.

    Returns:
        The files written.

    Raises:
        UnknownName: If there is no such format; nothing is written then.
        BadInput: If the robot cannot have a dialect.
        CannotWrite: If the disk or the folder refuses.
    """
    paths = motion_paths(folder, stem, formats)
    datas = [
        data
        for name in formats
        for data in _encoded(name, motion, model, training or TrainingOptions())
    ]
    for path, data in zip(paths, datas, strict=True):
        write_bytes(path, data)
    return paths


def _suffixes(name: str) -> tuple[str, ...]:
    if name in DIALECTS:
        return DIALECTS[name].suffixes
    return (FORMATS[name].suffix,)


def _encoded(
    name: str,
    motion: RobotMotion,
    model: ModelTree | None,
    training: TrainingOptions,
) -> tuple[bytes, ...]:
    if name not in DIALECTS:
        return (FORMATS[name].encode(motion),)
    if model is None:
        raise BadInput(f"{name}: give the robot: model=model_tree(load_robot(...))")
    return encode_dialect(name, motion, model, training)
