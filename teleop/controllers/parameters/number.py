"""A number of a controller: its value, unit, range and reason, in a parameter class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from telexist.retarget.errors import BadInput
from telexist.teleop.terms import require_range

__all__ = ["NumberRow", "ParameterGroup", "number"]


def number(value: float, unit: str, low: float, high: float, reason: str) -> Any:
    """Return a field of a parameter class.

    Args:
        value: Used where a robot's file states none.
        unit: Of the value; "1" for a share or a factor.
        low: Least value that makes sense.
        high: Greatest.
        reason: What it does, and why it is not another.
    """
    told = {"unit": unit, "low": low, "high": high, "reason": reason}
    return field(default=value, metadata=told)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRow:
    """One number of a group, to be shown.

    Attributes:
        name: `group.name`, as in `[control.group]` of a robot's file.
        value: In use.
        unit: Of the value.
        low: Least.
        high: Greatest.
        reason: What it does.
    """

    name: str
    value: float
    unit: str
    low: float
    high: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterGroup:
    """Numbers that belong together; every field is made by `number`."""

    table: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            BadInput: Naming the number and its range.
        """
        for row in self.rows():
            if not math.isfinite(row.value):
                raise BadInput(f"{row.name} = {row.value} is not finite")
            require_range(row.name, row.value, row.low, row.high)

    def rows(self) -> Iterator[NumberRow]:
        """Yield the numbers in the order of the class."""
        for item in fields(self):
            told = item.metadata
            yield NumberRow(
                name=f"{self.table}.{item.name}",
                value=getattr(self, item.name),
                unit=told["unit"],
                low=told["low"],
                high=told["high"],
                reason=told["reason"],
            )
