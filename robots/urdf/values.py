"""Names, numbers and poses in URDF elements, with errors that name the place."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
from telexist.retarget.errors import BadModel
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz, rotation_from_rpy
from telexist.robots.urdf.urdf import Pose

__all__ = ["UrdfValues"]

MAX_NUMBER = 1e9  # no length, angle or mass of a robot comes near; products stay finite


class UrdfValues:
    """Reads attributes of one file's elements.

    Every method takes `place`, the link or joint that an error message names, and
    raises `BadModel` when the value is absent, no finite number or absurdly large.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path

    def name(self, element: Element, kind: str) -> str:
        """Return the name of a link or joint."""
        name = element.get("name", "").strip()
        if not name:
            raise BadModel(self.path, f"a {kind} without a name")
        if not name.isprintable():
            raise BadModel(self.path, f"the name of {kind} '{name}' is not printable")
        return name

    def number(self, text: str | None, place: str, what: str) -> float:
        """Return a finite number."""
        (value,) = self.numbers(text, place, what, count=1)
        return value

    def numbers(
        self, text: str | None, place: str, what: str, *, count: int
    ) -> tuple[float, ...]:
        """Return `count` finite numbers."""
        if text is None:
            raise BadModel(self.path, f"{what} is missing", place=place)
        try:
            values = tuple(float(word) for word in text.split())
        except ValueError:
            problem = f"{what} '{text[:40]}' is not a number"
            raise BadModel(self.path, problem, place=place) from None
        if len(values) != count:
            problem = f"{what} has {len(values)} numbers, expected {count}"
            raise BadModel(self.path, problem, place=place)
        if not all(abs(value) <= MAX_NUMBER for value in values):  # false for nan too
            problem = f"{what} '{text[:40]}' is not a usable number"
            raise BadModel(self.path, problem, place=place)
        return values

    def limit(self, text: str | None, place: str, what: str) -> float | None:
        """Return a limit; None where it is absent, infinite or beyond all reason."""
        if text is None or not text.strip():
            return None
        try:
            value = float(text)
        except ValueError:
            problem = f"{what} limit '{text[:40]}' is not a number"
            raise BadModel(self.path, problem, place=place) from None
        if math.isnan(value):
            raise BadModel(self.path, f"{what} limit is nan", place=place)
        return value if abs(value) <= MAX_NUMBER else None

    def vector(self, text: str | None, place: str, what: str) -> Array:
        """Return three finite numbers (3,)."""
        return np.array(self.numbers(text, place, what, count=3))

    def pose(self, origin: Element | None, place: str) -> Pose:
        """Return the pose in an `<origin>`; the identity where there is none."""
        if origin is None:
            return Pose(p=np.zeros(3), R=np.eye(3))
        p = self.vector(origin.get("xyz", "0 0 0"), place, "origin xyz")
        quat_xyzw = origin.get("quat_xyzw")
        if quat_xyzw is None:
            rpy = self.vector(origin.get("rpy", "0 0 0"), place, "origin rpy")
            return Pose(p=p, R=rotation_from_rpy(rpy))
        x, y, z, w = self.numbers(quat_xyzw, place, "origin quat_xyzw", count=4)
        if not any((x, y, z, w)):
            raise BadModel(self.path, "origin quat_xyzw is zero", place=place)
        return Pose(p=p, R=rotation_from_quat_wxyz([w, x, y, z]))
