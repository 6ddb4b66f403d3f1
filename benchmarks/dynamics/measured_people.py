"""People who were measured: torques, contacts and loads against what is known of them.

moments     of hip, knee and ankle, rmse and correlation, where all that touched the
ground was measured: against published results in the files, and against
OpenSim's inverse dynamics where FOLDER/references/NAME_id.sto holds it
live        the same walk as it would have been live, for several lags
no sensor   forces of the ground without plates, against plates
load        what is found in empty hands, and under a pelvis that nobody carries
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.dynamics import (
    LEG_JOINTS,
    OnlineDynamics,
    RecordedDynamics,
    Trust,
    dynamics_of_recording,
    leg_moment,
    read_person,
    trust_of,
)
from telexist.retarget.person_dynamics import GroundForces
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.c3d import c3d_capture
from telexist.retarget.recordings.opensim_tables import read_table
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = ["measured_people"]

GRAVITY = 9.81  # [m/s^2]
SIDES = ("Left", "Right")
FEET = [SEGMENT_INDEX[f"{side}Foot"] for side in SIDES]
HANDS = [SEGMENT_INDEX[f"{side}Hand"] for side in SIDES]
LAGS = (0.02, 0.04, 0.06, 0.08)  # [s]
BAND = 1.96  # deviations in which 95 % lie
RAW = 30.0  # [Hz] low pass of what a live source shows
_OPENSIM = {
    "hip flexion": "hip_flexion_{}_moment",
    "knee flexion": "knee_angle_{}_moment",
    "ankle dorsiflexion": "ankle_angle_{}_moment",
}
_PLUG_IN = {
    "hip flexion": "HipMoment",
    "knee flexion": "KneeMoment",
    "ankle dorsiflexion": "AnkleMoment",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A recording, who is on it, and what else is known of them."""

    name: str
    markers: str
    forces: str | None
    static: str
    mass: float | None
    reference: str = ""
    span: tuple[float, float] = (-np.inf, np.inf)

    def solve(
        self,
        folder: Path,
        *,
        plates: bool = True,
        cutoff: float = 6.0,
        trust: Trust | None = None,
    ) -> RecordedDynamics:
        known = folder / self.forces if plates and self.forces else None
        recorded = read_person(
            folder / self.markers,
            forces=known,
            options=ReadOptions(static=self.static),
        )
        if not plates:
            recorded = replace(recorded, plates=None)
        return dynamics_of_recording(
            recorded, mass=self.mass, cutoff=cutoff, trust=trust
        )


_WALK = _Trial(
    name="walk, 85 kg",
    markers="opensim_core/example3DWalking/markers_walk.trc",
    forces="opensim_core/example3DWalking/grf_walk.mot",
    static="subject_walk_scaled.osim",
    mass=85.3,
    reference="opensim_core/example3DWalking/id_walk.sto",
    span=(0.5, 1.6),
)
_CHILD = _Trial(
    name="child, 32 kg",
    markers="biomechzoo/HC002D06.c3d",
    forces=None,
    static="HC002D02.c3d",
    mass=None,
)


def _opencap(name: str) -> _Trial:
    place = "nimblephysics/opencap_subject4"
    return _Trial(
        name=f"{name}, 60 kg",
        markers=f"{place}/{name}.trc",
        forces=f"{place}/{name}_grf.mot",
        static="static1.trc",
        mass=60.0,
        reference=f"references/{name}_id.sto",
    )


def measured_people(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return all tables of the recordings that are there.

    Args:
        folder: Holds `opensim_core`, `nimblephysics` and `biomechzoo`.
    """
    trials = [_WALK, *map(_opencap, ("walking1", "squats1"))]
    there = [trial for trial in trials if (folder / trial.markers).is_file()]
    tables: dict[str, list[dict[str, Any]]] = {
        "moments": [row for trial in there for row in _moments(folder, trial)],
        "live": _live(folder) if _WALK in there else [],
        "no sensor": [row for trial in there for row in _without(folder, trial)],
        "load": list(_loads(folder)),
    }
    if (folder / _CHILD.markers).is_file():
        tables["moments"] += _child(folder)
    return {name: rows for name, rows in tables.items() if rows}


def _moments(folder: Path, trial: _Trial) -> list[dict[str, Any]]:
    if not (folder / trial.reference).is_file():
        return []
    table, result = read_table(folder / trial.reference), trial.solve(folder)
    time = result.body.time
    known = result.body.measured.all(axis=1)
    known &= (time >= trial.span[0]) & (time <= trial.span[1])
    rows = []
    for joint, column in _OPENSIM.items():
        pairs = []
        for side in SIDES:
            values = table.column(column.format(side[0].lower()))
            theirs = np.interp(time, table.time, values)
            ours = leg_moment(result, side, joint)[0]
            pairs.append((ours[known], theirs[known]))
        rows.append(_compared(trial.name, joint, pairs))
    return rows


def _child(folder: Path) -> list[dict[str, Any]]:
    """Compare with the moments of Plug-in Gait in the file, where a foot has force."""
    result = _CHILD.solve(folder)
    curves = c3d_capture(folder / _CHILD.markers).curves
    rows = []
    for joint, name in _PLUG_IN.items():
        pairs = []
        for s, side in enumerate(SIDES):
            on = result.body.measured[:, s] & result.body.contact[:, s]
            ours = -leg_moment(result, side, joint)[0][on] / result.person.mass
            pairs.append((ours, curves[side[0] + name][on, 0] / 1000.0))
        rows.append(_compared("child, N m/kg", joint, pairs))
    return rows


def _compared(
    name: str, joint: str, pairs: list[tuple[Array, Array]]
) -> dict[str, Any]:
    return {
        "recording": name,
        "joint": joint,
        "rmse": float(np.mean([_rms(ours - theirs) for ours, theirs in pairs])),
        "r": float(np.mean([np.corrcoef(*pair)[0, 1] for pair in pairs])),
    }


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _live(folder: Path) -> list[dict[str, Any]]:
    """Play the walk to the live estimate."""
    result, table = (
        _WALK.solve(folder, cutoff=RAW),
        read_table(folder / _WALK.reference),
    )
    rows = []
    for lag in LAGS:
        online = OnlineDynamics(result.clip.size, _WALK.mass, lag=lag)
        time, moments = [], []
        for k in range(len(result.clip)):
            online.put_forces(_plates_at(result, k))
            online.put_frame(result.clip.frame(k))
            moment = online.step()
            if moment is not None:
                time.append(moment.dynamics.stamp)
                moments.append(moment.dynamics.moments)
        row: dict[str, Any] = {"lag_ms": 1e3 * lag}
        stamps, found = np.array(time), np.array(moments)
        inside = (stamps >= _WALK.span[0]) & (stamps <= _WALK.span[1])
        for joint, (part, sign) in LEG_JOINTS.items():
            misses = []
            for side in SIDES:
                values = table.column(_OPENSIM[joint].format(side[0].lower()))
                ours = sign * found[:, SEGMENT_INDEX[f"{side}{part}"], 1]
                miss = ours - np.interp(stamps, table.time, values)
                misses.append(_rms(miss[inside]))
            row[f"{joint} rmse"] = float(np.mean(misses))
        rows.append(row)
    return rows


def _plates_at(result: RecordedDynamics, k: int) -> GroundForces:
    wrench, deviation = np.full((2, 6), np.nan), np.full((2, 6), np.inf)
    if result.forces is not None:
        told = result.forces.measured[k]
        ankles = result.clip.positions[k, FEET]
        all_told = result.forces.wrench[k].copy()
        all_told[:, 3:] += np.cross(ankles, all_told[:, :3])
        wrench[told] = all_told[told]
        deviation[told] = [2.0, 2.0, 2.0, 0.5, 0.5, 0.5]
    time = float(result.clip.time[k])
    # a sensor has noise, by which it is told from one that stands still
    noise = np.random.default_rng(k).normal(scale=0.05, size=(2, 6))
    return GroundForces(
        stamp=time, wrench=wrench + noise, deviation=deviation, in_world=True
    )


def _without(folder: Path, trial: _Trial) -> list[dict[str, Any]]:
    """Compare forces that were found from the motion alone with the plates'."""
    felt, found = trial.solve(folder), trial.solve(folder, plates=False)
    weight = felt.person.mass * GRAVITY
    rows = []
    for s, side in enumerate(SIDES):
        known = felt.body.measured[:, s]
        truth = felt.body.wrenches[known, FEET[s], 2]
        ours = found.body.wrenches[known, FEET[s], 2]
        spread = found.body.wrenches_sd[known, FEET[s], 2]
        miss = ours - truth
        same = felt.body.contact[known, s] == found.body.contact[known, s]
        rows.append(
            {
                "recording": trial.name,
                "foot": side.lower(),
                "vertical_rmse_percent_weight": 100.0 * _rms(miss) / weight,
                "r": float(np.corrcoef(ours, truth)[0, 1]),
                "contact_right_percent": 100.0 * float(same.mean()),
                "inside_95_percent": 100.0 * float(np.mean(abs(miss) < BAND * spread)),
                "stated_over_found": _rms(spread) / _rms(miss),
                "least_n": float(ours.min()),
            }
        )
    return rows


def _loads(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield what is found where nothing is held, and where nothing is sat on."""
    for name in ("static1", "squats1", "walking1", "STS1"):
        trial, seat = _opencap(name), name == "STS1"
        if not (folder / trial.markers).is_file():
            continue
        # a chair is stood up from: the hands stay empty, the pelvis is carried
        trust = trust_of(hands=not seat, seat=seat)
        result = trial.solve(folder, trust=trust)
        up = result.body.wrenches[..., 2]
        if not seat:
            known = result.body.measured.all(axis=1)
            load = -up[known][:, HANDS].sum(axis=1) / GRAVITY
            yield _load(f"{name}: hands [kg]", load)
            continue
        feet = up[:, FEET].sum(axis=1)
        stands = feet > 0.95 * result.person.mass * GRAVITY
        height = result.motion.positions[:, 0, 2]
        stands &= height > 0.97 * height.max()
        yield _load(f"{name}: seat while standing [N]", up[stands, 0])


def _load(name: str, values: Array) -> dict[str, Any]:
    return {
        "load": name,
        "truth": 0.0,
        "found": float(values.mean()),
        "deviation_over_time": float(values.std()),
    }
