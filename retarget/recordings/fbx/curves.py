"""Curves of FBX: keys, and what lies between them.

Between two keys a curve stays, goes straight, or follows Hermite's cubic. Slopes are
those of the file where a user set them, and those through the neighbours where they are
automatic; weights of tangents are not used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.recordings.fbx.binary import FbxRecord
from telexist.retarget.so3 import Array

__all__ = ["TICKS", "FbxCurve", "read_curve"]

TICKS = 46_186_158_000.0  # of KTime in a second
_CONSTANT, _LINEAR, _CUBIC = 0x2, 0x4, 0x8
_NEXT = 0x100  # constant: the next key's value holds
_AUTOMATIC = 0x300  # automatic, or by tension, continuity and bias
_LONGEST = 1e6  # [s]
_MOST_KEYS = 10_000_000
_LARGEST = 1e9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FbxCurve:
    """One number over time.

    Attributes:
        time: Of the keys, increasing (k,) [s].
        values: At the keys (k,).
        flags: What follows each key (k,).
        slopes: Leaving each key, and arriving at the next one (k, 2) [1/s].
    """

    time: Array
    values: Array
    flags: np.ndarray
    slopes: Array

    def at(self, time: Array) -> Array:
        """Return the values at times (t,); before and after, the ends hold."""
        if len(self.time) == 1:
            return np.full(len(time), self.values[0])
        time = np.clip(time, self.time[0], self.time[-1])
        last = len(self.time) - 2
        k = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, last)
        step = self.time[k + 1] - self.time[k]
        s = (time - self.time[k]) / step
        before, after = self.values[k], self.values[k + 1]
        out, into = self.slopes[k].T
        cubic = (
            (2 * s**3 - 3 * s**2 + 1) * before
            + (s**3 - 2 * s**2 + s) * step * out
            + (3 * s**2 - 2 * s**3) * after
            + (s**3 - s**2) * step * into
        )
        straight = before + s * (after - before)
        held = np.where(self.flags[k] & _NEXT, after, before)
        held = np.where(s >= 1.0, after, held)
        between = np.where(self.flags[k] & _CUBIC, cubic, straight)
        return np.where(self.flags[k] & _CONSTANT, held, between)


def read_curve(record: FbxRecord) -> FbxCurve | None:
    """Return an `AnimationCurve`, or None if it has no keys.

    Raises:
        ValueError: If its keys do not fit together.
    """
    ticks, values = record.array("KeyTime"), record.array("KeyValueFloat")
    if ticks is None or values is None or not len(ticks):
        return None
    if len(ticks) != len(values) or len(ticks) > _MOST_KEYS:
        raise ValueError(f"{len(ticks)} times, {len(values)} values")
    time = ticks / TICKS
    if not np.all(np.abs(values) < _LARGEST) or np.abs(time).max() > _LONGEST:
        raise ValueError("a value is not finite or huge")
    if not np.all(np.diff(time) > 0.0):
        time, kept = np.unique(time, return_index=True)
        values = values[kept]
        flags, slopes = np.full(len(time), _LINEAR), np.zeros((len(time), 2))
        return FbxCurve(time=time, values=values, flags=flags, slopes=slopes)
    flags, slopes = _attributes(record, len(time))
    automatic = (flags & _AUTOMATIC) != 0
    if len(time) > 2:
        through = np.gradient(values, time)
        found = np.stack([through, np.append(through[1:], 0.0)], axis=1)
        slopes = np.where(automatic[:, None], found, slopes)
    elif len(time) == 2:
        chord = (values[1] - values[0]) / (time[1] - time[0])
        slopes = np.where(automatic[:, None], chord, slopes)
    return FbxCurve(time=time, values=values, flags=flags, slopes=slopes)


def _attributes(record: FbxRecord, keys: int) -> tuple[np.ndarray, Array]:
    """Return flags (k,) and slopes (k, 2); each entry stands for several keys."""
    flags, data, counts = (
        record.array(name)
        for name in ("KeyAttrFlags", "KeyAttrDataFloat", "KeyAttrRefCount")
    )
    if flags is None or data is None or counts is None or len(data) != 4 * len(flags):
        return np.full(keys, _LINEAR), np.zeros((keys, 2))
    if (counts < 0).any() or counts.sum() != keys or len(counts) != len(flags):
        raise ValueError("its attributes are not those of its keys")
    rows = np.repeat(np.arange(len(flags)), counts.astype(np.int64))
    slopes = np.nan_to_num(data.reshape(-1, 4)[rows, :2], posinf=0.0, neginf=0.0)
    slopes = np.clip(slopes, -_LARGEST, _LARGEST)
    return flags.astype(np.int64)[rows], slopes
