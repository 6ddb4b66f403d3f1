"""`telexist scenario hand`: options in, figures out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from telexist.robots.description import load_robot
from telexist.teleop.scenarios import (
    DIRECTIONS,
    OnStep,
    ScenarioOptions,
    disturbances_of,
    noise_of,
)
from telexist.teleop.scenarios.hand.hand_figures import hand_figures
from telexist.teleop.scenarios.hand.hand_run import HandPull, HandWorld, run_hand
from telexist.teleop.scenarios.hand.hand_sheet import save_hand_sheet

__all__ = ["hand_scenario"]


def hand_scenario(
    options: ScenarioOptions,
    *,
    folders: Iterable[str | Path] = (),
    on_step: OnStep | None = None,
    plot: Path | None = None,
) -> dict[str, Any]:
    """Run the hand with its partner, and once without; return the figures.

    Args:
        options: What to run.
        folders: Where the user keeps models.
        on_step: Looks at every step of the run with the partner.
        plot: Where to draw it; None for nowhere.

    Raises:
        BadInput: If the robot has no hand that can go ahead.
        ModelNotFound: If its model is not on this machine.
        SimulationDiverged: If the physics breaks down.
    """
    world = HandWorld(
        robot=load_robot(options.robot, folders),
        seed=options.seed,
        rate=options.control_rate,
        noise=noise_of(options),
        disturbances=disturbances_of(options),
        hand_sensors=not options.no_hand_sensors,
    )
    law = "advance" if options.advance else "classical"
    law = "partner" if options.controller == "partner" else law
    let_go = options.let_go if options.let_go >= 0.0 else math.inf
    force = options.force * np.array(DIRECTIONS[options.direction])
    pull = HandPull(force=force, let_go=let_go)
    alone = run_hand(world, "classical", duration=options.duration)
    run = run_hand(world, law, pull, duration=options.duration, on_step=on_step)
    figures = hand_figures(run, alone, let_go)
    if plot is not None:
        save_hand_sheet(run, alone, plot)
    arrived = run.arrived is not None
    return {
        "scenario": options.name,
        "seed": options.seed,
        "options": {name: getattr(options, name) for name in options.__slots__},
        "fell": not arrived,
        "ending": "the hand arrived" if arrived else "THE HAND DID NOT ARRIVE",
    } | figures
