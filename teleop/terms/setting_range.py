"""Numbers that a user sets must lie in their range."""

from __future__ import annotations

from telexist.retarget.errors import BadInput

__all__ = ["require_range"]


def require_range(name: str, value: float, low: float, high: float) -> None:
    """Check a number.

    Raises:
        BadInput: Naming the setting and its range, if the value lies outside.
    """
    if not low <= value <= high:
        raise BadInput(f"{name} = {value:g} is not in the range {low:g} to {high:g}")
