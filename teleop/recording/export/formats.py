"""The formats to which a session can be exported, and how files get their places."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import CannotWrite, UnknownName
from telexist.retarget.training import DIALECTS
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.options import ExportOptions

__all__ = ["FORMATS", "export_session", "require_format"]

Exporter = Callable[[SessionReader, Path, ExportOptions], tuple[str, ...]]
"""Writes into a folder of its own and returns notes, one line each."""

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "clip": "telexist.teleop.recording.export.clip_file:export_clip",
        "csv": "telexist.teleop.recording.export.csv_files:export_csv",
        "lerobot": "telexist.teleop.recording.export.lerobot:export_lerobot",
        "npz": "telexist.teleop.recording.export.npz_file:export_npz",
        "parquet": "telexist.teleop.recording.export.parquet_files:export_parquet",
    }
)
"""Format to its function, imported only when asked for."""


def export_session(
    reader: SessionReader,
    format_name: str,
    out: Path,
    options: ExportOptions | None = None,
    *,
    force: bool = False,
) -> tuple[Path, tuple[str, ...]]:
    """Write a session in one format to `out`/SESSION.FORMAT, whole or not at all.

    Args:
        reader: The session.
        format_name: A name in `FORMATS`.
        out: Folder; made if it does not exist.
        options: See `ExportOptions`.
        force: Whether to replace an older export.

    Returns:
        The folder that was written, and notes: what was left out and why.

    Raises:
        UnknownName: If there is no such format.
        CannotWrite: If the folder exists and `force` is not given, or the disk refuses.
        BadRecording: If the session has not what the format needs.
        MissingDependency: If a library is absent.
    """
    require_format(format_name)
    place = out / f"{reader.path.stem}.{format_name}"
    if place.exists() and not force:
        raise CannotWrite(f"{place}: exists already: --force replaces it")
    export = _exporter(format_name)
    with _refusals(place), _new_folder(place) as part:
        notes = export(reader, part, options or ExportOptions())
        _put_in_place(part, place)
    return place, notes


def require_format(name: str) -> None:
    """Refuse a name that is no format.

    Raises:
        UnknownName: With the nearest of those that are.
    """
    if name not in FORMATS and name not in DIALECTS:
        raise UnknownName("format", name, sorted({*FORMATS, *DIALECTS}))


def _exporter(name: str) -> Exporter:
    if name in DIALECTS:
        from telexist.teleop.recording.export.training_files import export_training

        return partial(export_training, dialect=name)
    module, function = FORMATS[name].split(":")
    return cast(Exporter, getattr(import_module(module), function))


@contextlib.contextmanager
def _refusals(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotWrite(f"{place}: cannot be written: {reason}") from error


@contextlib.contextmanager
def _new_folder(place: Path) -> Iterator[Path]:
    """Give a nameless folder beside `place`; remove whatever is left of it."""
    part = place.parent / f".{secrets.token_hex(8)}.part"
    try:
        part.mkdir(parents=True)
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _put_in_place(part: Path, place: Path) -> None:
    if not place.exists():
        os.replace(part, place)
        return
    old = place.parent / f".{secrets.token_hex(8)}.old"
    os.replace(place, old)
    try:
        os.replace(part, place)
    except OSError:
        os.replace(old, place)
        raise
    if old.is_dir():
        shutil.rmtree(old, ignore_errors=True)
    else:
        old.unlink()
