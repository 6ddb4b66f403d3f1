"""The sub-commands of `telexist`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "bench": "launch_scripts.bench:main",
        "calibrate": "launch_scripts.calibrate:main",
        "export": "launch_scripts.export:main",
        "replay": "launch_scripts.replay:main",
        "retarget": "launch_scripts.retarget:main",
        "robots": "launch_scripts.robots:main",
        "scenario": "launch_scripts.scenario:main",
        "simulate": "launch_scripts.simulate:main",
        "teleoperate": "launch_scripts.teleoperate:main",
        "view": "launch_scripts.view:main",
    }
)
"""Sub-command to its function, imported only when asked for."""
