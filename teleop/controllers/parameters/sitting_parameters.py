"""Numbers of standing up from a seat and sitting down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from telexist.teleop.controllers.parameters.number import ParameterGroup, number

__all__ = ["SittingParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingParameters(ParameterGroup):
    """Of the ways between sitting and standing; shares are of what feet must carry."""

    table: ClassVar[str] = "sitting"
    lean_time: float = number(
        2.0, "s", 0.5, 20.0, "from sitting upright to leaning over the feet"
    )
    rise_time: float = number(3.0, "s", 0.8, 30.0, "from the seat to standing")
    stiffness: float = number(40.0, "1/s^2", 4.0, 400.0, "of the centre of mass")
    damping: float = number(12.0, "1/s", 2.0, 60.0, "of the centre of mass")
    integral: float = number(
        40.0, "1/s^3", 0.0, 200.0, "of its error: masses and friction nobody knows"
    )
    most_aside: float = number(1.0, "m/s^2", 0.0, 5.0, "that the integral asks, level")
    most_up: float = number(3.0, "m/s^2", 0.0, 8.0, "that the integral asks, upwards")
    forget_time: float = number(
        0.4, "s", 0.02, 5.0, "in which a robot that sits forgets the integral"
    )
    joint_stiffness: float = number(100.0, "1/s^2", 4.0, 1000.0, "of the legs")
    joint_damping: float = number(20.0, "1/s", 1.0, 100.0, "of the legs")
    still: float = number(20.0, "1/s", 1.0, 100.0, "damping of thighs on the seat")
    base_weight: float = number(20.0, "1", 0.1, 1e4, "of the base's lean")
    off_weight: float = number(
        10.0, "1", 0.01, 1e4, "of forces at thighs that are about to leave the seat"
    )
    carried_time: float = number(
        0.05, "s", 0.005, 1.0, "over which the load of the seat is averaged"
    )
    carried_least: float = number(
        0.03, "1", 0.0, 0.5, "that the seat carries while thighs are free to move"
    )
    carried_sure: float = number(
        0.1, "1", 0.01, 1.0, "more than that, with which thighs stay where they are"
    )
    ahead: float = number(
        0.3, "1", 0.0, 0.9, "of half a sole to which hands may pull the weight ahead"
    )
    pulled: float = number(
        10.0, "N", 1.0, 200.0, "at the hands that begins a way with a partner"
    )
    loaded: float = number(
        0.6, "1", 0.2, 1.0, "carried by the feet before thighs are unloaded"
    )
    fade_time: float = number(
        0.3, "s", 0.02, 3.0, "in which what thighs may carry goes and comes"
    )
    off: float = number(0.85, "1", 0.3, 1.0, "carried by the feet when the seat is not")
    push_time: float = number(
        0.5, "s", 0.05, 5.0, "in which feet that carry too little press harder"
    )
    clear: float = number(
        0.01, "leg", 0.001, 0.2, "of the thighs over the seat when they are off it"
    )
    clear_share: float = number(
        0.4, "1", 0.1, 0.9, "of the way up at which thighs must be off"
    )
    sunk: float = number(
        0.05, "leg", 0.005, 0.3, "of thighs below a seat that is not there"
    )
    patience: float = number(
        6.0, "s", 0.5, 60.0, "of leaning without load on the feet before sitting back"
    )
    advance_upper: float = number(
        3.0, "1", 1.1, 10.0, "greatest rate of a way that a partner helps along"
    )
    advance_relaxation: float = number(
        0.3, "s", 0.02, 5.0, "in which the rate returns to 1 after letting go"
    )
    advance_least: float = number(8.0, "N", 0.5, 100.0, "that counts as help")
    advance_mass: float = number(
        1.0, "mass", 0.1, 10.0, "that the partner feels along the way"
    )
    behind: float = number(
        0.03, "m", 0.0, 0.5, "from the feet's first place at which it does not sit down"
    )
    turned: float = number(0.15, "rad", 0.0, 1.0, "from their first heading, likewise")
