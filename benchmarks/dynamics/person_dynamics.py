"""The dynamics of a person against truth, against measurement, and in time.

On the built-in motion with known forces, so that there is a truth:
  base        torques when the recursion starts at another link ([L] Table 4)
  accuracy    feet and torques against the truth and against the noisy measurement that
              was believed, for three choices of deviations ([L] Tables 2, 3 and 4.5)
  load        what is found in the hands for loads of 0 to 8 kg ([T] Figs 6.5 to 6.7)
  time        a sample with all covariances beside pinocchio's RNEA, and iDynTree's
              Berdy without covariances where it is installed, in turn

With --recordings, people who were measured, too: moments against OpenSim and Plug-in
Gait, live for several lags, without plates, and loads that are not there.

  telexist bench dynamics --json dynamics.json
  telexist bench dynamics --recordings ../shared/data/motions
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from telexist.benchmarks.dynamics.berdy import BerdyProcess
from telexist.benchmarks.dynamics.known_forces import KnownForces, known_forces
from telexist.benchmarks.dynamics.measured_people import measured_people
from telexist.benchmarks.tables import (
    describe_machine,
    print_table,
    time_in_turn,
    write_json,
)
from telexist.launch_scripts.shell import OK, Parser, whole_number
from telexist.retarget.dynamics import TorqueEstimator
from telexist.retarget.human import human_urdf

__all__ = ["main"]

LOADS = (0.0, 2.0, 4.0, 8.0)  # [kg] in both hands together
BASES = ("Pelvis", "LeftFoot", "RightFoot")
TRUSTED = {"as measured": (2.0, 0.5), "feet 0.01": (0.01, 0.01), "feet 50": (50.0, 5.0)}


def main(argv: Sequence[str]) -> int:
    """Measure, print and write; return the exit code."""
    parser = Parser("telexist bench dynamics", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument(
        "--rounds", type=whole_number(5, 10_000), default=50, help="timings; default 50"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        metavar="DIR",
        help="people who were measured; see benchmarks/dynamics/measured_people.py",
    )
    args = parser.parse_args(argv)
    if args.recordings is not None and not args.recordings.is_dir():
        parser.error(f"{args.recordings} is no folder")
    empty = known_forces(0.0)
    figures = {
        "machine": describe_machine(),
        "base": _bases(empty),
        "accuracy": _accuracy(empty),
        "load": [_load(known_forces(load)) for load in LOADS],
        "time": _times(empty, args.rounds),
    }
    names = ["base", "accuracy", "load", "time"]
    if args.recordings is not None:
        people = measured_people(args.recordings)
        figures |= {f"people: {name}": rows for name, rows in people.items()}
        names += [f"people: {name}" for name in people]
    for name in names:
        rows: Any = figures[name]
        titles = list(rows[0])
        print_table(name, titles, [[_text(row[key]) for key in titles] for row in rows])
    if args.json:
        write_json(args.json, figures)
    return OK


def _text(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _bases(known: KnownForces) -> list[dict[str, Any]]:
    first = known.estimate(base=BASES[0]).torques
    return [
        {
            "base": base,
            "torques_differ_n_m": float(
                np.abs(known.estimate(base=base).torques - first).max()
            ),
        }
        for base in BASES
    ]


def _accuracy(known: KnownForces) -> list[dict[str, Any]]:
    rows = []
    for name, (force, moment) in TRUSTED.items():
        found = known.estimate(foot_force=force, foot_moment=moment)
        miss = found.torques - known.torques
        rows.append(
            {
                "deviations": name,
                "feet_vs_truth_n": _rms(found.feet - known.feet),
                "feet_vs_measured_n": _rms(found.feet - known.measured_feet),
                "torques_vs_truth_n_m": _rms(miss),
                "torques_inside_95_percent": float(
                    100.0 * np.mean(np.abs(miss) < 1.96 * found.torques_sd)
                ),
            }
        )
    return rows


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _load(known: KnownForces) -> dict[str, Any]:
    found = known.estimate(hands=True)
    return {
        "load_kg": known.load,
        "found_kg": float(found.hands.mean()),
        "deviation_over_time_kg": float(found.hands.std()),
        "stated_per_hand_kg": float(found.hands_sd.mean()),
        "torques_vs_truth_n_m": _rms(found.torques - known.torques),
    }


def _times(known: KnownForces, rounds: int) -> list[dict[str, Any]]:
    person = known.person
    estimator = TorqueEstimator(person)
    known.tell(estimator, 0)
    urdf = human_urdf(person.size, mass=person.mass)
    model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer())
    data, q = model.createData(), pin.neutral(model)
    v = np.ones(model.nv)
    methods: dict[str, Callable[[int], object]] = {
        "all with covariances": lambda _: estimator.step(),
        "means": lambda _: estimator.step_means(),
        "pinocchio RNEA": lambda _: pin.rnea(model, data, q, v, v),
    }
    for method in methods.values():
        method(0)  # compiles
    with BerdyProcess(urdf) as berdy:
        times = time_in_turn(methods, rounds, before=lambda _: berdy.solve())
    rows: list[dict[str, Any]] = [
        {
            "method": name,
            "p50_us": 1e3 * times.p50_ms(name),
            "p99_us": 1e3 * times.p99_ms(name),
            "times_rnea": times.times_slower(name, "pinocchio RNEA"),
        }
        for name in methods
    ]
    if berdy.seconds:
        middle, most = np.percentile(berdy.seconds, [50.0, 99.0])
        rows.append(
            {
                "method": "iDynTree Berdy, means",
                "p50_us": 1e6 * float(middle),
                "p99_us": 1e6 * float(most),
                "times_rnea": 1e3 * float(middle) / times.p50_ms("pinocchio RNEA"),
            }
        )
    return rows
