"""The robots that are shipped, and reading any `robot.toml`."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.config import decode, read_toml
from telexist.retarget.errors import BadConfig, UnknownName
from telexist.retarget.segments import SEGMENTS, SIDES
from telexist.robots.description.spec import RobotSpec

__all__ = ["DEFAULT_ROBOT", "list_robots", "load_spec", "spec_path"]

DEFAULT_ROBOT = "icub"
MAX_DEPTH = 8  # of `extends`


def _models() -> Path:
    return Path(str(files("telexist.robots"))) / "models"


def list_robots() -> tuple[str, ...]:
    """Return the names of the shipped robots."""
    return tuple(sorted(path.parent.name for path in _models().glob("*/robot.toml")))


def spec_path(name_or_path: str | Path) -> Path:
    """Return the `robot.toml` of a shipped robot, a folder or a file.

    Raises:
        UnknownName: If there is neither a robot nor a file of that name.
    """
    name = str(name_or_path)
    if name in list_robots():
        return _models() / name / "robot.toml"
    path = Path(name_or_path)
    if path.is_dir() and (path / "robot.toml").is_file():
        return path / "robot.toml"
    if path.is_file() or path.suffix == ".toml":
        return path
    raise UnknownName("robot", name, list_robots())


def load_spec(name_or_path: str | Path) -> RobotSpec:
    """Read what is said of a robot.

    Args:
        name_or_path: Name of a shipped robot, a `robot.toml` or its folder.

    Raises:
        UnknownName: If there is no such robot.
        BadConfig: If its file has a mistake.
    """
    path = spec_path(name_or_path)
    if path.suffix != ".toml":
        problem = (
            f"not a robot.toml; make one from a URDF: telexist robots draft {path}"
        )
        raise BadConfig(path, problem)
    spec = decode(RobotSpec, _table(path, depth=0), path=path)
    _check(spec, path)
    return spec


def _table(path: Path, *, depth: int) -> dict[str, Any]:
    """Read a table with all that it extends; model paths become absolute."""
    table = read_toml(path)
    _make_absolute(table.get("model"), path.parent)
    parent = table.get("extends")
    if not parent:
        return table
    if depth >= MAX_DEPTH:
        raise BadConfig(path, "robots extend each other in a circle", place="extends")
    if not isinstance(parent, str):
        raise BadConfig(path, f"expected str, found {parent!r}", place="extends")
    beside = path.parent / parent
    base = spec_path(beside if beside.exists() else parent)
    return _merged(_table(base, depth=depth + 1), table)


def _make_absolute(model: object, folder: Path) -> None:
    """Turn the path of a model beside its `robot.toml` into an absolute one."""
    if isinstance(model, dict) and not model.get("package"):
        path = model.get("path")
        if isinstance(path, str) and path:
            model["path"] = str((folder / path).absolute())


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in change.items():
        old = result.get(key)
        both = isinstance(value, dict) and isinstance(old, dict)
        result[key] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return result


def _check(spec: RobotSpec, path: Path) -> None:
    """Check what can be checked without the model."""
    _known(spec.links, SEGMENTS, path, "links")
    _known(spec.weights, SEGMENTS, path, "weights")
    _known(spec.soles, SIDES, path, "soles")
    _known(spec.hands, SIDES, path, "hands")
    _check_grips(spec, path)
    forward, up = np.array(spec.base.forward), np.array(spec.base.up)
    if not np.linalg.norm(np.cross(up, forward)) > 0.1 * np.linalg.norm(forward) > 0.0:
        raise BadConfig(path, "forward and up must be two directions", place="base")
    for side, sole in spec.soles.items():
        if not (0.0 < sole.length < np.inf and 0.0 < sole.width < np.inf):
            problem = "length and width must be above 0"
            raise BadConfig(path, problem, place=f"soles.{side}")
    for segment, weight in spec.weights.items():
        if not 0.0 <= weight < np.inf:
            problem = f"expected a weight of 0 or more, found {weight}"
            raise BadConfig(path, problem, place=f"weights.{segment}")
    for i, coupling in enumerate(spec.couplings):
        if len(coupling.joints) != len(coupling.coefficients):
            problem = "needs as many coefficients as joints"
            raise BadConfig(path, problem, place=f"couplings[{i}]")
        if not coupling.lower <= coupling.upper:
            raise BadConfig(path, "lower is above upper", place=f"couplings[{i}]")


def _check_grips(spec: RobotSpec, path: Path) -> None:
    _known(spec.grips, SIDES, path, "grips")
    for side, grip in spec.grips.items():
        for joint, ends in grip.items():
            place = f"grips.{side}.{joint}"
            if joint not in spec.locked:
                raise BadConfig(path, "name it in 'locked' too", place=place)
            if not np.all(np.isfinite(ends)):
                raise BadConfig(path, "expected finite positions", place=place)


def _known(
    names: Iterable[str], allowed: Iterable[str], path: Path, place: str
) -> None:
    allowed = tuple(allowed)
    for name in names:
        if name not in allowed:
            problem = f"unknown key; allowed: {', '.join(allowed)}"
            raise BadConfig(path, problem, place=f"{place}.{name}")
