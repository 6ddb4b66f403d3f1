"""Compare the recursive step with mink, pink and placo on the same targets.

  telexist bench peers --json peers.json
  telexist bench peers --robot g1 --places limbs --json peers.json
  telexist bench peers --paced 300 --details details.json --json peers.json

Each library takes one constrained step a frame, in turn with the recursive step, frame
by frame in one program; limits inactive (free) and active (tight). Printed and written:
how many times slower it is (median over the frames; best time of a frame over the
passes; best QP solver of the library) and the mean orientation error of all. placo pins
other versions of pinocchio, so it lives in an environment of its own:

  python3 -m venv placo-env && placo-env/bin/pip install placo numba scipy
  telexist bench peers --placo-python placo-env/bin/python --json peers.json
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from rich.console import Console
from telexist.benchmarks.peers.peer_contest import ContestResult, load_result
from telexist.benchmarks.peers.peer_problem import (
    Case,
    PeerProblem,
    Places,
    make_problem,
    orientation_error_deg,
)
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list, whole_number
from telexist.retarget.errors import TelexistError
from telexist.retarget.robot_body import RobotBody
from telexist.robots.description import load_body

__all__ = ["main"]

ROBOTS = ("g1", "icub", "human66")
PEERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "mink": ("mink-daqp", "mink-quadprog"),
        "pink": ("pink-daqp", "pink-quadprog"),
        "placo": ("placo",),
        "reference": ("reference",),
    }
)
"""Library to its contestants: one for each QP solver."""
PLACO = "TELEXIST_PLACO_PYTHON"
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class ContestFailed(TelexistError):
    """A contest could not be held; the message is the last line of its errors."""


def main(argv: Sequence[str] | None = None) -> int:
    """Hold all contests, print the table and write the files."""
    args = _parser().parse_args(argv)
    ratios: dict[str, dict[str, Any]] = {}
    details: dict[str, Any] = {"machine": describe_machine(("mink", "pin-pink"))}
    skipped: set[str] = set()
    for name in args.robot:
        body = load_body(name)
        ratios[name], details[name] = {}, {}
        for case in Case:
            problem = make_problem(body, case, args.places, frames=args.frames)
            cell, detail = _hold(args, body, problem, skipped)
            ratios[name][case.value], details[name][case.value] = cell, detail
            _print(f"{name}, {case.value}, {args.places.value}", detail)
    for reason in sorted(skipped):
        Console().print(f"skipped: {reason}", markup=False, highlight=False)
    write_json(args.json, ratios)
    write_json(args.details, details)
    return 0


def _hold(
    args: argparse.Namespace, body: RobotBody, problem: PeerProblem, skipped: set[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the ratios of one problem and all that was measured."""
    cell: dict[str, Any] = {}
    errors: dict[str, float] = {}
    detail: dict[str, Any] = {}
    for peer in args.peer:
        for contestant in PEERS[peer]:
            python = args.placo_python if peer == "placo" else sys.executable
            try:
                result = _contest(python, problem, contestant, args)
            except ContestFailed as error:
                skipped.add(f"{contestant}: {error}")
                continue
            detail[contestant] = _measured(body, problem, result, contestant)
            ratio = detail[contestant]["times_slower"]
            if ratio < cell.get(peer, np.inf):
                cell[peer] = ratio
                errors[peer] = detail[contestant]["error_deg"]
                errors["recursive"] = detail[contestant]["recursive"]["error_deg"]
    if "reference" in cell and "mink" in cell:
        detail["reference_times_mink"] = cell["reference"] / cell["mink"]
    # the reference step is no peer: its ratio is among the details
    cell.pop("reference", None)
    errors.pop("reference", None)
    return {**cell, "error_deg": errors}, detail


def _contest(
    python: str, problem: PeerProblem, contestant: str, args: argparse.Namespace
) -> ContestResult:
    """Let a contestant and the recursive step run in turn, in their environment."""
    root = str(Path(__file__).resolve().parents[1])
    environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": root}
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "problem.pkl", Path(folder) / "result.npz"
        given.write_bytes(pickle.dumps(problem))
        words = [str(given), str(found), f"recursive,{contestant}"]
        words += [str(args.passes), str(args.paced)]
        command = [python, "-m", "telexist.benchmarks.peers.peer_contest", *words]
        try:
            ran = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise ContestFailed(f"{python}: {error.strerror}") from error
        if ran.returncode != 0:
            lines = ran.stderr.strip().splitlines() or [f"code {ran.returncode}"]
            raise ContestFailed(lines[-1].rpartition("errors.")[2])
        return load_result(found)


def _measured(
    body: RobotBody, problem: PeerProblem, result: ContestResult, contestant: str
) -> dict[str, Any]:
    """Return times, ratio and errors of one contest."""
    ours, theirs = result.times("recursive"), result.times(contestant)
    found = _times(result, contestant)
    found["times_slower"] = float(np.median(theirs / ours))
    found["recursive"] = _times(result, "recursive")
    for name, place in ((contestant, found), ("recursive", found["recursive"])):
        errors = orientation_error_deg(body, problem, result.answers(name))
        place["error_deg"] = float(errors.mean())
    if len(result.paced):
        paced = np.median(result.paced, axis=0)
        found["paced_times_slower"] = float(paced[1] / paced[0])
    return found


def _times(result: ContestResult, name: str) -> dict[str, Any]:
    """Return percentiles of the steps of a contestant [us]."""
    c = result.names.index(name)
    found = _percentiles(result.times(name), "")
    found |= _percentiles(result.wall[:, :, c], "raw_")
    if len(result.paced):
        found |= _percentiles(result.paced[:, c], "paced_")
    return found


def _percentiles(times: np.ndarray, prefix: str) -> dict[str, Any]:
    return {f"{prefix}p{p}_us": float(1e6 * np.percentile(times, p)) for p in (50, 99)}


def _print(title: str, detail: Mapping[str, Any]) -> None:
    rows = []
    for name, found in detail.items():
        if not isinstance(found, dict):
            continue
        ours = found["recursive"]
        paced = f"{found['paced_times_slower']:.1f}" if "paced_p50_us" in found else "-"
        rows.append(
            [
                name,
                f"{found['times_slower']:.1f}",
                f"{found['p50_us']:.0f} / {found['p99_us']:.0f}",
                f"{ours['p50_us']:.1f} / {ours['p99_us']:.1f}",
                paced,
                f"{found['error_deg']:.4f}",
                f"{ours['error_deg']:.4f}",
            ]
        )
    headings = ["", "times slower", "p50 / p99 [us]", "recursive [us]"]
    headings += ["paced", "error [deg]", "recursive [deg]"]
    print_table(title, headings, rows)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench peers", __doc__ or "")
    count = whole_number(1, 100_000)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios")
    parser.add_argument("--details", type=Path, metavar="FILE", help="write all times")
    parser.add_argument("--robot", type=comma_list, default=ROBOTS, help="a,b,c")
    parser.add_argument("--peer", type=comma_list, default=tuple(PEERS), help="a,b,c")
    parser.add_argument(
        "--places",
        type=Places,
        choices=list(Places),
        default=Places.BASE,
        help="wanted beside orientations: of the base, or of hands and feet too",
    )
    parser.add_argument("--frames", type=count, default=200, help="default 200")
    parser.add_argument("--passes", type=count, default=5, help="default 5")
    parser.add_argument(
        "--paced",
        type=whole_number(0, 100_000),
        default=0,
        metavar="N",
        help="also N frames at 60 Hz with sleep between them",
    )
    parser.add_argument(
        "--placo-python",
        default=os.environ.get(PLACO, sys.executable),
        metavar="FILE",
        help=f"interpreter of placo's environment; default ${PLACO}",
    )
    return parser
