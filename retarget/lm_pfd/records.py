"""A problem and the solver's memory as records, for compiled code.

Six-vectors are (angular, linear) in world axes, those of a link at its own origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, Records

__all__ = [
    "BLOCK",
    "COLUMN",
    "FIXED",
    "FREE",
    "KINDS",
    "LINK",
    "LOOP",
    "PAIR",
    "PART",
    "PRISMATIC",
    "REVOLUTE",
    "SOLVER",
    "SPHERICAL",
    "TARGET",
    "VIA",
    "WIRE",
    "Problem",
    "zero_records",
]

FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FREE = range(5)

KINDS = {
    "fixed": FIXED,
    "revolute": REVOLUTE,
    "prismatic": PRISMATIC,
    "spherical": SPHERICAL,
    "free": FREE,
}

CACHE_LINE = 64  # [bytes]


def _whole_lines(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return a record that fills whole cache lines."""
    packed = np.dtype(fields, align=True)
    layout: Mapping[str, Any] = packed.fields or {}
    return np.dtype(
        {
            "names": list(layout),
            "formats": [field[0] for field in layout.values()],
            "offsets": [field[1] for field in layout.values()],
            "itemsize": -(-packed.itemsize // CACHE_LINE) * CACHE_LINE,
        },
        align=True,
    )


def zero_records(count: int, dtype: np.dtype[Any]) -> Records:
    """Return records that begin on a cache line, all zero.

    Blocks that lie across more lines than they must slow the recursion down.
    """
    buffer = np.zeros(count * dtype.itemsize + CACHE_LINE, dtype=np.uint8)
    first = -buffer.ctypes.data % CACHE_LINE
    return buffer[first : first + count * dtype.itemsize].view(dtype)


LINK = _whole_lines(
    [
        ("inertia", "f8", (6, 6)),  # of the targets, then articulated
        ("D", "f8", (6, 6)),  # of the joint, as its kind needs it
        # the model
        ("parent", "i8"),  # -1 for the world
        ("kind", "i8"),
        ("rest_R", "f8", (3, 3)),
        ("rest_p", "f8", (3,)),
        ("axis", "f8", (3,)),
        ("column", "i8"),  # place of the link in the elimination order
        ("coupling", "i8"),  # block between this link and its parent, or -1
        # where it is
        ("turn", "f8", (3, 3)),  # of the joint
        ("slide", "f8", (3,)),  # of the joint
        ("last_turn", "f8", (3, 3)),  # at the start of the iteration
        ("last_slide", "f8", (3,)),
        ("base", "f8", (3, 3)),  # orientation of the joint's axes in the world
        ("R", "f8", (3, 3)),
        ("p", "f8", (3,)),
        ("a", "f8", (3,)),  # axis in the world
        ("r", "f8", (3,)),  # from the parent's origin to this one
        # one iteration
        ("push", "f8", (6,)),  # of the targets, then of all that hang on the link
        ("g", "f8", (6,)),  # push along the joint: minus the gradient
        ("x", "f8", (6,)),  # displacement of the joint
        ("dq", "f8", (6,)),  # the same in the joint's axes on its parent
        ("motion", "f8", (6,)),  # displacement of the link
        ("momentum", "f8", (6,)),  # articulated
    ]
)
"""A link and the joint that carries it."""

TARGET = _whole_lines(
    [
        ("weight", "f8", (6, 6)),
        ("plain", "i8"),  # whether the next two are all of the weight
        ("turn_weight", "f8"),  # in every direction
        ("place_weight", "f8"),
        ("link", "i8"),
        ("turns", "i8"),  # whether the orientation counts
        ("uneven", "i8"),  # whether it counts more in some directions
        ("offset", "i8"),  # whether the point is off the link's origin
        ("point", "f8", (3,)),
        ("arm", "f8", (3,)),  # from the link's origin to the point, world axes
        ("p", "f8", (3,)),
        ("R", "f8", (3, 3)),
        ("e", "f8", (6,)),  # error
        ("push", "f8", (6,)),  # at the point
    ]
)
"""A pose target."""

WIRE = np.dtype(
    [
        ("length", "f8"),  # natural
        ("weight", "f8"),
        ("excess", "f8"),  # over the natural length, never negative
        ("first_via", "i8"),
        ("end_via", "i8"),
        ("first_part", "i8"),
        ("end_part", "i8"),
        ("first_pair", "i8"),
        ("end_pair", "i8"),
    ],
    align=True,
)
"""A wire: a range of via-points, of links and of pairs of links."""

VIA = np.dtype(
    [
        ("link", "i8"),
        ("part", "i8"),
        ("point", "f8", (3,)),
        ("arm", "f8", (3,)),  # world axes
        ("p", "f8", (3,)),  # in the world
    ],
    align=True,
)
"""A via-point."""

PART = np.dtype([("link", "i8"), ("row", "f8", (6,))], align=True)
"""A link under a wire, and how its motion lengthens the wire: [A] (45)."""

PAIR = np.dtype([("block", "i8"), ("early", "i8"), ("late", "i8")], align=True)
"""Two parts of a wire, in elimination order, and the block that joins them."""

LOOP = np.dtype(
    [
        ("first", "i8"),
        ("second", "i8"),
        ("block", "i8"),  # between the two, rows of the earlier one
        ("turns", "i8"),  # whether the orientation is fixed too
        ("first_point", "f8", (3,)),
        ("second_point", "f8", (3,)),
        ("first_R_second", "f8", (3, 3)),
        ("first_arm", "f8", (3,)),  # world axes
        ("second_arm", "f8", (3,)),
        ("e", "f8", (6,)),
        ("bias", "f8", (6,)),  # multiplier times compliance: closes what e leaves open
    ],
    align=True,
)
"""A closed chain."""

COLUMN = np.dtype(
    [
        ("link", "i8"),
        ("first", "i8"),  # its blocks; the diagonal one comes first
        ("end", "i8"),
        ("first_update", "i8"),
        ("v", "f8", (6,)),  # right-hand side, then solution
    ],
    align=True,
)
"""One link in elimination order."""

BLOCK = _whole_lines([("v", "f8", (6, 6)), ("column", "i8")])
"""A block of the factor, and the column its own columns belong to."""

SOLVER = np.dtype(
    [
        ("dofs", "i8"),
        ("compliance", "f8"),  # mu of [A] (64)
        ("loop_compliance", "f8"),
        ("cost_goal", "f8"),
        ("gradient_goal", "f8"),
        ("step_goal", "f8"),
        ("cost", "f8"),  # [A] (48)
        ("merit", "f8"),  # cost and loops
        ("gradient", "f8"),  # largest entry
        ("step", "f8"),  # largest entry
        ("iterations", "i8"),  # done so far
        ("evaluations", "i8"),  # of the cost
    ],
    align=True,
)
"""Settings and outcome."""


class Problem(NamedTuple):
    """Everything the compiled iterations work on; changed in place.

    Attributes:
        links: `LINK`, parents first.
        targets: `TARGET`.
        wires: `WIRE`.
        vias: `VIA`.
        parts: `PART`.
        pairs: `PAIR`.
        loops: `LOOP`.
        columns: `COLUMN`, in elimination order.
        blocks: `BLOCK`, column by column.
        updates: Blocks changed by eliminating each column, column by column.
        solver: `SOLVER` (1,).
    """

    links: Records
    targets: Records
    wires: Records
    vias: Records
    parts: Records
    pairs: Records
    loops: Records
    columns: Records
    blocks: Records
    updates: Ints
    solver: Records
