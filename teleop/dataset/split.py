"""Parts for training, validation and test, which share no performer and no motion."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from telexist.retarget.errors import UsageError
from telexist.teleop.dataset.clips import MIRRORED
from telexist.teleop.dataset.duplicates import Groups

__all__ = ["parse_shares", "split_rows"]

JITTER = (0.3, 1.0)  # by which a group may be taken for smaller than it is


def parse_shares(words: Sequence[str]) -> dict[str, float]:
    """Read `train=0.8`, `test=0.2`; the shares are those of all frames.

    Raises:
        UsageError: If one is no share, or they are more than everything.
    """
    shares: dict[str, float] = {}
    for word in words:
        name, _, text = word.partition("=")
        try:
            share = float(text)
        except ValueError:
            share = -1.0
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name) or not 0.0 < share <= 1.0:
            raise UsageError(f"--shares {word}: give name=share, as train=0.8,test=0.2")
        if name in shares:
            raise UsageError(f"--shares: {name} is there twice")
        shares[name] = share
    if not shares or abs(sum(shares.values()) - 1.0) > 1e-6:
        raise UsageError(f"--shares: they make {sum(shares.values()):g}, not 1")
    return shares


def split_rows(
    rows: Sequence[Mapping[str, Any]],
    shares: Mapping[str, float],
    *,
    seed: int,
    performer: str = "",
) -> list[str]:
    """Return the part of every row.

    What belongs together stays together: all clips of a performer, near duplicates,
    mirror images, and one clip on several robots. Large groups come first, in an order
    that the seed changes, and each goes where most frames are missing.

    Args:
        rows: Of a selection.
        shares: Part to its share of all frames.
        seed: Of the order.
        performer: A regular expression; what it finds in a clip's name says who moves.
            Empty: the folder does.

    Raises:
        UsageError: If the expression is none.
    """
    names = sorted({row["clip"] for row in rows})
    place = {name: k for k, name in enumerate(names)}
    groups = Groups(len(names))
    meets: dict[object, int] = {}
    for row in rows:
        k = place[row["clip"]]
        keys: list[object] = [
            ("who", _who(row, performer)),
            ("clip", row["clip"].removesuffix(MIRRORED)),
        ]
        if row["near_duplicates"] is not None:
            keys.append(("like", row["near_duplicates"]))
        for key in keys:
            groups.join(k, meets.setdefault(key, k))
    frames = np.zeros(len(names))
    for row in rows:
        frames[place[row["clip"]]] += row["frames"]
    part = _parts(groups, frames, shares, seed)
    return [part[groups.of(place[row["clip"]])] for row in rows]


def _who(row: Mapping[str, Any], performer: str) -> str:
    """Return who moves; a clip in no folder, or of an unknown performer, is alone."""
    if not performer:
        return str(row["folder"] or row["clip"].removesuffix(MIRRORED))
    try:
        found = re.search(performer, row["clip"])
    except re.error as error:
        raise UsageError(f"--performer '{performer}': {error}") from error
    return found[0] if found else str(row["clip"].removesuffix(MIRRORED))


def _parts(
    groups: Groups, frames: np.ndarray, shares: Mapping[str, float], seed: int
) -> dict[int, str]:
    weight: dict[int, float] = {}
    for k in range(len(frames)):
        head = groups.of(k)
        weight[head] = weight.get(head, 0.0) + float(frames[k])
    heads = sorted(weight)
    drawn = np.random.default_rng(seed).uniform(*JITTER, len(heads))
    size = {h: weight[h] * x for h, x in zip(heads, drawn.tolist(), strict=True)}
    total = sum(weight.values())
    missing = {name: share * total for name, share in shares.items()}
    part = {}
    for head in sorted(heads, key=lambda head: -size[head]):
        part[head] = max(missing, key=lambda name: missing[name])
        missing[part[head]] -= weight[head]
    return part
