"""When LM-PFD stops, and what it reports."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.lm_pfd.model import Posture

__all__ = ["LmSettings", "LmSolution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LmSettings:
    """Goals of the iterations; the first one reached ends them.

    Attributes:
        iterations: Most iterations of one call.
        cost: Cost that is small enough.
        gradient: Largest entry of the gradient that counts as zero.
        step: Largest displacement of a joint that counts as none [rad] or [m].
        compliance: Softness mu of the joints in link space; N sqrt(eps) if None.
        closures: How often loops are drawn tighter once the rest has settled.
    """

    iterations: int = 100
    cost: float = 0.0
    gradient: float = 1e-10
    step: float = 1e-10
    compliance: float | None = None
    closures: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LmSolution:
    """Where the iterations ended.

    Attributes:
        posture: Of all joints.
        cost: [A] (48), of targets and wires.
        gradient: Largest entry of the gradient there, or one iteration before.
        gap: Largest error of a loop [m] or [rad].
        iterations: Linear systems solved.
        evaluations: Of the cost.
        settled: Whether a goal was reached, or no step lowered the cost any more.
    """

    posture: Posture
    cost: float
    gradient: float
    gap: float
    iterations: int
    evaluations: int
    settled: bool
