"""Numbers of the estimators: the floor, pushes, and what steps teach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from telexist.teleop.controllers.parameters.number import ParameterGroup, number

__all__ = ["SensingParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SensingParameters(ParameterGroup):
    """Of what is known of floor, pushes and pivots."""

    table: ClassVar[str] = "sensing"
    tilt_time: float = number(
        0.4, "s", 0.02, 10.0, "of double support in which the floor's tilt is learnt"
    )
    height_time: float = number(
        0.15, "s", 0.01, 5.0, "in which the height below the robot follows"
    )
    floor_load: float = number(
        0.4, "body weight", 0.05, 1.0, "of a foot that tells the floor's tilt"
    )
    pivot_share: float = number(
        0.2, "1", 0.0, 1.0, "of what one step teaches of the pivot"
    )
    pivot_surprise: float = number(
        0.01, "m", 0.0, 0.1, "beyond which a step teaches no more: it caught a push"
    )
    pivot_most: float = number(0.04, "m", 0.0, 0.2, "of the pivot's bias")
    pivot_least_time: float = number(
        0.5, "1/omega", 0.0, 3.0, "of single support below which a step teaches nothing"
    )
    push_time: float = number(
        0.005, "s", 0.001, 0.2, "over which readings are averaged for a push"
    )
    push_lasting: float = number(
        2.0, "s", 0.1, 60.0, "in which a push that lasts counts less and less"
    )
    push_least: float = number(
        0.05, "body weight", 0.0, 1.0, "below which a push may be noise"
    )
    push_sure: float = number(
        0.1, "body weight", 0.01, 2.0, "above which a push is none of the noise"
    )
    hand_least: float = number(
        2.0, "N", 0.0, 100.0, "at a hand below which a force may be noise"
    )
    hand_sure: float = number(
        4.0, "N", 0.01, 200.0, "at a hand above which a force is none of the noise"
    )
    hand_most: float = number(
        0.6, "body weight", 0.01, 5.0, "at a hand that a sensor is believed"
    )
    lag_time: float = number(
        0.25, "s", 0.02, 10.0, "over which torques given and asked for are compared"
    )
    lag_share: float = number(
        0.5, "1", 0.05, 1.0, "of the misfit of the lag so far, to believe another one"
    )
    weak_share: float = number(
        0.1, "effort", 0.0, 1.0, "that a drive gives at least before it counts as weak"
    )
    weak_times: float = number(
        4.0, "readings", 1.0, 100.0, "in a row that a drive gives less than was asked"
    )
    lost_share: float = number(
        0.2, "body weight", 0.05, 1.0, "between felt and planned load: a sensor is lost"
    )
    lost_time: float = number(
        0.015, "s", 0.0, 0.5, "of readings that say the very same, if load is missing"
    )
    lost_room: float = number(
        0.15, "body weight", 0.0, 1.0, "that may miss before a foot in the air landed"
    )
