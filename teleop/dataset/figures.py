"""A report as one row: every figure under a name of its own, some under a short one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["SHORT", "figures_of"]

SHORT: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "orientation": ("whole_clip_orientation_error_deg_mean", "deg"),
        "orientation_p95": ("whole_clip_orientation_error_deg_p95", "deg"),
        "limb_direction": ("whole_clip_limb_direction_error_deg_mean", "deg"),
        "limb_direction_p95": ("whole_clip_limb_direction_error_deg_p95", "deg"),
        "slide_p95": ("stance_slide_p95_mm_s", "mm/s"),
        "hover_p95": ("stance_hover_p95_mm", "mm"),
        "held": ("stance_held_share", "share"),
        "floating": ("stance_floating_share", "share"),
        "sole_depth": ("feet_sole_depth_max_mm", "mm"),
        "floor_depth": ("self_collision_below_floor_max_mm", "mm"),
        "at_limits": ("limits_share_at_limits", "share"),
        "jerk_rms": ("joints_jerk_rms_rad_s3", "rad/s^3"),
        "speed_max": ("joints_speed_rad_s_max", "rad/s"),
        # of these the figure is made here
        "self_collision": ("self_collision_deeper_than_10_mm_frames", "share"),
        "below_floor": ("self_collision_below_floor_frames", "share"),
        "limit_violations": ("limits_position_violations", "samples"),
    }
)
"""Short name to the figure that it stands for, and its unit."""

_BY_ROBOT = {"share_at_limits_by_joint", "colliding_pairs_frames"}
"""Tables whose keys belong to one robot: kept as text."""
_PARTS = (
    "whole_clip",
    "after_first_second",
    "limits",
    "feet",
    "stance",
    "self_collision",
    "joints",
)


def figures_of(report: Mapping[str, Any]) -> dict[str, float | str | None]:
    """Return every figure of a report, short names first."""
    found: dict[str, float | str | None] = {}
    for part in _PARTS:
        found.update(_flat(part, report.get(part)))
    short = {name: found.get(key) for name, (key, _) in SHORT.items()}
    checked = found.get("self_collision_checked_frames")
    for name in ("self_collision", "below_floor"):
        short[name] = _ratio(short[name], checked)
    short["limit_violations"] = _total(
        found.get(f"limits_{kind}_violations")
        for kind in ("position", "velocity", "coupling")
    )
    return {**short, **found}


def _flat(name: str, value: Any) -> Iterator[tuple[str, float | str | None]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in _BY_ROBOT:
                yield f"{name}_{key}", json.dumps(inner)
            else:
                yield from _flat(f"{name}_{key}", inner)
    elif isinstance(value, bool | int | float):
        yield name, float(value)
    elif isinstance(value, str):
        yield name, value


def _ratio(count: float | str | None, of: float | str | None) -> float | None:
    if not isinstance(count, float) or not isinstance(of, float) or of == 0.0:
        return None
    return count / of


def _total(values: Iterator[float | str | None]) -> float | None:
    numbers = [v for v in values if isinstance(v, float)]
    return sum(numbers) if numbers else None
