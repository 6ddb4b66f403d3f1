"""Small functions over arrays that become part of their callers.

A compiled call hands over shape and strides of every array, and what is called can no
longer know that a block has 6 rows. That costs more than the arithmetic of a small
block. Records have a fixed layout; functions over those stay `inner`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from telexist.retarget.joined_code import InnerCompiler

__all__ = ["inlined"]

Function = TypeVar("Function", bound=Callable[..., Any])


def inlined(function: Function) -> Function:
    """Compile a function into those that call it; so it needs no cache of its own."""
    numba_: Any = numba
    compiled: Function = numba_.njit(
        error_model="numpy",
        forceinline=True,
        pipeline_class=InnerCompiler,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )(function)
    return compiled
