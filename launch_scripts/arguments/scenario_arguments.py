"""The arguments of `telexist scenario`, and which options they give."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

from telexist.teleop.scenarios import (
    ENDINGS,
    RANGES,
    SCENARIOS,
    ScenarioOptions,
    figure_manual,
    flag_of,
    option_defaults,
    option_help,
)

__all__ = ["add_scenario_arguments", "given_options"]


def add_scenario_arguments(parser: argparse.ArgumentParser) -> None:
    """Add all options with their ranges and defaults, and the list of figures."""
    parser.epilog = figure_manual()
    parser.add_argument("name", help=", ".join(SCENARIOS))
    for name, text in option_help().items():
        if name != "name":
            _add_option(parser, name, text)
    for result, endings in ENDINGS.items():
        text = f"write a {result} file {', '.join(endings)}".rstrip()
        parser.add_argument(f"--{result}", type=Path, metavar="FILE", help=text)
    text = "a folder of robot models; may be given again"
    parser.add_argument(
        "--models", action="append", default=[], type=Path, metavar="DIR", help=text
    )


def given_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options that were given."""
    names = [field.name for field in fields(ScenarioOptions) if field.name != "name"]
    return {
        name: getattr(args, name) for name in names if getattr(args, name) is not None
    }


def _add_option(parser: argparse.ArgumentParser, name: str, text: str) -> None:
    default = {field.name: field.default for field in fields(ScenarioOptions)}[name]
    if isinstance(default, bool):
        parser.add_argument(flag_of(name), action="store_true", default=None, help=text)
        return
    allowed = f"{RANGES[name]}; " if name in RANGES else ""
    parser.add_argument(
        flag_of(name),
        type=type(default),
        default=None,
        metavar="X",
        help=f"{text} ({allowed}{option_defaults(name)})",
    )
