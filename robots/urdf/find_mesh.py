"""Find the mesh files that a URDF names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["find_mesh"]

FOLDERS_VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GAZEBO_MODEL_PATH")


def find_mesh(mesh: str, urdf_path: Path) -> Path | None:
    """Return the file of a mesh, or None if it is not on this machine.

    Args:
        mesh: As the URDF writes it: a path, `file://...`, `package://NAME/...` or
            `model://NAME/...`. Packages are looked for in the folders above the URDF
            and in those that ROS and Gazebo know.
        urdf_path: The URDF.
    """
    try:
        for path in _candidates(mesh, urdf_path):
            if path.is_file():
                return path
    except (OSError, ValueError):  # names that no file and no address can have
        return None
    return None


def _candidates(mesh: str, urdf_path: Path) -> Iterator[Path]:
    parts = urlsplit(mesh)
    if parts.scheme in ("package", "model"):
        inside = unquote(parts.path).lstrip("/")
        for folder in (*urdf_path.parents, *_known_folders()):
            yield folder / parts.netloc / inside
            yield folder / "share" / parts.netloc / inside
        for folder in urdf_path.parents:
            yield folder / inside
    elif parts.scheme == "file":
        yield Path(unquote(parts.path))
    else:
        yield urdf_path.parent / mesh


def _known_folders() -> Iterator[Path]:
    for variable in FOLDERS_VARIABLES:
        for folder in os.environ.get(variable, "").split(os.pathsep):
            if folder:
                yield Path(folder)
