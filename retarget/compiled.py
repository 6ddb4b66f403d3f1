"""How hot functions are compiled: one decorator for each kind of caller.

`jit_release_gil` and `jit_hold_gil` are for entries, which Python calls, `jit_internal`
for inner functions, which only compiled functions call. Division by zero gives inf and
NaN as in numpy. Inner functions have no machine code of their own: they become part of
the entries that need them, see `joined_code.py`. So an entry should be a line or two
around an inner function, and no compiled function should call an entry: it would be
compiled once for Python and once more for the caller.

Machine code is cached in the user's cache folder, in a folder named after the sources
in `FOLDERS`: numba alone would not see that a function called by another has changed.
So a compiled function may call those of its own file and of these folders, no others.

To compile quickly: one type for each argument (C order, read-only where it comes from
a frame), no assigning of arrays to slices (`copy_matrix` of `ik` does it), no sums of
whole arrays in large functions: loops compile many times faster.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray
from telexist.retarget.joined_code import EntryCompiler, InnerCompiler, take_any_number

__all__ = [
    "FOLDERS",
    "Bools",
    "Ints",
    "Record",
    "Records",
    "cache_folder",
    "is_cached",
    "jit_hold_gil",
    "jit_internal",
    "jit_release_gil",
]

Function = TypeVar("Function", bound=Callable[..., Any])

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

FOLDERS = ("distance", "ik", "follow", "lm_pfd", "dynamics")
"""Whose compiled functions others may call: a change in one gives a new cache."""

Record = np.record
"""One record in compiled code: its fields are attributes, and views where arrays."""

Records = NDArray[Any]
"""Records in a row; compiled code asks for fields, Python for columns of them."""


@cache
def cache_folder() -> Path:
    """Return where the machine code of these sources is kept."""
    digest = hashlib.sha256(numba.__version__.encode() + sys.version.encode())
    package = Path(__file__).parent
    parts = [package / part for part in FOLDERS]
    for source in sorted(path for part in parts for path in part.rglob("*.py")):
        digest.update(source.read_bytes())
    name = f"compiled-{digest.hexdigest()[:16]}"
    for root in _roots():
        folder = root / "telexist" / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return _temporary_folder(name)


def _temporary_folder(name: str) -> Path:
    """Return the same folder in every process of this user, closed to all others.

    Machine code is run: a folder that somebody else could have prepared is not used.
    """
    if hasattr(os, "getuid"):
        folder = Path(tempfile.gettempdir(), f"telexist-{os.getuid()}-{name}")
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            status = folder.lstat()
            mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if mine and not status.st_mode & 0o077:
                return folder
    return Path(tempfile.mkdtemp(prefix="telexist-"))


def _roots() -> list[Path]:
    """Return the cache folders of the user, best first."""
    named = [os.environ.get(key) for key in ("XDG_CACHE_HOME", "LOCALAPPDATA")]
    roots = [Path(path) for path in named if path]
    with contextlib.suppress(RuntimeError):  # no home folder
        roots.append(Path.home() / ".cache")
    return roots


def is_cached(part: str = "follow") -> bool:
    """Return whether a part was compiled before; if not, its first use takes long.

    Args:
        part: Folder of its sources: "follow" is the engine, half a minute;
            "whole_body", of the balancing controllers, takes some seconds.
    """
    return any(cache_folder().glob(f"{part}*/*.nbc"))


def jit_release_gil(function: Function) -> Function:
    """Compile a function that Python calls; meanwhile other threads may run."""
    return _compiled(function, nogil=True)


def jit_hold_gil(function: Function) -> Function:
    """Compile a function that Python calls and that is over in some microseconds.

    Other threads wait meanwhile: whoever lets them run has to wait for them in turn,
    which takes far longer.
    """
    return _compiled(function)


def jit_internal(function: Function) -> Function:
    """Compile a function that only compiled functions call."""
    numba_: Any = numba
    compiled: Function = numba_.njit(
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=InnerCompiler,
    )(function)
    return take_any_number(compiled)


def _compiled(function: Function, **options: bool) -> Function:
    numba_: Any = numba
    config = numba_.config
    others = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())  # read while decorating, then restored
    try:
        compiled: Function = numba_.njit(
            cache=True,
            error_model="numpy",
            pipeline_class=EntryCompiler,
            no_cfunc_wrapper=True,
            **options,
        )(function)
    finally:
        config.CACHE_DIR = others
    return compiled
