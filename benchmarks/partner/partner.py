"""A partner's help: Tirupachuri's figures beside the printed and the corrected laws.

9.5     six forces (Table 9.1) on a hand that swings, in simulation without noise
9.7     the same with noise and friction; a pull along x without an end
9.10    a centre of mass that stands up, pulled: the law alone on the path
9.13    the same with noise and delay of the force
8       two robots that hold each other: equations against the dense system

telexist bench partner --json partner.json
telexist bench partner --robot g1 --states 20
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from telexist.benchmarks.partner.joined_robots import joined_robots
from telexist.benchmarks.partner.rising_point import rising_point
from telexist.benchmarks.partner.swinging_hand import real_robot, simulated_robot
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import OK, Parser, whole_number
from telexist.robots.description import load_robot

__all__ = ["main"]

PULLS = (0.0, 20.0, 40.0, 80.0)  # [N] of both hands together
NOISE, DELAY = 3.0, 0.04  # [N], [s] of what the hands feel
SAID: dict[str, str] = {
    "9.5": "the thesis: psi ahead of time for a, b, c, most for a; not for d, e, f",
    "9.7": "the thesis: ahead while the pull is along the way, unchanged while against",
    "9.10": "the thesis: ahead while helped, less at the ends of both ways",
    "9.13": "the thesis: the same; the error grows while it advances and falls again",
    "8": "the thesis prints a positive alpha as help and -f_m as f_m in (8.39)",
}


def main(argv: Sequence[str]) -> int:
    """Measure, print and write; return the exit code."""
    parser = Parser("telexist bench partner", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--robot", default="icub", help="default icub")
    parser.add_argument(
        "--states",
        type=whole_number(1, 10_000),
        default=100,
        help="of two robots; default 100",
    )
    text = "a folder of robot models; may be given again"
    parser.add_argument(
        "--models", action="append", default=[], type=Path, metavar="DIR", help=text
    )
    args = parser.parse_args(argv)
    robot = load_robot(args.robot, args.models)
    figures: dict[str, list[dict[str, Any]]] = {
        "9.5": simulated_robot(robot),
        "9.7": real_robot(robot),
        "9.10": _rising(0.0, 0.0),
        "9.13": _rising(NOISE, DELAY),
        "8": joined_robots(robot, args.states),
    }
    for name, rows in figures.items():
        titles = list(rows[0])
        table = [[_text(row[key]) for key in titles] for row in rows]
        print_table(f"{name}: {SAID[name]}", titles, table)
    if args.json:
        write_json(args.json, {"machine": describe_machine(), **figures})
    return OK


def _rising(noise: float, delay: float) -> list[dict[str, Any]]:
    return [
        rising_point(newtons=pull, printed=printed, noise=noise, delay=delay)
        for printed in (False, True)
        for pull in PULLS
    ]


def _text(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
