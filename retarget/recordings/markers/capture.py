"""What C3D and TRC files hold: points that move, and the forces under the feet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["ForceRecord", "MarkerCapture"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceRecord:
    """What force plates (or shoes) measured, in the axes of the markers.

    Attributes:
        source: The file, for messages.
        time: (k,) [s], on the markers' clock.
        names: Of the p plates.
        wrenches: Of the ground on the person, moment about the origin (p, k, 6) [N],
            [N m], force first.
        corners: Of each plate (p, 4, 3) [m], NaN where the file does not tell.
        notes: What was found, one line each.
    """

    source: str
    time: Array
    names: tuple[str, ...]
    wrenches: Array
    corners: Array
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerCapture:
    """Markers over time.

    Attributes:
        path: The file, for messages.
        names: Of the m markers.
        time: Increasing (t,) [s].
        positions: (t, m, 3), NaN where a marker was not seen; in units of the file.
        unit: Length of one unit [m], or None where the file does not say.
        up: Axis that points up, as the file says, or None.
        mass: Of the person, as the file says [kg], or None.
        forces: Of the same file, or None.
        notes: What was found, one line each.
    """

    path: str
    names: tuple[str, ...]
    time: Array
    positions: Array
    unit: float | None = None
    up: str | None = None
    mass: float | None = None
    forces: ForceRecord | None = None
    notes: tuple[str, ...] = ()
    curves: Mapping[str, Array] = field(default_factory=lambda: MappingProxyType({}))
    """Results that the file brings beside the markers, such as joint moments of
    another program: name to (t, 3), in the file's own units."""

    def __post_init__(self) -> None:
        """Freeze the arrays."""
        for name in ("time", "positions"):
            array = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            array = array.view()
            array.setflags(write=False)
            object.__setattr__(self, name, array)
