"""The sub-commands of `telexist`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "bench": "telexist.launch_scripts.bench:main",
        "calibrate": "telexist.launch_scripts.calibrate:main",
        "check-motion": "telexist.launch_scripts.check_motion:main",
        "dataset": "telexist.launch_scripts.dataset.dataset:main",
        "dynamics": "telexist.launch_scripts.dynamics:main",
        "export": "telexist.launch_scripts.export:main",
        "replay": "telexist.launch_scripts.replay:main",
        "retarget": "telexist.launch_scripts.retarget:main",
        "robot": "telexist.launch_scripts.robot:main",
        "robots": "telexist.launch_scripts.robots.robots:main",
        "scenario": "telexist.launch_scripts.scenario:main",
        "simulate": "telexist.launch_scripts.simulate:main",
        "teleoperate": "telexist.launch_scripts.teleoperate:main",
        "view": "telexist.launch_scripts.view:main",
        "watch": "telexist.launch_scripts.watch:main",
    }
)
"""Sub-command to its function, imported only when asked for."""
