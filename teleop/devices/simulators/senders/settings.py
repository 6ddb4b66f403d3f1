"""The `--set name=value` of a simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, UnknownName

__all__ = ["Settings", "read_settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Values by name, the given ones over the usual ones."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return a setting as it is."""
        return self.values[name]

    def whole(self, name: str) -> int:
        """Return a setting that is a whole number.

        Raises:
            BadInput: If it is not.
        """
        try:
            return int(self.values[name])
        except ValueError as error:
            problem = f"'{self.values[name]}' is not a whole number"
            raise BadInput(f"setting {name}: {problem}") from error

    def number(self, name: str, low: float, high: float) -> float:
        """Return a setting that is a number in a range.

        Raises:
            BadInput: If it is not.
        """
        try:
            value = float(self.values[name])
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            problem = f"'{self.values[name]}' is not a number from {low:g} to {high:g}"
            raise BadInput(f"setting {name}: {problem}")
        return value


def read_settings(given: Mapping[str, str], usual: Mapping[str, str]) -> Settings:
    """Put the given settings over the usual ones.

    Raises:
        UnknownName: If there is no such setting.
    """
    for name in given:
        if name not in usual:
            raise UnknownName("setting", name, usual)
    return Settings({**usual, **given})
