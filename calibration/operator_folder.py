"""Where the profiles of operators are kept, by name."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from telexist.retarget.errors import BadInput

__all__ = ["operator_names", "operators_folder", "profile_path"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def operators_folder() -> Path:
    """Return the folder of profiles in the user's configuration.

    Raises:
        BadInput: If the user has no home.
    """
    named = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    if named:
        return Path(named) / "telexist" / "operators"
    try:
        home = Path.home()
    except RuntimeError as error:
        problem = "no home folder to keep operators in: name a file: me.toml"
        raise BadInput(problem) from error
    apple = sys.platform == "darwin"
    config = home / "Library" / "Application Support" if apple else home / ".config"
    return config / "telexist" / "operators"


def profile_path(name_or_file: str) -> Path:
    """Return the file of an operator.

    Args:
        name_or_file: A name, kept in `operators_folder`, or a file that ends in .toml.

    Raises:
        BadInput: If it is neither.
    """
    if name_or_file.endswith(".toml"):
        return Path(name_or_file)
    if not _NAME.fullmatch(name_or_file):
        raise BadInput(
            f"'{name_or_file}' is no operator's name: letters, digits, - and _, at "
            "most 64; or name a file: me.toml"
        )
    return operators_folder() / f"{name_or_file}.toml"


def operator_names() -> tuple[str, ...]:
    """Return the operators that were calibrated."""
    try:
        found = sorted(path.stem for path in operators_folder().glob("*.toml"))
    except (OSError, BadInput):
        return ()
    return tuple(found)
