"""Balance and walk in simulation: named, seeded, headless, measured.

Scenarios: stand, push, one-foot, follow, walk, turn, three-stages, random-walk.

Examples:
  telexist scenario push --robot g1 --push-lateral 0.25
  telexist scenario one-foot --robot talos --foot right --clip wave.bvh
  telexist scenario follow --robot g1 --clip squats.bvh --json legs.json
  telexist scenario walk --robot g1 --speed 0.4 --control-rate 100 --plot walk.png
  telexist scenario walk --robot g1 --speed 0.4 --push-lateral 0.1 --push-time -1
  telexist scenario walk --speed 0.23 --slope-deg 2 --mass-scale 1.05
  telexist scenario random-walk --robot talos --seed 7 --video walk.gif

The controller sees noisy encoders, one IMU and the forces under the soles; --true-base
gives it the simulator's state instead, for comparison. Pushes are in body weights; a
negative --push-time draws the moment. Exit code: 0 the robot stood, 1 it fell, 2
nothing was started, because an option, the robot or a file cannot be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from launch_scripts.command_line import FAILED, OK, Parser, UsageError
from launch_scripts.first_run import announce_controllers
from retarget.errors import BadInput, MissingDependency, ModelNotFound
from robots.simulation import Simulation
from teleop.scenarios import options as known
from teleop.scenarios.figure_words import figure_manual
from teleop.scenarios.figures import scenario_figures
from teleop.scenarios.figures_file import write_figures
from teleop.scenarios.option_ranges import RANGES, flag_of
from teleop.scenarios.options import ScenarioOptions, scenario_options
from teleop.scenarios.output_files import ENDINGS, prepare_outputs
from teleop.scenarios.plot_sheet import save_plot_sheet
from teleop.scenarios.run_scenario import ScenarioRun, run_scenario
from teleop.scenarios.video import Video

__all__ = ["main"]

SHOWN = ["dcm_rms_mm", "com_rms_mm", "arm_error_max", "mean_speed", "mean_yaw_rate"]
SHOWN += ["squat_mm", "one_foot_time", "free_leg_error_rms"]
SHOWN += ["steps", "recovery_steps", "qp_failures", "tick_ms_p50", "real_time_factor"]

SHOW_EVERY = 50  # control steps


def main(argv: Sequence[str] | None = None) -> int:
    """Run one scenario; return the exit code."""
    args = _parser().parse_args(argv)
    given = {
        field.name: getattr(args, field.name)
        for field in fields(ScenarioOptions)
        if field.name != "name" and getattr(args, field.name) is not None
    }
    video = Video() if args.video else None
    try:
        options = scenario_options(args.name, given)
        prepare_outputs({kind: getattr(args, kind) for kind in ENDINGS})
        announce_controllers()
        run = _run(options, args.models, video)
    except (BadInput, ModelNotFound, MissingDependency) as error:
        raise UsageError(str(error)) from error  # 1 would say that the robot fell
    finally:
        if video is not None:
            video.close()
    figures = scenario_figures(run)
    if args.json:
        write_figures(args.json, figures)
    if args.plot:
        save_plot_sheet(run, figures, args.plot)
    if video is not None:
        video.save(args.video)
    _show(run, figures)
    return FAILED if figures["fell"] else OK


def _show(run: ScenarioRun, figures: dict[str, Any]) -> None:
    options, fell = run.options, "stood"
    if run.fell_at is not None:
        fell = f"FELL at {run.fell_at:.2f} s: {run.fall_reason}"
    print(f"{options.name} {options.robot} seed {options.seed}: {fell}")
    for name in SHOWN:
        if name in figures:
            print(f"  {name:<18} {figures[name]:.4g}")


def _run(
    options: ScenarioOptions, folders: Sequence[Path], video: Video | None
) -> ScenarioRun:
    """Run with a bar on the terminal, and with a video if one is asked for."""
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
        return run_scenario(options, folders=folders, on_step=on_step)


def _parser() -> Parser:
    parser = Parser("telexist scenario", __doc__ or "")
    parser.epilog = figure_manual()
    parser.add_argument("name", help=", ".join(known.SCENARIOS))
    words = known.option_help()
    for field in fields(ScenarioOptions):
        if field.name == "name":
            continue
        option, text = flag_of(field.name), words[field.name]
        if isinstance(field.default, bool):
            parser.add_argument(option, action="store_true", default=None, help=text)
            continue
        allowed = f"{RANGES[field.name]}; " if field.name in RANGES else ""
        text = f"{text} {allowed}{known.option_defaults(field.name)}"
        kind = type(field.default)
        parser.add_argument(option, type=kind, default=None, help=text, metavar="X")
    for result, endings in ENDINGS.items():
        text = f"write a {result} file {', '.join(endings)}".rstrip()
        parser.add_argument(f"--{result}", type=Path, metavar="FILE", help=text)
    text = "a folder of robot models; may be given again"
    parser.add_argument(
        "--models", action="append", default=[], type=Path, metavar="DIR", help=text
    )
    return parser
