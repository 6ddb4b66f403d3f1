"""A run of controllers that take turns, from options to figures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from telexist.teleop.scenarios import OnStep, ScenarioOptions
from telexist.teleop.scenarios.hand_over.hand_over_figures import hand_over_figures
from telexist.teleop.scenarios.hand_over.hand_over_run import run_hand_over

__all__ = ["hand_over_scenario"]


def hand_over_scenario(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
) -> dict[str, Any]:
    """Return every figure of a run.

    Raises:
        BadInput: If controllers and robot do not fit each other.
        ModelNotFound: If the robot's model is not on this machine.
    """
    return hand_over_figures(run_hand_over(options, folders=folders, on_step=on_step))
