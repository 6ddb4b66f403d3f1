"""One constrained step beside mink, pink and placo on the same problem."""

from telexist.benchmarks.peers.peer_problem import (
    Case,
    Places,
    make_problem,
    targets_at,
)
from telexist.benchmarks.peers.recursive_step import RecursiveStep

__all__ = ["Case", "Places", "RecursiveStep", "make_problem", "targets_at"]
