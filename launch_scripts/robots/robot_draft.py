"""The `draft` of `telexist robots`."""

from __future__ import annotations

import re
from pathlib import Path

from telexist.launch_scripts.robots.robot_check import check
from telexist.retarget.errors import UsageError
from telexist.retarget.files import write_bytes
from telexist.robots.draft import Draft, draft_robot

__all__ = ["draft"]


def draft(
    urdf: Path, out: Path | None, *, name: str | None = None, overwrite: bool = False
) -> int:
    """Write a robot.toml for a URDF, check it and say what to do next.

    Args:
        urdf: The model.
        out: The file or folder to write; `./<name>/robot.toml` if None.
        name: Of the robot; from the file's if None.
        overwrite: Whether an older file may be replaced.

    Returns:
        The exit code of the check.

    Raises:
        UsageError: If a file is in the way, there is no URDF or the name will not do.
        BadModel: If no humanoid is recognised in the URDF.
    """
    if not urdf.is_file():
        raise UsageError(f"{urdf}: no such file")
    if name is not None and not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise UsageError(f"--name '{name}': letters, digits, - and _ only")
    path = _target(urdf, out, name)
    if path.exists() and not overwrite:
        raise UsageError(f"{path}: is there already; --overwrite replaces it")
    drafted = draft_robot(urdf, folder=path.parent)
    write_bytes(path, _named(drafted, name).encode("utf-8"))
    print(f"wrote {path}")
    for note in drafted.notes:
        print(f"note: {note}")
    code = check(str(path), path.with_suffix(".png"))
    print(f"next: telexist retarget builtin --robot {path}")
    return code


def _target(urdf: Path, out: Path | None, name: str | None) -> Path:
    if out is None:
        return Path(name or urdf.stem) / "robot.toml"
    return out if out.suffix == ".toml" else out / "robot.toml"


def _named(drafted: Draft, name: str | None) -> str:
    """Return the file with the name that the user chose."""
    if name is None:
        return drafted.text
    return re.sub(r"(?m)^name = .*$", f'name = "{name}"', drafted.text, count=1)
