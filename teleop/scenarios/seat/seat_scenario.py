"""`telexist scenario stand-up` and `sit-down`: options in, figures out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from telexist.teleop.scenarios import OnStep, ScenarioOptions
from telexist.teleop.scenarios.seat.seat_figures import reached, seat_figures
from telexist.teleop.scenarios.seat.seat_run import run_seat
from telexist.teleop.scenarios.seat.seat_sheet import save_seat_sheet

__all__ = ["SEATS", "came_off", "seat_scenario"]

SEATS = ("stand-up", "sit-down")
"""Scenarios with a seat."""


def came_off(figures: Mapping[str, Any]) -> bool:
    """Return whether a scenario of any kind ended as it should."""
    return not figures["fell"] and bool(figures.get("reached", True))


def seat_scenario(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """Run with the partner, and once alone; return the figures.

    Args:
        options: What to run.
        folders: Where the user keeps models.
        on_step: Looks at every step of the run with the partner.
        plot: Where to draw it; None for nowhere.

    Raises:
        BadInput: If the robot cannot sit on that seat, or has no hands to take.
        ModelNotFound: If its model is not on this machine.
    """
    folders = tuple(folders)
    run = run_seat(options, folders=folders, on_step=on_step)
    alone = None
    if options.partner != "none":
        alone = run_seat(
            replace(options, partner="none", advance=False, speed=0.0), folders=folders
        )
    if plot is not None:
        save_seat_sheet(run, alone, plot)
    done = reached(run)
    endings = {"stand-up": ("stood up", "STAYED SEATED"), "sit-down": ("sat down",)}
    ending = endings[options.name][0] if done else "DID NOT GET THERE"
    if not done and run.fell_at is None and options.name == "stand-up":
        ending = endings["stand-up"][1]
    return {
        "scenario": options.name,
        "seed": options.seed,
        "options": {name: getattr(options, name) for name in options.__slots__},
        "fell": run.fell_at is not None,
        "reached": done,
        "ending": ending,
    } | seat_figures(run, alone)
