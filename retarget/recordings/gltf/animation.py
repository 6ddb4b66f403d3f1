"""Animations of glTF: keys of translation, rotation and scale, and what lies between.

Between keys a value stays (STEP), goes straight, on the sphere for rotations (LINEAR),
or along Hermite's cubic with the tangents of the file (CUBICSPLINE); appendix C of the
specification has the equations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from telexist.retarget.recordings.gltf.container import GltfFile
from telexist.retarget.so3 import Array

__all__ = ["GltfAnimation", "GltfTrack", "read_animation"]

_WIDTHS: Mapping[str, int] = MappingProxyType(
    {"translation": 3, "rotation": 4, "scale": 3}
)
_STRAIGHT = 1.0 - 1e-9  # cosine of half an angle, above which slerp is a line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GltfTrack:
    """How one property of one node moves.

    Attributes:
        time: Of the keys, increasing (k,) [s].
        values: At the keys (k, width).
        kind: "STEP", "LINEAR" or "CUBICSPLINE".
        tangents: Into and out of each key (k, 2, width), per second; of splines.
        is_rotation: Whether the values are quaternions x, y, z, w.
    """

    time: Array
    values: Array
    kind: str
    tangents: Array | None
    is_rotation: bool

    def at(self, time: Array) -> Array:
        """Return the values at times (t, width); before and after, the ends hold."""
        if len(self.time) == 1:
            return np.repeat(self._unit(self.values), len(time), axis=0)
        time = np.clip(time, self.time[0], self.time[-1])
        last = len(self.time) - 2
        k = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, last)
        step = self.time[k + 1] - self.time[k]
        part = ((time - self.time[k]) / step)[:, None]
        before, after = self.values[k], self.values[k + 1]
        if self.kind == "STEP":
            return self._unit(np.where(part >= 1.0, after, before))
        if self.tangents is not None:
            out, into = self.tangents[k, 1], self.tangents[k + 1, 0]
            return self._unit(_hermite(part, step[:, None], before, after, out, into))
        if self.is_rotation:
            return _slerp(self._unit(before), self._unit(after), part)
        return before + part * (after - before)

    def _unit(self, values: Array) -> Array:
        if not self.is_rotation:
            return values
        length = np.linalg.norm(values, axis=1, keepdims=True)
        upright = np.array([0.0, 0.0, 0.0, 1.0])
        return np.where(length > 1e-9, values / np.maximum(length, 1e-9), upright)


@dataclass(frozen=True, slots=True, kw_only=True)
class GltfAnimation:
    """One animation.

    Attributes:
        name: Its name.
        tracks: (node, property) to how it moves.
    """

    name: str
    tracks: Mapping[tuple[int, str], GltfTrack]

    @property
    def times(self) -> tuple[float, float]:
        """First and last key [s]."""
        ends = [(t.time[0], t.time[-1]) for t in self.tracks.values()]
        return float(min(a for a, _ in ends)), float(max(b for _, b in ends))

    @property
    def step(self) -> float:
        """Time between keys of the track with the most of them [s]."""
        densest = max(self.tracks.values(), key=lambda track: len(track.time))
        if len(densest.time) < 2:
            return 0.0
        return float(np.median(np.diff(densest.time)))


def _hermite(
    s: Array, step: Array, before: Array, after: Array, out: Array, into: Array
) -> Array:
    return np.asarray(
        (2 * s**3 - 3 * s**2 + 1) * before
        + step * (s**3 - 2 * s**2 + s) * out
        + (-2 * s**3 + 3 * s**2) * after
        + step * (s**3 - s**2) * into
    )


def _slerp(before: Array, after: Array, part: Array) -> Array:
    cosine = np.sum(before * after, axis=1, keepdims=True)
    after = np.where(cosine < 0.0, -after, after)
    cosine = np.clip(np.abs(cosine), 0.0, 1.0)
    angle = np.arccos(cosine)
    near = cosine > _STRAIGHT
    sine = np.where(near, 1.0, np.sin(angle))
    a = np.where(near, 1.0 - part, np.sin((1.0 - part) * angle) / sine)
    b = np.where(near, part, np.sin(part * angle) / sine)
    turned = a * before + b * after
    return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True))


def read_animation(file: GltfFile, index: int, nodes: int) -> GltfAnimation:
    """Read an animation; channels of other things than nodes are left out.

    Raises:
        BadRecording: Naming the sampler that is wrong.
    """
    table = file.tables("animations")[index]
    place = f"animations[{index}]"
    channels, samplers = (table.get(key) for key in ("channels", "samplers"))
    if not isinstance(channels, list) or not isinstance(samplers, list):
        raise file.bad("has no channels or samplers", place)
    tracks: dict[tuple[int, str], GltfTrack] = {}
    times: dict[int, Array] = {}
    for channel in channels:
        target = channel.get("target") if isinstance(channel, dict) else None
        if not isinstance(target, dict):
            raise file.bad("a channel has no target", place)
        node, path = target.get("node"), str(target.get("path"))
        if node is None or path not in _WIDTHS:
            continue
        sampler, k = channel.get("sampler"), len(samplers)
        if not isinstance(node, int) or not 0 <= node < nodes:
            raise file.bad(f"there is no node {node!r:.20}", place)
        if not isinstance(sampler, int) or not 0 <= sampler < k:
            raise file.bad(f"there is no sampler {sampler!r:.20}", place)
        where = f"{place}.samplers[{sampler}]"
        tracks[node, path] = _track(file, samplers[sampler], path, where, times)
    return GltfAnimation(name=str(table.get("name") or index)[:80], tracks=tracks)


def _track(
    file: GltfFile, sampler: Any, path: str, place: str, times: dict[int, Array]
) -> GltfTrack:
    if not isinstance(sampler, dict):
        raise file.bad("is no table", place)
    kind = sampler.get("interpolation", "LINEAR")
    if kind not in ("STEP", "LINEAR", "CUBICSPLINE"):
        raise file.bad(f"its interpolation is {kind!r:.30}", place)
    time = _times(file, sampler.get("input"), place, times)
    values = file.numbers(sampler.get("output"))
    each = 3 if kind == "CUBICSPLINE" else 1
    if values.shape != (each * len(time), _WIDTHS[path]):
        problem = f"{len(time)} keys, but values of shape {values.shape}"
        raise file.bad(problem, place)
    tangents = None
    if each == 3:
        triples = values.reshape(len(time), 3, -1)
        tangents, values = triples[:, ::2], triples[:, 1]
    return GltfTrack(
        time=time,
        values=values,
        kind=kind,
        tangents=tangents,
        is_rotation=path == "rotation",
    )


def _times(file: GltfFile, index: object, place: str, times: dict[int, Array]) -> Array:
    if isinstance(index, int) and index in times:
        return times[index]
    found = file.numbers(index)
    if found.shape[1] != 1 or not len(found):
        raise file.bad("has no times", place)
    time = found[:, 0]
    if not np.all(np.diff(time) > 0.0) or time[0] < -1e6 or time[-1] > 1e6:
        raise file.bad("its times do not increase", place)
    times[int(str(index))] = time
    return time
