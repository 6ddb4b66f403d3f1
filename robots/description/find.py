"""Find a robot's model on this machine: in named folders, packages, or a download.

Folders come from the caller and from the environment variable `TELEXIST_MODELS` (a
list like `PATH`); the cache of the `robot_descriptions` package is one more. Nothing is
downloaded unless the caller says so.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path, PurePosixPath

from telexist.retarget.errors import ModelNotFound
from telexist.robots.description.spec import RobotSpec

__all__ = ["CACHE_VARIABLE", "FOLDERS_VARIABLE", "find_model", "is_present"]

FOLDERS_VARIABLE = "TELEXIST_MODELS"
CACHE_VARIABLE = "ROBOT_DESCRIPTIONS_CACHE"  # of the package robot_descriptions


def find_model(
    spec: RobotSpec, *, folders: Iterable[str | Path] = (), download: bool = False
) -> Path:
    """Return the path of a robot's URDF.

    Args:
        spec: The robot; not one whose model is generated.
        folders: Where the user keeps models; searched before everything else.
        download: Whether the `robot_descriptions` package may fetch it from the net.

    Raises:
        ModelNotFound: Saying how to get it.
    """
    named = [Path(folder) for folder in (*folders, *_folders_of_environment())]
    found = _in_folders(spec, named) or _in_package(spec) or _beside_the_spec(spec)
    if found is None:
        found = _in_folders(spec, [_cache()])
    if found is None and spec.model.robot_description and download:
        found = _downloaded(spec)
    if found is None:
        raise ModelNotFound(_how_to_get(spec))
    return found


def is_present(spec: RobotSpec, *, folders: Iterable[str | Path] = ()) -> bool:
    """Whether a robot's model is on this machine."""
    if spec.model.generated:
        return True
    try:
        find_model(spec, folders=folders)
    except ModelNotFound:
        return False
    return True


def _folders_of_environment() -> list[str]:
    text = os.environ.get(FOLDERS_VARIABLE, "")
    return [folder for folder in text.split(os.pathsep) if folder]


def _cache() -> Path:
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else Path("~/.cache/robot_descriptions")


def _in_folders(spec: RobotSpec, folders: Iterable[Path]) -> Path | None:
    for folder in folders:
        for place in spec.model.folders:
            path = folder.expanduser() / place
            if path.is_file():
                return path
    return None


def _in_package(spec: RobotSpec) -> Path | None:
    """Return the installed file of a distribution whose path ends as the spec says."""
    if not spec.model.package:
        return None
    try:
        installed = metadata.files(spec.model.package) or ()
    except metadata.PackageNotFoundError:
        return None
    wanted = PurePosixPath(spec.model.path).parts
    for file in installed:
        if file.parts[-len(wanted) :] == wanted:
            found = Path(str(file.locate())).resolve()
            if found.is_file():
                return found
    return None


def _beside_the_spec(spec: RobotSpec) -> Path | None:
    model = spec.model
    if model.package or not model.path:
        return None
    path = Path(model.path)
    return path if path.is_file() else None


def _downloaded(spec: RobotSpec) -> Path | None:
    """Let `robot_descriptions` fetch the repository that holds the model."""
    name = spec.model.robot_description
    try:
        importlib.import_module(f"robot_descriptions.{name}")
    except ImportError as error:
        problem = f"{spec.name}: pip install robot_descriptions, to download its model"
        raise ModelNotFound(problem) from error
    except Exception as error:  # git, network and disk trouble come in many types
        lines = str(error).strip().splitlines() or [type(error).__name__]
        problem = f"{spec.name}: the download of {name} failed: {lines[0]}"
        raise ModelNotFound(problem) from error
    return _in_folders(spec, [_cache()])


def _how_to_get(spec: RobotSpec) -> str:
    model = spec.model
    ways = model.get or (f"pip install {model.package}" if model.package else "")
    if model.folders:
        joined = ", or " if model.package else " and "
        place = f"put it at FOLDER/{model.folders[0]} and set {FOLDERS_VARIABLE}=FOLDER"
        ways = f"{ways}{joined}{place}" if ways else place
    ways = ways or f"there is no file {model.path}"
    return f"the model of {spec.name} is not on this machine: {ways}"
