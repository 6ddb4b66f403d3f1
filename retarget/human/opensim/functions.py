"""The functions by which OpenSim's coordinates drive the axes of a joint."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np
from scipy.interpolate import CubicSpline
from telexist.retarget.so3 import Array

__all__ = ["value_at", "values_at"]


def value_at(function: Element, x: float) -> tuple[float, float]:
    """Return a function's value, and its slope where it is a straight line (else 0).

    Args:
        function: See `values_at`.
        x: The coordinate.

    Raises:
        ValueError: If the function is of another kind.
    """
    return float(values_at(function, np.array([x]))[0]), _slope(function)


def values_at(function: Element, x: Array) -> Array:
    """Return a function's values (t,).

    Args:
        function: `Constant`, `LinearFunction`, `PolynomialFunction`, `SimmSpline`,
            `NaturalCubicSpline`, `PiecewiseLinearFunction` or a multiple of one.
        x: The coordinate (t,).

    Raises:
        ValueError: If the function is of another kind.
    """
    if function.tag == "function" and len(function):
        return values_at(function[0], x)
    if function.tag == "Constant":
        return np.full(len(x), float(function.findtext("value", "0")))
    if function.tag == "LinearFunction":
        slope, offset = _numbers(function, "coefficients")
        return np.asarray(slope * x + offset)
    if function.tag == "PolynomialFunction":
        return np.asarray(np.polyval(_numbers(function, "coefficients"), x))
    if function.tag == "MultiplierFunction":
        scale = float(function.findtext("scale", "1"))
        return scale * values_at(_inner(function), x)
    if function.tag in ("SimmSpline", "NaturalCubicSpline"):
        return _spline(function, x)
    if function.tag == "PiecewiseLinearFunction":
        places, values = _numbers(function, "x"), _numbers(function, "y")
        return np.interp(x, places, values)
    raise ValueError(f"no reader for a {function.tag}")


def _slope(function: Element) -> float:
    if function.tag == "function" and len(function):
        return _slope(function[0])
    if function.tag == "LinearFunction":
        return float(_numbers(function, "coefficients")[0])
    if function.tag == "MultiplierFunction":
        return float(function.findtext("scale", "1")) * _slope(_inner(function))
    return 0.0


def _inner(function: Element) -> Element:
    inner = function.find("function")
    if inner is None or not len(inner):
        raise ValueError("a MultiplierFunction without a function")
    return inner[0]


def _numbers(function: Element, tag: str) -> Array:
    return np.array((function.findtext(tag) or "").split(), dtype=np.float64)


def _spline(function: Element, x: Array) -> Array:
    """Return the natural cubic spline, straight beyond its ends."""
    places, values = _numbers(function, "x"), _numbers(function, "y")
    if len(places) < 3:
        return np.interp(x, places, values)
    spline = CubicSpline(places, values, bc_type="natural")
    inside = np.clip(x, places[0], places[-1])
    return np.asarray(spline(inside) + spline(inside, 1) * (x - inside))
