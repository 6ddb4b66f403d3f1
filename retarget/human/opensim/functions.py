"""The functions by which OpenSim's coordinates drive the axes of a joint."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np
from scipy.interpolate import CubicSpline
from telexist.retarget.so3 import Array

__all__ = ["value_at"]


def value_at(function: Element, x: float) -> tuple[float, float]:
    """Return a function's value, and its slope where it is a straight line (else 0).

    Args:
        function: `Constant`, `LinearFunction`, `PolynomialFunction`, `SimmSpline`,
            `NaturalCubicSpline`, `PiecewiseLinearFunction` or a multiple of one.
        x: The coordinate.

    Raises:
        ValueError: If the function is of another kind.
    """
    if function.tag == "function" and len(function):
        return value_at(function[0], x)
    if function.tag == "Constant":
        return float(function.findtext("value", "0")), 0.0
    if function.tag == "LinearFunction":
        slope, offset = _numbers(function, "coefficients")
        return slope * x + offset, slope
    if function.tag == "PolynomialFunction":
        return float(np.polyval(_numbers(function, "coefficients"), x)), 0.0
    if function.tag == "MultiplierFunction":
        scale = float(function.findtext("scale", "1"))
        inner = function.find("function")
        if inner is None or not len(inner):
            raise ValueError("a MultiplierFunction without a function")
        value, slope = value_at(inner[0], x)
        return scale * value, scale * slope
    if function.tag in ("SimmSpline", "NaturalCubicSpline"):
        return _spline(function, x), 0.0
    if function.tag == "PiecewiseLinearFunction":
        places, values = _numbers(function, "x"), _numbers(function, "y")
        return float(np.interp(x, places, values)), 0.0
    raise ValueError(f"no reader for a {function.tag}")


def _numbers(function: Element, tag: str) -> Array:
    return np.array((function.findtext(tag) or "").split(), dtype=np.float64)


def _spline(function: Element, x: float) -> float:
    places, values = _numbers(function, "x"), _numbers(function, "y")
    if len(places) < 3:
        return float(np.interp(x, places, values))
    return float(CubicSpline(places, values, bc_type="natural")(x))
