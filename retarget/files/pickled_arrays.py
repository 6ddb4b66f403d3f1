"""Arrays out of pickles: those of NumPy, PyTorch, joblib, SciPy and Chumpy."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.files.pickle_values import PickledObject, read_pickle

__all__ = ["array_in", "plain_tree", "read_pickled_tree"]

MAX_BYTES = 2_000_000_000
_MOST_VALUES = 250_000_000  # of one array
_DEEPEST = 40  # tables in tables
_PLAIN = "biuf"  # NumPy kinds that are numbers
_JOBLIB = "joblib.numpy_pickle.NumpyArrayWrapper"
_TORCH = ("torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor")
_WRAPPED = ("torch._utils._rebuild_parameter", "torch.nn.parameter.Parameter")
_STORAGES: Mapping[str, str] = {
    "FloatStorage": "f4",
    "DoubleStorage": "f8",
    "HalfStorage": "f2",
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "b1",
}

Storage = Callable[[str], bytes]
"""Gives the bytes of a storage of PyTorch by its key."""


def read_pickled_tree(path: Path) -> Any:
    """Read a `.pkl` of arrays in tables and lists, plain or written by joblib.

    Raises:
        BadRecording: If it is damaged, too large, or compressed.
    """
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES} bytes")
        content = path.read_bytes()
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    if content[:1] in (b"x", b"\x1f", b"B", b"\xfd"):
        raise BadRecording(path, "is compressed: save it again without compression")
    value = read_pickle(io.BytesIO(content), path, after_state=_take_joblib)
    return plain_tree(value)


def plain_tree(value: Any, storage: Storage | None = None) -> Any:
    """Return tables, lists and arrays; what else there was is left a record.

    Args:
        value: What `read_pickle` gave.
        storage: Gives the bytes of PyTorch's tensors.
    """
    return _Tree(storage).plain(value, 0)


def array_in(value: Any) -> np.ndarray | None:
    """Return a pickled object as an array of numbers, or None if it is none.

    Sparse matrices of SciPy become full ones; of Chumpy's, the value is taken.
    """
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, PickledObject):
        state = value.state
        if value.name.startswith("scipy.sparse") and isinstance(state, dict):
            return _full(state)
        if value.name.startswith("chumpy") and isinstance(state, dict):
            return _value_of_chumpy(state)
    if isinstance(value, list | tuple | int | float) and not isinstance(value, bool):
        try:
            array = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            return None
        return array if array.size <= _MOST_VALUES else None
    return None


class _Tree:
    """Replaces records of arrays by arrays, each once."""

    def __init__(self, storage: Storage | None) -> None:
        self._storage = storage
        self._done: dict[int, tuple[Any, Any]] = {}

    def plain(self, value: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            return None
        key = id(value)
        if key in self._done:
            return self._done[key][1]
        out = self._made(value, depth)
        if isinstance(value, dict | list | tuple | PickledObject):
            self._done[key] = (value, out)  # kept, so that its id stays its own
        return out

    def _made(self, value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            return {k: self.plain(v, depth + 1) for k, v in value.items()}
        if isinstance(value, list | tuple):
            if len(value) > 1000 and not isinstance(value[0], dict | PickledObject):
                return value  # numbers
            return [self.plain(v, depth + 1) for v in value]
        if isinstance(value, PickledObject):
            return self._object(value, depth)
        return value

    def _object(self, made: PickledObject, depth: int) -> Any:
        if made.name.endswith("multiarray._reconstruct"):
            found = _numpy(made)
        elif made.name.endswith("numeric._frombuffer"):
            found = _buffer(made)
        elif made.name.endswith("multiarray.scalar"):
            found = _scalar(made)
        elif made.name == _JOBLIB:
            found = made.data
        elif made.name in _WRAPPED and made.arguments:
            return self.plain(made.arguments[0], depth + 1)
        elif made.name in _TORCH and self._storage is not None:
            found = _tensor(made.arguments, self._storage)
        elif made.name == "torch.Size" and made.arguments:
            return list(made.arguments[0])
        else:
            if isinstance(made.state, dict):
                made.state = self.plain(made.state, depth + 1)
            return made
        return made if found is None else found


def _dtype(made: Any) -> np.dtype | None:
    """Return a pickled type of numbers, or None for all others."""
    if not isinstance(made, PickledObject) or made.name != "numpy.dtype":
        return None
    text = made.arguments[0] if made.arguments else ""
    order = made.state[1] if isinstance(made.state, tuple) and made.state[1:] else "<"
    if not isinstance(text, str) or len(text) > 4 or text[:1] not in _PLAIN:
        return None
    try:
        return np.dtype(text).newbyteorder(">" if order == ">" else "<")
    except TypeError:
        return None


def _bytes(value: Any) -> bytes | None:
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if isinstance(value, PickledObject) and value.name == "_codecs.encode":
        value = value.arguments[0] if value.arguments else None
    if isinstance(value, str):  # of Python 2, or of protocol 2
        try:
            return value.encode("latin-1")
        except UnicodeEncodeError:
            return None
    return None


def _shape(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, list | tuple) or len(value) > 8:
        return None
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in value):
        return None
    shape = tuple(value)
    return shape if math.prod(shape) <= _MOST_VALUES else None


def _of_bytes(
    data: bytes | None, dtype: np.dtype | None, shape: Any, *, fortran: bool
) -> np.ndarray | None:
    sizes = _shape(shape)
    if data is None or dtype is None or sizes is None:
        return None
    if math.prod(sizes) * dtype.itemsize != len(data):
        return None
    array = np.frombuffer(data, dtype).reshape(sizes, order="F" if fortran else "C")
    return array.astype(dtype.newbyteorder("="))


def _numpy(made: PickledObject) -> np.ndarray | None:
    state = made.state
    if not isinstance(state, tuple) or len(state) != 5:
        return None
    _, shape, dtype, fortran, data = state
    return _of_bytes(_bytes(data), _dtype(dtype), shape, fortran=bool(fortran))


def _buffer(made: PickledObject) -> np.ndarray | None:
    if len(made.arguments) != 4:
        return None
    data, dtype, shape, order = made.arguments
    return _of_bytes(_bytes(data), _dtype(dtype), shape, fortran=order == "F")


def _scalar(made: PickledObject) -> np.ndarray | None:
    if len(made.arguments) != 2:
        return None
    dtype, data = made.arguments
    return _of_bytes(_bytes(data), _dtype(dtype), (), fortran=False)


def _take_joblib(made: PickledObject, stream: io.BytesIO) -> None:
    """Take the array that joblib puts right behind its record."""
    if made.name != _JOBLIB or not isinstance(made.state, dict):
        return
    dtype, shape = _dtype(made.state.get("dtype")), _shape(made.state.get("shape"))
    if dtype is None or shape is None:
        raise ValueError("not an array of numbers")
    if made.state.get("numpy_array_alignment_bytes") is not None:
        stream.read(stream.read(1)[0])
    data = stream.read(math.prod(shape) * dtype.itemsize)
    fortran = made.state.get("order") == "F"
    made.data = _of_bytes(data, dtype, shape, fortran=fortran)
    if made.data is None:
        raise ValueError("cut off")


def _tensor(arguments: tuple[Any, ...], storage: Storage) -> np.ndarray | None:
    """Return a view of a storage as PyTorch describes it."""
    if len(arguments) < 4 or not isinstance(arguments[0], tuple):
        return None
    where, offset, size, stride = arguments[:4]
    shape, steps = _shape(size), _shape(stride)
    if len(where) < 3 or shape is None or steps is None or len(shape) != len(steps):
        return None
    if not isinstance(offset, int) or offset < 0:
        return None
    values = _storage(where, storage)
    if values is None:
        return None
    if math.prod(shape) == 0:
        return np.zeros(shape)
    last = offset + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
    if last >= len(values):
        return None
    strides = tuple(s * values.itemsize for s in steps)
    view = np.lib.stride_tricks.as_strided(values[offset:], shape, strides)
    return view.copy()


def _storage(where: tuple[Any, ...], storage: Storage) -> np.ndarray | None:
    kind = getattr(where[1], "name", "").rpartition(".")[2]
    data = storage(str(where[2]))
    if kind == "BFloat16Storage":
        halves = np.frombuffer(data[: len(data) // 2 * 2], "<u2").astype("<u4")
        return (halves << 16).view("<f4")
    if kind not in _STORAGES:
        return None
    dtype = np.dtype(_STORAGES[kind]).newbyteorder("<")
    return np.frombuffer(data[: len(data) // dtype.itemsize * dtype.itemsize], dtype)


def _full(state: Mapping[str, Any]) -> np.ndarray | None:
    """Return a matrix of SciPy that is stored by columns or rows."""
    shape = _shape(state.get("_shape"))
    data, indices, starts = (state.get(k) for k in ("data", "indices", "indptr"))
    arrays = (data, indices, starts)
    if shape is None or len(shape) != 2:
        return None
    if not all(isinstance(a, np.ndarray) and a.ndim == 1 for a in arrays):
        return None
    data, indices, starts = (np.asarray(a) for a in arrays)
    full, counts = np.zeros(shape), np.diff(starts)
    by_column = len(starts) == shape[1] + 1
    if not by_column and len(starts) != shape[0] + 1:
        return None
    if (counts < 0).any() or counts.sum() != len(data) or len(indices) != len(data):
        return None
    lines = np.repeat(np.arange(len(counts)), counts)
    rows, columns = (indices, lines) if by_column else (lines, indices)
    if len(data) and (rows.min() < 0 or columns.min() < 0):
        return None
    if len(data) and (rows.max() >= shape[0] or columns.max() >= shape[1]):
        return None
    np.add.at(full, (rows.astype(int), columns.astype(int)), data)
    return full


def _value_of_chumpy(state: Mapping[str, Any]) -> np.ndarray | None:
    """Return the value of a Chumpy array; of a choice of another one's, the choice."""
    value = array_in(state.get("x", state.get("a")))
    chosen = state.get("idxs")
    if value is None or not isinstance(chosen, np.ndarray):
        return value
    shape = _shape(list(state.get("preferred_shape", chosen.shape)))
    chosen = chosen.ravel()
    fits = chosen.dtype.kind in "iu" and len(chosen) and chosen.min() >= 0
    if not fits or chosen.max() >= value.size or shape is None:
        return None
    return (
        value.ravel()[chosen].reshape(shape)
        if math.prod(shape) == len(chosen)
        else None
    )
