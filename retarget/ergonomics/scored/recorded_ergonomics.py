"""The scores of a whole recording: over time, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.config import load
from telexist.retarget.dynamics import RecordedDynamics
from telexist.retarget.ergonomics import (
    LIMIT,
    ErgonomicSample,
    ErgonomicScores,
    ErgonomicSettings,
    HandLift,
    HandPlace,
    PersonErgonomics,
    require_strengths,
)
from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = [
    "RecordedErgonomics",
    "ergonomic_arrays",
    "ergonomics_lines",
    "ergonomics_of_recording",
    "ergonomics_report",
    "load_ergonomics",
]

_RULA_LEVELS = ((1, 2), (3, 4), (5, 6), (7, 7))
_REBA_LEVELS = ((1, 1), (2, 3), (4, 7), (8, 10), (11, 15))
SIDES = ("left", "right")
GRAVITY = 9.81  # [m/s^2]
_HANDS = [SEGMENT_INDEX["LeftHand"], SEGMENT_INDEX["RightHand"]]
_FEET = [SEGMENT_INDEX["LeftFoot"], SEGMENT_INDEX["RightFoot"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedErgonomics:
    """Scores over time.

    Attributes:
        settings: What was assumed.
        time: (t,) [s].
        rula: With the left arm, with the right (t, 2).
        reba: The same (t, 2).
        compression: Of L5/S1 (t,) [N].
        compression_sd: (t,).
        held: Load in both hands, 0 with empty ones (t,) [kg].
        strength_share: Of the joint that needs most (t,); NaN where none is known.
        strength_share_sd: (t,).
        strength_names: Which joint that was (t,).
        weakest_share: The largest share if the person is as weak as the literature's
            lower end; NaN if no strength is known.
        lifts: Those that were found.
        notes: What was assumed, in words.
    """

    settings: ErgonomicSettings
    time: Array
    rula: Array
    reba: Array
    compression: Array
    compression_sd: Array
    held: Array
    strength_share: Array
    strength_share_sd: Array
    strength_names: tuple[str, ...]
    weakest_share: float
    lifts: tuple[HandLift, ...]
    notes: tuple[str, ...]


def ergonomics_of_recording(
    result: RecordedDynamics,
    settings: ErgonomicSettings | None = None,
    *,
    hands: bool = False,
    seat: bool = False,
) -> RecordedErgonomics:
    """Score a whole recording.

    Args:
        result: Its dynamics.
        settings: What is assumed.
        hands: Whether the estimate let the hands hold something.
        seat: Whether it let something carry the pelvis.
    """
    judge = PersonErgonomics(settings)
    rows = [
        judge.step(_sample(result, k, hands=hands, seat=seat))
        for k in range(len(result.body.time))
    ]
    judge.finder.close()
    lifts = tuple(judge.finder.lifts)
    held = np.full(len(rows), judge.settings.stated_load)
    if not judge.settings.stated_load:
        for lift in lifts:
            inside = (result.body.time >= lift.start) & (result.body.time < lift.end)
            held[inside] = lift.load
    weakest = [row.strength.weakest for row in rows if row.strength.name]
    return RecordedErgonomics(
        settings=judge.settings,
        time=result.body.time,
        rula=np.array([row.rula for row in rows]),
        reba=np.array([row.reba for row in rows]),
        compression=np.array([row.compression for row in rows]),
        compression_sd=np.array([row.compression_sd for row in rows]),
        held=held,
        strength_share=np.array([row.strength.share for row in rows]),
        strength_share_sd=np.array([row.strength.deviation for row in rows]),
        strength_names=tuple(row.strength.name for row in rows),
        weakest_share=max(weakest, default=float("nan")),
        lifts=lifts,
        notes=tuple(_notes(judge.settings, rows, hands=hands)),
    )


def _sample(
    result: RecordedDynamics, k: int, *, hands: bool, seat: bool
) -> ErgonomicSample:
    body, motion = result.body, result.motion
    loads, spread = np.full(2, np.nan), np.full(2, np.nan)
    if hands:
        loads = -body.wrenches[k, _HANDS, 2] / GRAVITY
        spread = body.wrenches_sd[k, _HANDS, 2] / GRAVITY
    return ErgonomicSample(
        time=float(body.time[k]),
        mass=result.person.mass,
        rotations=motion.rotations[k],
        positions=motion.positions[k],
        moments=body.moments[k],
        moments_sd=body.moments_sd[k],
        foot_forces=body.wrenches[k, _FEET, 2],
        hand_loads=loads,
        hand_loads_sd=spread,
        seat_force=float(body.wrenches[k, 0, 2]) if seat else 0.0,
        spine_force=float(body.spine_force[k]),
        spine_force_sd=float(body.spine_force_sd[k]),
    )


def _notes(
    settings: ErgonomicSettings, rows: list[ErgonomicScores], *, hands: bool
) -> list[str]:
    notes = ["scores are of the posture at each moment: no verdict on a person"]
    if settings.stated_load:
        notes.append(f"a load of {settings.stated_load:g} kg, stated, all the time")
    elif not hands:
        notes.append("hands taken as empty: no lifts looked for")
    if rows and rows[-1].time - rows[0].time < 60.0:
        notes.append("shorter than a minute: nothing counts as held for one")
    notes.append(
        f"L5/S1: one muscle with a lever of {1e3 * settings.lever:g} mm; the "
        "deviation takes it as exact"
    )
    if not any(row.strength.name for row in rows):
        notes.append("no strength is known of a joint that was loaded")
    return notes


def ergonomic_arrays(found: RecordedErgonomics) -> dict[str, np.ndarray]:
    """Return what goes into `<clip>.dynamics.npz`."""
    return {
        "rula": found.rula,
        "reba": found.reba,
        "lumbar_compression": found.compression,
        "lumbar_compression_sd": found.compression_sd,
        "held_load": found.held,
        "strength_share": found.strength_share,
        "strength_share_sd": found.strength_share_sd,
        "strength_names": np.array(found.strength_names, dtype=np.str_),
        "lift_starts": np.array([lift.start for lift in found.lifts]),
        "lift_ends": np.array([lift.end for lift in found.lifts]),
        "lift_loads": np.array([lift.load for lift in found.lifts]),
        "lift_loads_sd": np.array([lift.load_sd for lift in found.lifts]),
        "lifting_index": np.array([lift.index for lift in found.lifts]),
    }


def ergonomics_report(found: RecordedErgonomics) -> dict[str, Any]:
    """Return what the scores come to, with the settings that they assume."""
    assumed = {f.name: getattr(found.settings, f.name) for f in fields(found.settings)}
    assumed["strength"] = dict(found.settings.strength)
    worst = int(np.argmax(found.compression))
    return {
        "rula": _score(found.rula, _RULA_LEVELS),
        "reba": _score(found.reba, _REBA_LEVELS),
        "l5_s1_compression": {
            "most_n": float(found.compression[worst]),
            "most_sd_n": float(found.compression_sd[worst]),
            "at_s": float(found.time[worst]),
            "median_n": float(np.median(found.compression)),
            "share_of_time_above_limit": float(np.mean(found.compression > LIMIT)),
            "limit_n": LIMIT,
        },
        "lifts": [_lift(lift) for lift in found.lifts],
        "strength": _strength(found),
        "settings": assumed,
        "notes": list(found.notes),
    }


def ergonomics_lines(report: Mapping[str, Any]) -> list[str]:
    """Return what `ergonomics_report` comes to, for people."""
    spine, strength = report["l5_s1_compression"], report["strength"]
    lines = [
        f"RULA up to {report['rula']['most']} of 7, median {report['rula']['median']:g}"
        f"; REBA up to {report['reba']['most']} of 15, median "
        f"{report['reba']['median']:g}",
        f"L5/S1 pressed by up to {spine['most_n']:.0f} N (sd {spine['most_sd_n']:.0f}) "
        f"at {spine['at_s']:.2f} s; above {spine['limit_n']:.0f} N for "
        f"{spine['share_of_time_above_limit']:.0%} of the time",
    ]
    if strength is not None:
        lines.append(
            f"{strength['joint']}: {strength['most_share']:.0%} of the strength of "
            f"such people (sd {strength['most_share_sd']:.0%}), "
            f"{strength['most_share_of_the_weakest']:.0%} of the weakest"
        )
    for lift in report["lifts"]:
        index, spread = lift["lifting_index"], lift["lifting_index_sd"]
        judged = (
            "infinite" if index is None else f"{index:.2f} (sd {spread or 0.0:.2f})"
        )
        lines.append(
            f"lift from {lift['start_s']:.2f} to {lift['end_s']:.2f} s: "
            f"{lift['load_kg']:.1f} kg (sd {lift['load_sd_kg']:.1f}), "
            f"NIOSH lifting index {judged}"
        )
    return lines


def load_ergonomics(path: Path | None) -> ErgonomicSettings:
    """Read what scores assume from a TOML; None gives the defaults.

    Raises:
        BadConfig: Naming the file, the key and what is allowed.
    """
    if path is None:
        return ErgonomicSettings()
    try:
        settings = load(ErgonomicSettings, path)
        require_strengths(settings)
    except BadConfig:
        raise
    except BadInput as error:  # a value out of range
        raise BadConfig(path, str(error)) from error
    return settings


def _score(scores: Array, levels: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    worse = scores.max(axis=1)
    return {
        "most": int(worse.max()),
        "median": float(np.median(worse)),
        "most_by_arm": {side: int(scores[:, s].max()) for s, side in enumerate(SIDES)},
        "share_of_time": {
            f"{low}" if low == high else f"{low} to {high}": float(
                np.mean((worse >= low) & (worse <= high))
            )
            for low, high in levels
        },
    }


def _lift(lift: HandLift) -> dict[str, Any]:
    at = {"origin": lift.at_origin, "destination": lift.at_destination}
    where = {"origin": lift.origin, "destination": lift.destination}
    found: dict[str, Any] = {
        "start_s": lift.start,
        "end_s": lift.end,
        "load_kg": lift.load,
        "load_sd_kg": lift.load_sd,
        "lifts_a_minute": lift.lifts_a_minute,
        "lifting_index": _finite(lift.index),
        "lifting_index_sd": _finite(lift.index_sd),
    }
    for name, judged in at.items():
        found[name] = {
            **_place(where[name]),
            "recommended_kg": judged.recommended,
            "lifting_index": _finite(judged.index),
            "multipliers": dict(zip("HVDAFC", judged.multipliers, strict=True)),
        }
    return found


def _place(place: HandPlace) -> dict[str, float]:
    return {
        "horizontal_m": place.horizontal,
        "height_m": place.height,
        "asymmetry_deg": place.asymmetry_deg,
    }


def _strength(found: RecordedErgonomics) -> dict[str, Any] | None:
    if not np.isfinite(found.strength_share).any():
        return None
    k = int(np.nanargmax(found.strength_share))
    return {
        "joint": found.strength_names[k],
        "most_share": float(found.strength_share[k]),
        "most_share_sd": float(found.strength_share_sd[k]),
        "most_share_of_the_weakest": found.weakest_share,
        "at_s": float(found.time[k]),
    }


def _finite(value: float) -> float | None:
    """Return a number for JSON; null where nothing may be lifted at all."""
    return value if np.isfinite(value) else None
