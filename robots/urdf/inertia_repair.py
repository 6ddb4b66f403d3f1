"""Make the inertias of a URDF physical, so that every simulator accepts them as is."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["give_mass", "repair_inertia"]

SMALLEST = 1e-8  # [kg m^2] of a principal moment
MARGIN = 1.0 + 1e-6  # by which two moments together exceed the third
TINY_MASS = 1e-3  # [kg] of a moving link for which the model states none
TINY_INERTIA = 1e-5  # [kg m^2] of such a link
_KEYS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def repair_inertia(link: Element) -> bool:
    """Make a link's inertia positive definite and fit for a body of matter.

    A moment that is too small is raised until the two smaller ones exceed the largest;
    MuJoCo would otherwise refuse the model, or change it behind the controller's back.

    Returns:
        Whether something had to be changed.
    """
    inertial = link.find("inertial")
    if inertial is None:
        return False
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or inertia is None or float(mass.get("value", "0")) <= 0.0:
        link.remove(inertial)
        return False
    moments, axes = np.linalg.eigh(_matrix(inertia))
    fixed = np.maximum(moments, SMALLEST)
    if fixed[0] + fixed[1] < fixed[2] * MARGIN:
        fixed[:2] *= fixed[2] * MARGIN / (fixed[0] + fixed[1])
    if np.array_equal(fixed, moments):
        return False
    repaired = (axes * fixed) @ axes.T
    entries = repaired[np.triu_indices(3)]
    for key, value in zip(_KEYS, entries, strict=True):
        inertia.set(key, repr(float(value)))
    return True


def give_mass(link: Element) -> None:
    """Give a link without mass a very small one."""
    inertial = SubElement(link, "inertial")
    SubElement(inertial, "origin", xyz="0 0 0", rpy="0 0 0")
    SubElement(inertial, "mass", value=repr(TINY_MASS))
    moments = dict.fromkeys(_KEYS, "0") | dict.fromkeys(
        ("ixx", "iyy", "izz"), repr(TINY_INERTIA)
    )
    SubElement(inertial, "inertia", moments)


def _matrix(inertia: Element) -> Array:
    xx, xy, xz, yy, yz, zz = (float(inertia.get(key, "0")) for key in _KEYS)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
