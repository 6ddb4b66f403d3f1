"""Where something was measured: processor, load, versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["describe_machine"]


def describe_machine(packages: Sequence[str] = ()) -> dict[str, str]:
    """Return what a reader of timings must know of the machine.

    Args:
        packages: Distributions whose versions matter.
    """
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    found = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load": load,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }
    for package in ("numpy", "numba", "pin", *packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return named[0] if named else platform.machine()
