"""REBA (Hignett and McAtamney 2000): tables A, B and C."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.errors import BadInput

__all__ = ["TABLE_A", "TABLE_B", "TABLE_C", "RebaScore", "reba_score"]

# TABLE_A[trunk - 1][neck - 1][legs - 1]
TABLE_A = tuple(
    tuple(tuple(int(x) for x in row[k : k + 4]) for k in (0, 4, 8))
    for row in (
        "123412343356",
        "234534564567",
        "245645675678",
        "356756786789",
        "467867897899",
    )
)
# TABLE_B[upper arm - 1][lower arm - 1][wrist - 1]
TABLE_B = tuple(
    tuple(tuple(int(x) for x in row[k : k + 3]) for k in (0, 3))
    for row in ("122123", "123234", "345455", "455567", "678788", "788899")
)
# TABLE_C[score A - 1][score B - 1]
TABLE_C = (
    (1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7),
    (1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8),
    (2, 3, 3, 3, 4, 5, 6, 7, 7, 8, 8, 8),
    (3, 4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9),
    (4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9, 9),
    (6, 6, 6, 7, 8, 8, 9, 9, 10, 10, 10, 10),
    (7, 7, 7, 8, 9, 9, 9, 10, 10, 11, 11, 11),
    (8, 8, 8, 9, 10, 10, 10, 10, 10, 11, 11, 11),
    (9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12),
    (10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 12),
    (11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12),
    (12,) * 12,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RebaScore:
    """A posture judged.

    Attributes:
        body: Score A: table A and load.
        arm: Score B: table B and coupling.
        grand: Table C and activity, 1 to 15.
    """

    body: int
    arm: int
    grand: int


def reba_score(
    *,
    trunk: int,
    neck: int,
    legs: int,
    upper_arm: int,
    lower_arm: int,
    wrist: int,
    load: int = 0,
    coupling: int = 0,
    activity: int = 0,
) -> RebaScore:
    """Look a posture up.

    Args:
        trunk: 1 to 5.
        neck: 1 to 3.
        legs: 1 to 4.
        upper_arm: 1 to 6.
        lower_arm: 1 or 2.
        wrist: 1 to 3.
        load: 0 to 3.
        coupling: 0 to 3.
        activity: 0 to 3.

    Raises:
        BadInput: If a score is outside its table.
    """
    limits = {
        "trunk": (trunk, 1, 5),
        "neck": (neck, 1, 3),
        "legs": (legs, 1, 4),
        "upper_arm": (upper_arm, 1, 6),
        "lower_arm": (lower_arm, 1, 2),
        "wrist": (wrist, 1, 3),
        "load": (load, 0, 3),
        "coupling": (coupling, 0, 3),
        "activity": (activity, 0, 3),
    }
    for name, (value, least, most) in limits.items():
        if not least <= value <= most:
            raise BadInput(f"{name} = {value}: REBA knows {least} to {most}")
    body = TABLE_A[trunk - 1][neck - 1][legs - 1] + load
    arm = TABLE_B[upper_arm - 1][lower_arm - 1][wrist - 1] + coupling
    row, column = min(body, 12) - 1, min(arm, 12) - 1
    return RebaScore(body=body, arm=arm, grand=TABLE_C[row][column] + activity)
