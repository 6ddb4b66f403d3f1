"""RULA (McAtamney and Corlett 1993): tables A, B and C.

The paper says "abducted", "raised", "twisted" and "bent to the side" without an angle:
whoever calls decides, and says from where on.
"""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.errors import BadInput

__all__ = ["TABLE_A", "TABLE_B", "TABLE_C", "RulaScore", "rula_score"]

# TABLE_A[upper arm - 1][lower arm - 1][wrist - 1][wrist twist - 1]
TABLE_A = tuple(
    tuple(tuple((int(row[k]), int(row[k + 1])) for k in (0, 2, 4, 6)) for row in arm)
    for arm in (
        ("12222333", "22223333", "23333344"),
        ("23333444", "33333444", "34444455"),
        ("33444455", "34444455", "44444555"),
        ("44444555", "44444555", "44455566"),
        ("55555667", "56666777", "66677778"),
        ("77777889", "88888999", "99999999"),
    )
)
# TABLE_B[neck - 1][trunk - 1][legs - 1]
TABLE_B = tuple(
    tuple((int(row[k]), int(row[k + 1])) for k in range(0, 12, 2))
    for row in (
        "132334556677",
        "232345556777",
        "333445566777",
        "555667777788",
        "777778888888",
        "888888899999",
    )
)
# TABLE_C[score C - 1][score D - 1], both up to the last row and column
TABLE_C = tuple(
    tuple(int(x) for x in row)
    for row in (
        "1233455",
        "2234455",
        "3334456",
        "3334566",
        "4445677",
        "4456677",
        "5566777",
        "5567777",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulaScore:
    """A posture judged.

    Attributes:
        arm: Score of table A.
        body: Score of table B.
        grand: Score of table C, 1 to 7.
    """

    arm: int
    body: int
    grand: int


def rula_score(
    *,
    upper_arm: int,
    lower_arm: int,
    wrist: int,
    wrist_twist: int,
    neck: int,
    trunk: int,
    legs: int,
    arm_extra: int = 0,
    body_extra: int = 0,
) -> RulaScore:
    """Look a posture up.

    Args:
        upper_arm: 1 to 6.
        lower_arm: 1 to 3.
        wrist: 1 to 4.
        wrist_twist: 1 or 2.
        neck: 1 to 6.
        trunk: 1 to 6.
        legs: 1 or 2.
        arm_extra: Of muscle use and force, added to table A's score.
        body_extra: The same for table B's.

    Raises:
        BadInput: If a score is outside its table.
    """
    limits = {
        "upper_arm": (upper_arm, 6),
        "lower_arm": (lower_arm, 3),
        "wrist": (wrist, 4),
        "wrist_twist": (wrist_twist, 2),
        "neck": (neck, 6),
        "trunk": (trunk, 6),
        "legs": (legs, 2),
    }
    for name, (value, most) in limits.items():
        if not 1 <= value <= most:
            raise BadInput(f"{name} = {value}: RULA knows 1 to {most}")
    arm = TABLE_A[upper_arm - 1][lower_arm - 1][wrist - 1][wrist_twist - 1]
    body = TABLE_B[neck - 1][trunk - 1][legs - 1]
    row = min(arm + arm_extra, len(TABLE_C)) - 1
    column = min(body + body_extra, len(TABLE_C[0])) - 1
    return RulaScore(arm=arm, body=body, grand=TABLE_C[row][column])
