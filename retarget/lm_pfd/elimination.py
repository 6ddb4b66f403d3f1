"""In which order to eliminate links, and which blocks that fills: found once.

The pattern of [A] (66) does not change over the iterations, so the order (minimum
degree, after [A] [34]) and the places of all blocks are found before the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

__all__ = ["Elimination", "eliminate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """An order of links and the blocks of the factor, column by column.

    Attributes:
        order: Links in the order in which they are eliminated (n,).
        column: Place of every link in that order (n,).
        first: First block of every column, its diagonal; and the end (n + 1,).
        late: Column on the other side of every block (b,).
        first_update: Where the updates of every column begin; and the end (n + 1,).
        updates: Blocks changed by eliminating each column, row by row.
        slots: Block of every pair of columns, the earlier one first.
    """

    order: NDArray[np.int64]
    column: NDArray[np.int64]
    first: NDArray[np.int64]
    late: NDArray[np.int64]
    first_update: NDArray[np.int64]
    updates: NDArray[np.int64]
    slots: dict[tuple[int, int], int]

    def block(self, a: int, b: int) -> int:
        """Return the block between two links, whichever is eliminated first."""
        early, late = sorted((int(self.column[a]), int(self.column[b])))
        return self.slots[early, late]


def eliminate(count: int, pairs: Iterable[tuple[int, int]]) -> Elimination:
    """Order links by least degree and find the fill.

    Args:
        count: Number of links.
        pairs: Links that share a joint, a loop or a wire.
    """
    near: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        if a != b:
            near[a].add(b)
            near[b].add(a)
    order, later = _minimum_degree(near)
    column = np.empty(count, dtype=np.int64)
    column[order] = np.arange(count)
    rows = [[k, *sorted(int(column[i]) for i in later[k])] for k in range(count)]
    first = np.cumsum([0, *(len(row) for row in rows)])
    slots = {
        (k, late): int(first[k]) + at
        for k, row in enumerate(rows)
        for at, late in enumerate(row)
    }
    changed = [
        [slots[pair] for pair in combinations_with_replacement(row[1:], 2)]
        for row in rows
    ]
    return Elimination(
        order=np.array(order, dtype=np.int64),
        column=column,
        first=first.astype(np.int64),
        late=_flat(rows),
        first_update=np.cumsum([0, *(len(c) for c in changed)]).astype(np.int64),
        updates=_flat(changed),
        slots=slots,
    )


def _flat(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    return np.array([value for row in rows for value in row], dtype=np.int64)


def _minimum_degree(near: list[set[int]]) -> tuple[list[int], list[set[int]]]:
    """Return the order and, for each step, the links that were joined by it.

    Among links of equal degree the last goes first: the tips of a chain before its
    root.
    """
    left = set(range(len(near)))
    order, later = [], []
    while left:
        link = min(left, key=lambda i: (len(near[i]), -i))
        around = near[link]
        for i in around:
            near[i] |= around
            near[i] -= {i, link}
        left.remove(link)
        order.append(link)
        later.append(set(around))
    return order, later
