"""What `telexist dynamics` writes: all numbers as npz, what they come to as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from telexist.retarget.dynamics.person_motion import GRAVITY
from telexist.retarget.dynamics.recorded_person import RecordedDynamics
from telexist.retarget.dynamics.sole_contacts import SIDES
from telexist.retarget.files import write_bytes
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["LEG_JOINTS", "leg_moment", "dynamics_report", "save_dynamics"]

FORMAT = "telexist dynamics"
FORMAT_VERSION = 1

LEG_JOINTS = {
    "hip flexion": ("UpperLeg", -1.0),
    "knee flexion": ("LowerLeg", 1.0),
    "ankle dorsiflexion": ("Foot", -1.0),
}
"""Joint to the segment beyond it and the sign of its moment about the axis to the
left: internal moments, as OpenSim counts them."""


def leg_moment(result: RecordedDynamics, side: str, joint: str) -> tuple[Array, Array]:
    """Return the internal moment of a leg joint and its deviation (t,) [N m]."""
    part, sign = LEG_JOINTS[joint]
    link = SEGMENT_INDEX[f"{side}{part}"]
    body = result.body
    return sign * body.moments[:, link, 1], body.moments_sd[:, link, 1]


def dynamics_report(result: RecordedDynamics) -> dict[str, Any]:
    """Return what the estimate comes to, units in the keys."""
    body, weight = result.body, result.person.mass * GRAVITY
    peaks = {}
    for joint in LEG_JOINTS:
        for side in SIDES:
            moment, spread = leg_moment(result, side, joint)
            most, least = int(np.argmax(moment)), int(np.argmin(moment))
            peaks[f"{side.lower()} {joint}"] = {
                "most_n_m": float(moment[most]),
                "most_sd_n_m": float(spread[most]),
                "least_n_m": float(moment[least]),
                "least_sd_n_m": float(spread[least]),
                "rms_n_m": float(np.sqrt(np.mean(moment**2))),
                "median_sd_n_m": float(np.median(spread)),
            }
    feet = {}
    for s, side in enumerate(SIDES):
        foot = SEGMENT_INDEX[f"{side}Foot"]
        up = body.wrenches[:, foot, 2]
        feet[side.lower()] = {
            "contact_share": float(body.contact[:, s].mean()),
            "measured_share": float(body.measured[:, s].mean()),
            "most_vertical_body_weights": float(up.max() / weight),
            "median_vertical_sd_n": float(np.median(body.wrenches_sd[:, foot, 2])),
        }
    loads = {
        side.lower(): _load(result, SEGMENT_INDEX[f"{side}Hand"]) for side in SIDES
    }
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "source": result.clip.source,
        "mass_kg": result.person.mass,
        "height_m": result.clip.size.height,
        "frames": len(body.time),
        "rate_hz": result.clip.rate,
        "leg_moments": peaks,
        "feet": feet,
        "hands": loads,
        "seat": _load(result, SEGMENT_INDEX["Pelvis"]),
        "notes": list(result.notes),
    }


def _load(result: RecordedDynamics, link: int) -> dict[str, float]:
    """Return what pulls a segment down, mean over the recording, and its deviation."""
    down = -result.body.wrenches[:, link, 2]
    spread = result.body.wrenches_sd[:, link, 2]
    return {
        "mean_load_kg": float(down.mean() / GRAVITY),
        "sd_at_one_moment_kg": float(np.sqrt(np.mean(spread**2)) / GRAVITY),
    }


def save_dynamics(
    folder: Path,
    result: RecordedDynamics,
    *,
    more_arrays: Mapping[str, np.ndarray] = MappingProxyType({}),
    more_report: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Path, Path]:
    """Write `<clip>.dynamics.npz` and `.json`; return their paths.

    Args:
        folder: Where to.
        result: What was estimated.
        more_arrays: To go into the npz, too.
        more_report: To go into the report, too.

    Raises:
        CannotWrite: If the disk or the folder refuses.
    """
    body, name = result.body, result.clip.name
    arrays = {
        "format": np.array(FORMAT),
        "format_version": np.array(FORMAT_VERSION),
        "source": np.array(result.clip.source),
        "mass": np.array(result.person.mass),
        "time": body.time,
        "joint_names": np.array(result.person.joint_names),
        "joint_positions": result.motion.q,
        "joint_velocities": result.motion.dq,
        "torques": body.torques,
        "torques_sd": body.torques_sd,
        "segment_names": np.array(SEGMENTS),
        "moments": body.moments,
        "moments_sd": body.moments_sd,
        "efforts": body.efforts,
        "wrenches": body.wrenches,
        "wrenches_sd": body.wrenches_sd,
        "contact": body.contact,
        "measured": body.measured,
        "positions": result.motion.positions,
        "spine_force": body.spine_force,
        "spine_force_sd": body.spine_force_sd,
        **more_arrays,
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    text = json.dumps(
        {**dynamics_report(result), **more_report},
        indent=2,
        ensure_ascii=False,
        allow_nan=False,
    )
    npz, report = folder / f"{name}.dynamics.npz", folder / f"{name}.dynamics.json"
    write_bytes(npz, buffer.getvalue())
    write_bytes(report, (text + "\n").encode("utf-8"))
    return npz, report
