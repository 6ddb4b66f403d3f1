"""A robot's model of either kind: URDF or MJCF, told apart by what is in the file."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from telexist.retarget.errors import BadModel
from telexist.robots.mjcf.joints import closed_loops
from telexist.robots.mjcf.load_mjcf import load_mjcf
from telexist.robots.mjcf.urdf_text import urdf_text
from telexist.robots.urdf import Urdf, parse_urdf, read_urdf

__all__ = ["is_mjcf", "model_text", "read_model"]

HEAD = 4096  # bytes in which the first element of a model stands


def is_mjcf(path: Path) -> bool:
    """Return whether a file's first element is MuJoCo's; False if it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return False
    place = head.find(b"<mujoco")
    robot = head.find(b"<robot")
    return place >= 0 and not 0 <= robot < place


def read_model(path: Path) -> Urdf:
    """Read a robot's model.

    Raises:
        BadModel: Naming the file, the link or joint, and the problem.
    """
    if not is_mjcf(path):
        return read_urdf(path)
    compiled = load_mjcf(path)
    if compiled.model.nbody < 2:
        raise BadModel(path, "has no bodies")
    urdf = parse_urdf(urdf_text(compiled, path.stem), path=path)
    loops = closed_loops(compiled.model)
    notes = list(compiled.notes)
    if loops:
        notes.append(
            f"{loops} constraints close loops: the joints are taken as an open tree, "
            "so joints inside a loop may not be driven one by one"
        )
    return dataclasses.replace(urdf, notes=(*urdf.notes, *notes))


def model_text(path: Path) -> str | bytes:
    """Return a model's URDF text, whatever kind the file is.

    Raises:
        BadModel: If an MJCF file cannot be used.
        OSError: If the file cannot be read.
    """
    if is_mjcf(path):
        return urdf_text(load_mjcf(path), path.stem)
    return path.read_bytes()
