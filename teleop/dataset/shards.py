"""Many clips in few files: tar files as webdataset reads them, or parquet."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadRecording, MissingDependency
from telexist.retarget.files import write_bytes
from telexist.retarget.results import base_quat_wxyz, load_motion, motion_paths

__all__ = ["SHARDS", "write_shards"]

Rows = Sequence[Mapping[str, Any]]


def write_shards(
    kind: str,
    folder: Path,
    parts: Mapping[str, Rows],
    motions: Path,
    *,
    formats: Sequence[str],
    clips: int,
) -> tuple[Path, ...]:
    """Write the clips of every part, so many to a file.

    Args:
        kind: A name in `SHARDS`.
        folder: Where to.
        parts: Part to its rows.
        motions: Where the motions are.
        formats: What else is there of each motion.
        clips: In a file.

    Raises:
        BadRecording: If a motion is missing or damaged.
        CannotWrite: If the disk or the folder refuses.
    """
    suffix, encode = SHARDS[kind]
    written = []
    for part, rows in parts.items():
        for number, begin in enumerate(range(0, len(rows), clips)):
            path = folder / f"{part}-{number:06d}{suffix}"
            write_bytes(path, encode(rows[begin : begin + clips], motions, formats))
            written.append(path)
    return tuple(written)


def _tar(rows: Rows, motions: Path, formats: Sequence[str]) -> bytes:
    """Return a tar file: of each clip its files, named alike up to the first dot."""
    data = io.BytesIO()
    used: set[str] = set()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for row in rows:
            stem = str(row["motion"]).removesuffix(".npz")
            key = stem.replace(".", "_")
            while key in used:
                key += "_"
            used.add(key)
            for path, ending in _files(motions, stem, formats):
                member = tarfile.TarInfo(key + ending)
                content = _read(path)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


def _files(
    motions: Path, stem: str, formats: Sequence[str]
) -> Iterator[tuple[Path, str]]:
    for path in (
        *motion_paths(motions, stem, ("npz", *formats)),
        motions / f"{stem}.json",
    ):
        yield path, path.relative_to(motions).as_posix().removeprefix(stem)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem = f"{error.strerror}: `telexist dataset build` makes it again"
        raise BadRecording(path, problem) from error


def _parquet(rows: Rows, motions: Path, formats: Sequence[str]) -> bytes:
    """Return a table: a clip in each row, arrays as lists, row after row."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        command = "pip install 'telexist[dataset]'"
        raise MissingDependency("pyarrow", command) from error
    numbers, text = pyarrow.list_(pyarrow.float32()), pyarrow.string()
    schema = pyarrow.schema(
        [
            ("clip", text),
            ("robot", text),
            ("frames", pyarrow.int64()),
            ("time", pyarrow.list_(pyarrow.float64())),
            ("joint_names", pyarrow.list_(text)),
            ("joint_positions", numbers),
            ("joint_velocities", numbers),
            ("base_position", numbers),
            ("base_quat_wxyz", numbers),
            ("contacts", pyarrow.list_(pyarrow.bool_())),
        ]
    )
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    for row in rows:
        motion = load_motion(motions / row["motion"])
        contacts = zip(motion.contact_left, motion.contact_right, strict=True)
        values = {
            "clip": row["clip"],
            "robot": row["robot"],
            "frames": len(motion.time),
            "time": motion.time,
            "joint_names": list(motion.joint_names),
            "joint_positions": motion.joint_positions.ravel(),
            "joint_velocities": motion.joint_velocities.ravel(),
            "base_position": motion.base_position.ravel(),
            "base_quat_wxyz": base_quat_wxyz(motion).ravel(),
            "contacts": [bool(flag) for both in contacts for flag in both],
        }
        for name, value in values.items():
            columns[name].append(value)
    data = io.BytesIO()
    parquet.write_table(pyarrow.table(columns, schema=schema), data, compression="zstd")
    return data.getvalue()


SHARDS: Mapping[str, tuple[str, Callable[[Rows, Path, Sequence[str]], bytes]]] = {
    "webdataset": (".tar", _tar),
    "parquet": (".parquet", _parquet),
}
"""Name of a kind to the suffix of its files and what encodes them."""
