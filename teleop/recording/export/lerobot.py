"""A session as a data set in the layout of LeRobot v3.0, written without LeRobot.

```
meta/info.json                                   rates, features, where the files are
meta/stats.json                                  of all frames, per feature
meta/tasks.parquet                               what was done
meta/episodes/chunk-000/file-000.parquet         one row an episode
data/chunk-000/file-000.parquet                  one row a frame
```
Pictures are a feature of kind "image", embedded in the data file as they were recorded;
no video is made, since that needs an encoder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.episodes import Episodes, cut_episodes
from telexist.teleop.recording.export.options import ExportOptions
from telexist.teleop.recording.export.parquet_files import load_pyarrow
from telexist.teleop.recording.export.pictures import Pictures, load_pictures
from telexist.teleop.recording.export.statistics import image_statistics, statistics

__all__ = ["export_lerobot"]

VERSION = "v3.0"
IMAGE = "observation.images.head"
DATA = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
_FIRST = {"chunk_index": 0, "file_index": 0}
_COUNTERS = ("frame_index", "episode_index", "index", "task_index")


def export_lerobot(
    reader: SessionReader, out: Path, options: ExportOptions
) -> tuple[str, ...]:
    """Write the data set.

    Raises:
        BadRecording: If nothing was measured or commanded, or nobody was engaged.
        MissingDependency: If pyarrow is absent.
    """
    load_pyarrow()
    cut, pictures = cut_episodes(reader, options), load_pictures(reader)
    task = options.task or f"teleoperation of {reader.header.robot}"
    parts = [_columns(cut, k, options.fps) for k in range(len(cut.episodes))]
    frames = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    images = _images(cut, pictures)
    features = _features(cut, pictures)
    _write_data(out, frames, images)
    _write_tasks(out, task)
    colours = {} if pictures is None else {IMAGE: image_statistics(pictures.colours())}
    _write_episodes(out, parts, task, colours)
    (out / "meta" / "stats.json").write_bytes(
        _json({name: statistics(v) for name, v in frames.items()} | colours)
    )
    info = _info(reader, options, features, len(parts), len(frames["index"]))
    (out / "meta" / "info.json").write_bytes(_json(info))
    if pictures is None:
        return ()
    return ("pictures are embedded in the data file; no video was made",)


def _columns(cut: Episodes, number: int, fps: float) -> dict[str, np.ndarray]:
    """Return the columns of one episode's frames."""
    episode = cut.episodes[number]
    count = len(episode.times)
    before = sum(len(e.times) for e in cut.episodes[:number])
    frame = np.arange(count, dtype=np.int64)
    return {
        "observation.state": episode.state.astype(np.float32),
        "action": episode.action.astype(np.float32),
        "timestamp": (frame / fps).astype(np.float32),
        "frame_index": frame,
        "episode_index": np.full(count, number, dtype=np.int64),
        "index": frame + before,
        "task_index": np.zeros(count, dtype=np.int64),
    }


def _images(cut: Episodes, pictures: Pictures | None) -> list[bytes] | None:
    if pictures is None:
        return None
    return [data for episode in cut.episodes for data in pictures.at(episode.times)]


def _features(cut: Episodes, pictures: Pictures | None) -> dict[str, Any]:
    features: dict[str, Any] = {
        "observation.state": _vector(cut.state_names),
        "action": _vector(cut.action_names),
    }
    if pictures is not None:
        features[IMAGE] = {
            "dtype": "image",
            "shape": [pictures.height, pictures.width, 3],
            "names": ["height", "width", "channels"],
        }
    features["timestamp"] = {"dtype": "float32", "shape": [1], "names": None}
    for name in _COUNTERS:
        features[name] = {"dtype": "int64", "shape": [1], "names": None}
    return features


def _vector(names: tuple[str, ...]) -> dict[str, Any]:
    return {"dtype": "float32", "shape": [len(names)], "names": list(names)}


def _info(
    reader: SessionReader,
    options: ExportOptions,
    features: dict[str, Any],
    episodes: int,
    frames: int,
) -> dict[str, Any]:
    fps = options.fps
    return {
        "codebase_version": VERSION,
        "robot_type": reader.header.robot,
        "total_episodes": episodes,
        "total_frames": frames,
        "total_tasks": 1,
        "chunks_size": 1000,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "fps": int(fps) if fps == int(fps) else fps,
        "splits": {"train": f"0:{episodes}"},
        "data_path": DATA,
        "video_path": None,
        "features": features,
    }


def _write_data(
    out: Path, frames: dict[str, np.ndarray], images: list[bytes] | None
) -> None:
    arrow, _ = load_pyarrow()
    columns: dict[str, Any] = {}
    for name, values in frames.items():
        columns[name] = arrow.array(values.reshape(-1))
        if values.ndim == 2:
            columns[name] = arrow.FixedSizeListArray.from_arrays(
                columns[name], values.shape[1]
            )
    if images is not None:
        kind = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
        rows = [{"bytes": data, "path": None} for data in images]
        columns[IMAGE] = arrow.array(rows, type=kind)
    _write_table(out / DATA.format(**_FIRST), arrow.table(columns))


def _write_episodes(
    out: Path,
    parts: list[dict[str, np.ndarray]],
    task: str,
    colours: dict[str, Any],
) -> None:
    arrow, _ = load_pyarrow()
    rows = []
    for number, part in enumerate(parts):
        row: dict[str, Any] = {
            "episode_index": number,
            "tasks": [task],
            "length": len(part["index"]),
            "data/chunk_index": 0,
            "data/file_index": 0,
            "dataset_from_index": int(part["index"][0]),
            "dataset_to_index": int(part["index"][-1]) + 1,
            "meta/episodes/chunk_index": 0,
            "meta/episodes/file_index": 0,
        }
        found = {name: statistics(values) for name, values in part.items()} | colours
        for name, numbers in found.items():
            row |= {f"stats/{name}/{key}": value for key, value in numbers.items()}
        rows.append(row)
    table = arrow.Table.from_pylist(rows)
    _write_table(out / "meta/episodes/chunk-000/file-000.parquet", table)


def _write_tasks(out: Path, task: str) -> None:
    """Write the tasks as pandas would: the words are the index."""
    arrow, _ = load_pyarrow()
    index = {"name": "task", "field_name": "task", "metadata": None}
    number = {"name": "task_index", "field_name": "task_index", "metadata": None}
    pandas = {
        "index_columns": ["task"],
        "column_indexes": [],
        "columns": [
            number | {"pandas_type": "int64", "numpy_type": "int64"},
            index | {"pandas_type": "unicode", "numpy_type": "object"},
        ],
        "creator": {"library": "pyarrow", "version": arrow.__version__},
        "pandas_version": "2.2.0",
    }
    table = arrow.table({"task_index": arrow.array([0]), "task": arrow.array([task])})
    table = table.replace_schema_metadata({"pandas": json.dumps(pandas)})
    _write_table(out / "meta/tasks.parquet", table)


def _write_table(path: Path, table: Any) -> None:
    _, parquet = load_pyarrow()
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(table, path, compression="snappy")


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2)
