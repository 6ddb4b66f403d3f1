"""Balance and walk in simulation: named, seeded, headless, measured.

Scenarios: stand, push, carry, hand, stand-up, sit-down, one-foot, follow, own-steps,
walk, turn, three-stages, random-walk, hand-over.

Examples:
  telexist scenario push --robot g1 --push-lateral 0.25
  telexist scenario hand --force 10 --direction ahead --advance --plot hand.png
  telexist scenario stand-up --robot icub --partner person --pull 20 --advance
  telexist scenario follow --robot g1 --clip squats.bvh --json legs.json
  telexist scenario own-steps --robot g1 --clip walk.bvh
  telexist scenario walk --robot g1 --speed 0.4 --push-lateral 0.1 --push-time -1
  telexist scenario random-walk --robot talos --seed 7 --video walk.gif
  telexist scenario hand-over --robot g1 --controller balance,policy:walk.toml

The controller sees noisy encoders, one IMU and the forces under the soles; --true-base
gives it the simulator's state. --controller policy:FILE asks a learned policy: stand,
push, follow (it tracks), walk, turn, three-stages, random-walk; docs/policies.md.
hand: docs/partner.md; stand-up, sit-down: docs/stand-up.md; hand-over: controllers take
turns, docs/hand-over.md. Exit code: 0 the robot stood, arrived, got up or sat, 1 it
fell or did not, 2 nothing was started: an option, the robot or a file cannot be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from telexist.launch_scripts.arguments import add_scenario_arguments, given_options
from telexist.launch_scripts.shell import FAILED, OK, Parser
from telexist.launch_scripts.terminal import announce_controllers
from telexist.retarget.errors import (
    BadInput,
    MissingDependency,
    ModelNotFound,
    UsageError,
)
from telexist.robots.mujoco import Simulation
from telexist.teleop.scenarios import (
    ENDINGS,
    ScenarioOptions,
    Video,
    prepare_outputs,
    run_scenario,
    save_plot_sheet,
    scenario_figures,
    scenario_options,
    summary_lines,
    write_figures,
)
from telexist.teleop.scenarios.hand import hand_scenario
from telexist.teleop.scenarios.hand_over import hand_over_scenario
from telexist.teleop.scenarios.policy import policy_figures, run_policy
from telexist.teleop.scenarios.seat import SEATS, came_off, seat_scenario

__all__ = ["main"]

SHOW_EVERY = 50  # control steps


def main(argv: Sequence[str] | None = None) -> int:
    """Run one scenario; return the exit code."""
    parser = Parser("telexist scenario", __doc__ or "")
    add_scenario_arguments(parser)
    args = parser.parse_args(argv)
    video = Video() if args.video else None
    try:
        options = scenario_options(args.name, given_options(args))
        prepare_outputs({kind: getattr(args, kind) for kind in ENDINGS})
        announce_controllers()
        if args.plot and (options.learned or "," in options.controller):
            raise BadInput("--plot: there is no balance to plot; use --json")
        figures = _run(options, args.models, video, args.plot)
    except (BadInput, ModelNotFound, MissingDependency) as error:
        raise UsageError(str(error)) from error  # 1 would say that the robot fell
    finally:
        if video is not None:
            video.close()
    if args.json:
        write_figures(args.json, figures)
    if video is not None:
        video.save(args.video)
    print(*summary_lines(options, figures), sep="\n")
    return OK if came_off(figures) else FAILED


def _run(
    options: ScenarioOptions,
    folders: Sequence[Path],
    video: Video | None,
    plot: Path | None,
) -> dict[str, Any]:
    """Run with a bar on the terminal; with a video or a plot if one is asked for."""
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    shown = Progress(*columns, console=console, transient=True)
    shown.disable = not console.is_terminal
    task = shown.add_task(f"{options.name} {options.robot}", total=options.duration)

    def on_step(simulation: Simulation, time: float) -> None:
        if video is not None:
            video.on_step(simulation, time)
        if round(time * options.control_rate) % SHOW_EVERY == 0:
            shown.update(task, completed=time)

    with shown:
        if options.name == "hand-over":
            return hand_over_scenario(options, folders=folders, on_step=on_step)
        if options.learned:
            return policy_figures(run_policy(options, folders=folders, on_step=on_step))
        own = {"hand": hand_scenario} | dict.fromkeys(SEATS, seat_scenario)
        if run_own := own.get(options.name):
            return run_own(options, folders=folders, on_step=on_step, plot=plot)
        run = run_scenario(options, folders=folders, on_step=on_step)
    figures = scenario_figures(run)
    if plot is not None:
        save_plot_sheet(run, figures, plot)
    return figures
