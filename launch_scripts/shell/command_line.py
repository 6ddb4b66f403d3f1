"""What all sub-commands share: one-line errors and their exit codes.

0: all went well.  1: something failed.  2: nothing was started, because an argument is
wrong.  130: interrupted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from telexist.retarget.errors import TelexistError, UnknownName, UsageError

__all__ = [
    "FAILED",
    "INTERRUPTED",
    "OK",
    "USAGE",
    "Parser",
    "comma_list",
    "exit_code",
    "number",
    "whole_number",
]

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line and whose help keeps its layout."""

    def __init__(self, prog: str, manual: str) -> None:
        """Take the name of the command and the text above its options."""
        super().__init__(
            prog=prog,
            description=manual,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise what `argparse` would print with its usage."""
        raise UsageError(f"{message}; see {self.prog} --help")


def exit_code(error: TelexistError) -> int:
    """Return the exit code for an error that ends a command."""
    return USAGE if isinstance(error, UsageError | UnknownName) else FAILED


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return an argument type: a whole number from `low` to `high`."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a whole number from {low} to {high}"
            )
        return number

    return convert


def number(low: float, high: float) -> Callable[[str], float]:
    """Return an argument type: a number from `low` to `high`."""

    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a number from {low:g} to {high:g}"
            )
        return value

    return convert


def comma_list(text: str) -> tuple[str, ...]:
    """Return the words of `a,b,c`, each once, in order.

    Raises:
        argparse.ArgumentTypeError: If there is none.
    """
    words = tuple(dict.fromkeys(w.strip() for w in text.split(",") if w.strip()))
    if not words:
        raise argparse.ArgumentTypeError("expected one name or more: a,b,c")
    return words
