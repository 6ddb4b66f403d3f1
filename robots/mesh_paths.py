"""Find the mesh files that a URDF names.

`package://` paths name a ROS package that is usually not installed as such; its folder
lies somewhere above the model, and sometimes has another name. So the path, and then
shorter and shorter ends of it, is looked for below each folder above the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

__all__ = ["resolve_mesh"]

LEVELS = 6  # how many folders above the model are searched


def resolve_mesh(
    name: str, model: Path, *, roots: Iterable[str | Path] = ()
) -> Path | None:
    """Return the file of a mesh, or None if it is not there.

    Args:
        name: As the URDF writes it: `package://`, `model://`, `file://`, relative.
        model: The URDF file.
        roots: Further folders that contain packages.
    """
    scheme, _, rest = name.rpartition("://")
    try:
        for path in _candidates(scheme, rest, model.absolute().parent, roots):
            if path.is_file():
                return path
    except (OSError, ValueError):  # names that no file can have
        return None
    return None


def _candidates(
    scheme: str, rest: str, folder: Path, roots: Iterable[str | Path]
) -> Iterator[Path]:
    if scheme in ("", "file"):
        yield folder / rest  # an absolute name stays what it is
        if scheme == "file":
            yield Path("/") / rest
    parts = PurePosixPath(rest).parts
    above = (folder, *folder.parents)[:LEVELS]
    for start in range(min(len(parts), LEVELS)):
        end = PurePosixPath(*parts[start:])
        if end.is_absolute() or ".." in end.parts:
            continue
        for root in (*(Path(root) for root in roots), *above):
            yield root / end
