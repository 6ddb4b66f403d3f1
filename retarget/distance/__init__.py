"""How near a robot's links are to each other and to the floor, compiled.

In come the links as rounded convex solids and the pairs of them that may meet; out go,
for every step of the inverse kinematics, the rows that keep them apart.
"""

from telexist.retarget.distance.near import (
    aim_row,
    find_low,
    find_near,
    keep_statuses,
)
from telexist.retarget.distance.records import Nearness, copied, lay_out_solids
from telexist.retarget.distance.separation import corner_in_world, separation

__all__ = [
    "Nearness",
    "aim_row",
    "copied",
    "corner_in_world",
    "find_low",
    "find_near",
    "keep_statuses",
    "lay_out_solids",
    "separation",
]
