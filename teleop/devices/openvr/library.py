"""The library `openvr`, imported only when a headset is asked for."""

from __future__ import annotations

import importlib
from types import ModuleType

from telexist.retarget.errors import MissingDependency

__all__ = ["import_openvr"]


def import_openvr() -> ModuleType:
    """Return the library.

    Raises:
        MissingDependency: If it is not installed.
    """
    try:
        return importlib.import_module("openvr")
    except ImportError as error:
        raise MissingDependency("openvr", "pip install openvr") from error
