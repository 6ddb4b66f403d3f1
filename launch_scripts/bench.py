"""Measure: the papers' figures and tables, and other libraries on the same problem.

  telexist bench figure3 --json f3.json --png f3.png    phase plane at joint limits
  telexist bench figure7 --json f7.json --png f7.png    three methods, models, motions
  telexist bench figure8 --json f8.json --png f8.png    convergence for several gains
  telexist bench table1 --json t1.json                  LM-PFD against dense solvers
  telexist bench musculoskeletal --json m.json          150 joints, 300 wires, a jump
  telexist bench clips --json clips.json                frames per second, whole clips
  telexist bench dataset recordings/ --json d.json      files in to files out, stages
  telexist bench growth --json growth.json              time per step, 10 to 600 joints
  telexist bench peers --json peers.json                against mink, pink and placo
  telexist bench partner --json partner.json            a partner's help, [T] 8 and 9
  telexist bench robust --json robust.json              random starts, 10 000 of them
  telexist bench locomotion --json locomotion.json      control step, QP, real time
  telexist bench teleoperation --json latency.json      sample to command, each stage
  telexist bench dynamics --json dynamics.json          torques of a person, exactly
  telexist bench fidelity results/ --recordings motions/    an outside judge of results
  telexist bench network --json network.json            two machines, a bad line
  telexist bench touching results/ --robot g1             what is in itself or the floor
  telexist bench soak --duration 600 --json soak.json   memory, period, lost events

Each prints a table and has a manual of its own: telexist bench peers --help. Timings
are ratios within one run; benchmarks/README.md says what was measured and where.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

from telexist.launch_scripts.shell import OK
from telexist.retarget.errors import UnknownName, UsageError

__all__ = ["BENCHMARKS", "main"]

BENCHMARKS: Mapping[str, str] = MappingProxyType(
    {
        "clips": "telexist.benchmarks.engine.clips:main",
        "dataset": "telexist.benchmarks.engine.dataset:main",
        "dynamics": "telexist.benchmarks.dynamics.person_dynamics:main",
        "fidelity": "telexist.benchmarks.fidelity.fidelity:main",
        "figure3": "telexist.benchmarks.papers.figure3:main",
        "figure7": "telexist.benchmarks.papers.figure7:main",
        "figure8": "telexist.benchmarks.papers.figure8:main",
        "growth": "telexist.benchmarks.papers.growth:main",
        "locomotion": "telexist.benchmarks.live.locomotion:main",
        "musculoskeletal": "telexist.benchmarks.engine.musculoskeletal:main",
        "network": "telexist.benchmarks.network.two_machines:main",
        "partner": "telexist.benchmarks.partner.partner:main",
        "peers": "telexist.benchmarks.peers.peers:main",
        "robust": "telexist.benchmarks.engine.robust:main",
        "soak": "telexist.benchmarks.live.soak:main",
        "table1": "telexist.benchmarks.papers.table1:main",
        "teleoperation": "telexist.benchmarks.live.teleoperation:main",
        "touching": "telexist.benchmarks.fidelity.touching:main",
    }
)
"""Benchmark to its function, imported only when asked for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one benchmark and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        raise UsageError(f"which one? {', '.join(BENCHMARKS)}")
    if words[0] in ("--help", "-h"):
        print(__doc__, end="")
        return OK
    if words[0] not in BENCHMARKS:
        raise UnknownName("benchmark", words[0], BENCHMARKS)
    module, _, function = BENCHMARKS[words[0]].partition(":")
    run = getattr(importlib.import_module(module), function)
    return cast(Callable[[Sequence[str]], int], run)(words[1:])
