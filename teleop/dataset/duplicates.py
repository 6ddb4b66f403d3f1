"""Clips that are there twice: the same file, or nearly the same motion.

Two motions are near duplicates when one, shifted in time, stays close to the other over
most of the shorter: another export, another rate, a few seconds cut off. They are found
by the mean and spread of their joints, and proved sample by sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree
from telexist.retarget.errors import BadRecording
from telexist.retarget.results import load_motion
from telexist.retarget.so3 import Array

__all__ = ["Groups", "mark_duplicates"]

RATE = 20.0  # [Hz] at which motions are compared
NEAR = 0.1  # [rad] between means and spreads, root mean square over the joints
SHARE = 0.25  # of the motion's own spread that may be left between two
LEAST_SPREAD = 0.02  # [rad]; who only stands is like everybody who only stands
OVERLAP = 0.8  # of the shorter must be in the longer
LONGER = 2.0  # the longer may be so many times as long
SHORTEST = 1.0  # [s]


class Groups:
    """Things that belong together, through others too (union-find)."""

    def __init__(self, count: int) -> None:
        """Begin with every thing alone."""
        self._parent = list(range(count))

    def of(self, k: int) -> int:
        """Return the first thing of the group of a thing."""
        while self._parent[k] != k:
            self._parent[k] = self._parent[self._parent[k]]
            k = self._parent[k]
        return k

    def join(self, a: int, b: int) -> None:
        """Put the groups of two things together."""
        a, b = sorted((self.of(a), self.of(b)))
        self._parent[b] = a


@dataclass(frozen=True, slots=True, eq=False)
class _Course:
    """Joints over time (t, n) [rad] at `RATE`, and their spread, mean over joints."""

    q: Array
    spread: float

    def summary(self) -> Array:
        """Return what does not change when a little is cut off (2 n,)."""
        both = np.concatenate([self.q.mean(axis=0), self.q.std(axis=0)])
        return np.asarray(both / np.sqrt(len(both)))


def mark_duplicates(rows: Sequence[dict[str, Any]], motions: Path, robot: str) -> None:
    """Fill `duplicate_of` and `near_duplicates` of all rows.

    `duplicate_of` is the first clip that was made from the same file, or empty;
    `near_duplicates` the number of a group of like clips, None for one that is alone.

    Args:
        rows: Of a table, sorted by clip.
        motions: Folder of the motions.
        robot: By whose motions clips are compared.
    """
    clips = sorted({row["clip"] for row in rows})
    place = {clip: k for k, clip in enumerate(clips)}
    groups = Groups(len(clips))
    first: dict[tuple[str, bool], str] = {}
    original: dict[str, str] = {}
    for row in rows:
        key = (row["source_sha256"], bool(row["mirrored"]))
        clip = row["clip"]
        original[clip] = first.setdefault(key, clip) if key[0] else clip
        groups.join(place[clip], place[original[clip]])
    done = [r for r in rows if r["robot"] == robot and r["status"] == "done"]
    alone = [r for r in done if original[r["clip"]] == r["clip"]]
    for a, b in _alike(alone, motions):
        groups.join(place[a], place[b])
    number = _numbers(groups, len(clips))
    for row in rows:
        clip = row["clip"]
        row["duplicate_of"] = "" if original[clip] == clip else original[clip]
        row["near_duplicates"] = number[place[clip]]


def _numbers(groups: Groups, count: int) -> list[int | None]:
    """Number the groups of more than one, in their order."""
    heads = [groups.of(k) for k in range(count)]
    members = Counter(heads)
    large = sorted(head for head, many in members.items() if many > 1)
    names = {head: n for n, head in enumerate(large)}
    return [names.get(head) for head in heads]


def _alike(rows: Sequence[dict[str, Any]], motions: Path) -> Iterable[tuple[str, str]]:
    """Yield pairs of clips that move alike."""
    courses = {row["clip"]: _course(motions / row["motion"]) for row in rows}
    known = {clip: course for clip, course in courses.items() if course is not None}
    names = list(known)
    if len(names) < 2:
        return
    tree = cKDTree(np.array([known[name].summary() for name in names]))
    for i, j in sorted(tree.query_pairs(NEAR)):
        if _same_course(known[names[i]], known[names[j]]):
            yield names[i], names[j]


def _course(path: Path) -> _Course | None:
    """Return the course of a motion on disk; None where it says nothing."""
    try:
        motion = load_motion(path)
    except BadRecording:  # its row says what is wrong when it is used
        return None
    time, q = motion.time - motion.time[0], motion.joint_positions
    if time[-1] < SHORTEST:
        return None
    grid = np.arange(0.0, time[-1], 1.0 / RATE)
    rows = np.clip(np.searchsorted(time, grid), 1, len(time) - 1)
    share = ((grid - time[rows - 1]) / (time[rows] - time[rows - 1]))[:, None]
    q = (1.0 - share) * q[rows - 1] + share * q[rows]
    spread = float(np.sqrt(np.mean(q.std(axis=0) ** 2)))
    return None if spread < LEAST_SPREAD else _Course(q=q, spread=spread)


def _same_course(a: _Course, b: _Course) -> bool:
    """Whether one course, shifted, stays close to the other."""
    short, long = sorted((a.q, b.q), key=len)
    if len(long) > LONGER * len(short):
        return False
    least = max(int(OVERLAP * len(short)), int(SHORTEST * RATE))
    allowed = SHARE * min(a.spread, b.spread)
    for shift in range(least - len(short), len(long) - least + 1):
        mine = short[max(0, -shift) : len(long) - shift]
        theirs = long[max(0, shift) : max(0, shift) + len(mine)]
        if np.abs(mine[::10] - theirs[::10]).mean() > 2.0 * allowed:
            continue
        if np.sqrt(np.mean((mine - theirs) ** 2)) < allowed:
            return True
    return False
