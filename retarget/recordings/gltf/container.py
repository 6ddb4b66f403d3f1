"""Files of glTF 2.0: the JSON, its buffers, and arrays of numbers in them.

Everything that the JSON says of the buffers is checked against the bytes that are there
before anything is read or taken. Buffers beside the file are read from its own folder
only; nothing is fetched from elsewhere.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.so3 import Array

__all__ = ["GltfFile", "read_gltf_file"]

MAX_BYTES = 2_000_000_000
_MAGIC, _JSON, _BIN = b"glTF", 0x4E4F534A, 0x004E4942
_TYPES: Mapping[int, str] = MappingProxyType(
    {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
)
_WIDTHS: Mapping[str, int] = MappingProxyType(
    {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
)
_MOST_NUMBERS = 200_000_000  # of one accessor
_MEND = "export it again"


class GltfFile:
    """The content of a file."""

    def __init__(
        self, path: Path, content: Mapping[str, Any], binary: bytes | None
    ) -> None:
        """Take the JSON, and the buffer that came with it."""
        self.path, self.content, self._binary = path, content, binary
        self._buffers: dict[int, bytes] = {}

    def bad(self, problem: str, place: str = "") -> BadRecording:
        """Return an error on this file."""
        return BadRecording(self.path, problem, place=place)

    def tables(self, key: str) -> list[dict[str, Any]]:
        """Return a list of tables at the top of the JSON; empty if it is not there."""
        value = self.content.get(key, [])
        if not isinstance(value, list) or any(not isinstance(v, dict) for v in value):
            raise self.bad("is not a list of tables", key)
        return value

    def extension(self, name: str) -> dict[str, Any] | None:
        """Return an extension at the top of the JSON, or None."""
        extensions = self.content.get("extensions")
        found = extensions.get(name) if isinstance(extensions, dict) else None
        return found if isinstance(found, dict) else None

    def numbers(self, index: object) -> Array:
        """Return an accessor's numbers (count, width).

        Raises:
            BadRecording: If it does not lie in its buffer, or is packed in a way that
                we do not know.
        """
        place = f"accessors[{index}]"
        accessor = self._item("accessors", index)
        count = self._size(accessor.get("count"), place)
        width = _WIDTHS.get(str(accessor.get("type")))
        kind = _TYPES.get(accessor.get("componentType", 0))
        if width is None or kind is None or count * width > _MOST_NUMBERS:
            raise self.bad("is of no known kind", place)
        dtype = np.dtype(kind)
        if "bufferView" in accessor:
            start = self._size(accessor.get("byteOffset", 0), place)
            raw = self._view(accessor["bufferView"], start, count, width, dtype)
        else:
            raw = np.zeros((count, width), dtype)
        if "sparse" in accessor:
            raw = self._sparse(accessor["sparse"], raw, place)
        values = raw.astype(np.float64)
        if accessor.get("normalized") and dtype.kind in "iu":
            values = np.maximum(values / np.iinfo(dtype).max, -1.0)
        if not np.isfinite(values).all():
            raise self.bad("holds a value that is not finite", place)
        return values

    def _item(self, key: str, index: object) -> dict[str, Any]:
        items = self.tables(key)
        if not isinstance(index, int) or not 0 <= index < len(items):
            raise self.bad(f"there is no number {index!r:.20}", key)
        return items[index]

    def _size(self, value: object, place: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.bad("a size or place is no whole number", place)
        return value

    def _view(
        self, index: object, start: int, count: int, width: int, dtype: np.dtype
    ) -> np.ndarray:
        place = f"bufferViews[{index}]"
        view = self._item("bufferViews", index)
        if "EXT_meshopt_compression" in view.get("extensions", {}):
            raise self.bad(f"is compressed (meshopt): {_MEND} without it", place)
        data = self._buffer(view.get("buffer"))
        offset = self._size(view.get("byteOffset", 0), place)
        length = self._size(view.get("byteLength"), place)
        item = width * dtype.itemsize
        stride = self._size(view.get("byteStride", item), place)
        last = start + (count - 1) * stride + item if count else start
        if stride < item or last > length or offset + length > len(data):
            raise self.bad("does not lie in its buffer: cut off", place)
        if not count:
            return np.zeros((0, width), dtype)
        flat = np.frombuffer(data, np.uint8, last - start, offset + start)
        rows = np.lib.stride_tricks.as_strided(flat, (count, item), (stride, 1))
        return np.ascontiguousarray(rows).view(dtype).reshape(count, width)

    def _sparse(self, sparse: Any, raw: np.ndarray, place: str) -> np.ndarray:
        if not isinstance(sparse, dict):
            raise self.bad("sparse is no table", place)
        count = self._size(sparse.get("count"), place)
        where, what = sparse.get("indices"), sparse.get("values")
        if not isinstance(where, dict) or not isinstance(what, dict):
            raise self.bad("sparse lacks indices or values", place)
        kind = _TYPES.get(where.get("componentType", 0), "")
        if kind not in ("u1", "<u2", "<u4") or count > len(raw):
            raise self.bad("sparse indices are of no known kind", place)
        starts = [self._size(t.get("byteOffset", 0), place) for t in (where, what)]
        rows = self._view(where.get("bufferView"), starts[0], count, 1, np.dtype(kind))[
            :, 0
        ]
        values = self._view(
            what.get("bufferView"), starts[1], count, raw.shape[1], raw.dtype
        )
        if count and rows.max() >= len(raw):
            raise self.bad("a sparse index is beyond the end", place)
        filled = raw.copy()
        filled[rows.astype(np.int64)] = values
        return filled

    def _buffer(self, index: object) -> bytes:
        buffer = self._item("buffers", index)
        key = int(str(index))
        if key not in self._buffers:
            self._buffers[key] = self._loaded(key, buffer)
        return self._buffers[key]

    def _loaded(self, index: int, buffer: Mapping[str, Any]) -> bytes:
        place, uri = f"buffers[{index}]", buffer.get("uri")
        if uri is None:
            if index != 0 or self._binary is None:
                raise self.bad("has no data", place)
            return self._binary
        if not isinstance(uri, str):
            raise self.bad("its uri is no text", place)
        if uri.startswith("data:"):
            try:
                return base64.b64decode(uri.partition(",")[2], validate=True)
            except (binascii.Error, ValueError) as error:
                raise self.bad("its data are not base64", place) from error
        return self._beside(unquote(uri), place)

    def _beside(self, name: str, place: str) -> bytes:
        """Read a buffer that lies in the folder of the file, or below."""
        folder = self.path.resolve().parent
        try:
            found = (folder / name).resolve()
            if not found.is_relative_to(folder) or ":" in name:
                raise self.bad(f"'{name:.60}' is not in the file's folder", place)
            if not found.is_file():
                raise self.bad(f"'{name:.60}' is missing: put it beside it", place)
            if found.stat().st_size > MAX_BYTES:
                raise self.bad(f"'{name:.60}' is larger than {MAX_BYTES} bytes", place)
            return found.read_bytes()
        except (OSError, ValueError) as error:
            raise self.bad(f"'{name:.60}' cannot be read", place) from error


def read_gltf_file(path: Path) -> GltfFile:
    """Read `.glb`, `.vrm`, `.vrma` or `.gltf`.

    Raises:
        BadRecording: If it is not a whole file of glTF 2.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    if not data:
        raise BadRecording(path, "is empty")
    text, binary = _chunks(data, path) if data[:4] == _MAGIC else (data, None)
    try:
        content = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadRecording(path, "is no glTF: its JSON cannot be read") from error
    asset = content.get("asset") if isinstance(content, dict) else None
    version = asset.get("version") if isinstance(asset, dict) else None
    if not isinstance(version, str) or not version.startswith("2"):
        raise BadRecording(path, f"is no glTF 2: asset.version is {version!r:.20}")
    return GltfFile(path, content, binary)


def _chunks(data: bytes, path: Path) -> tuple[bytes, bytes | None]:
    """Return JSON and buffer of a binary file."""
    if len(data) < 12:
        raise BadRecording(path, "was cut off in its header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise BadRecording(path, f"is glTF {version}: {_MEND} as glTF 2")
    if length > len(data):
        raise BadRecording(path, f"was cut off: {len(data)} of {length} bytes")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > length:
            raise BadRecording(path, "was cut off in a chunk")
        found.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if _JSON not in found:
        raise BadRecording(path, "has no JSON in it")
    return found[_JSON], found.get(_BIN)
