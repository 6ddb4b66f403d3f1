"""Why a robot fell that played a motion: what the motion and the drives did before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.scenarios import Trace

__all__ = ["fall_causes"]

BEFORE = 1.0  # [s] that are looked at
LEAST = 0.05  # [s] that something must last to be a cause
BARELY = 0.005  # [m] outside the soles that does not matter
SATURATED = 0.95  # share of a drive's effort
FELT = 0.02  # body weights, of a sole that bears load
SLIPS = 0.1  # [m/s] of a loaded sole


def fall_causes(trace: Trace, joints: Sequence[str], effort: Array) -> tuple[str, ...]:
    """Return what went wrong in the second before the end of a trace, worst first."""
    time = trace.array("time")
    if len(time) < 2:
        return ("it begins in a posture that falls",)
    dt = float(time[1] - time[0])
    last = time > time[-1] - BEFORE
    found = [
        *_balance(trace.array("zmp_outside")[last], dt),
        *_flight(trace.array("carries")[last], dt),
        *_drives(np.abs(trace.array("tau")[last]) / effort, joints, dt),
    ]
    sliding = (trace.array("load")[last] > FELT) & (
        trace.array("sole_speed")[last] > SLIPS
    )
    if sliding.any(axis=1).sum() * dt > LEAST:
        found.append(f"a loaded sole slides for {sliding.any(axis=1).sum() * dt:.2f} s")
    return tuple(found) or ("nothing that this program knows to look for",)


def _balance(outside: Array, dt: float) -> list[str]:
    beyond = outside[np.isfinite(outside) & (outside > BARELY)]
    if len(beyond) * dt < LEAST:
        return []
    return [
        f"the motion's ZMP is outside its soles for {len(beyond) * dt:.2f} s, by up to "
        f"{1e3 * beyond.max():.0f} mm"
    ]


def _flight(carries: Array, dt: float) -> list[str]:
    air = np.count_nonzero(~carries.any(axis=1)) * dt
    return [f"no sole stands for {air:.2f} s"] if air > LEAST else []


def _drives(share: Array, joints: Sequence[str], dt: float) -> list[str]:
    time = (share > SATURATED).sum(axis=0) * dt
    worst = np.argsort(-time)[:3]
    return [
        f"{joints[i]} is at its greatest torque for {time[i]:.2f} s"
        for i in worst
        if time[i] > LEAST
    ]
