"""Numbers of standing: shifts of weight, a lifted foot, the trunk, falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from telexist.teleop.controllers.parameters.number import ParameterGroup, number

__all__ = [
    "BodyParameters",
    "ContactParameters",
    "FallParameters",
    "FreeFootParameters",
    "StandingParameters",
    "TrunkParameters",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingParameters(ParameterGroup):
    """Of the phases of standing."""

    table: ClassVar[str] = "standing"
    unload_time: float = number(0.3, "s", 0.05, 3.0, "to take the load off a foot")
    clearance: float = number(
        0.7, "step height", 0.1, 3.0, "that a lifted foot keeps from the floor"
    )
    touchdown_load: float = number(
        0.05, "body weight", 0.01, 0.5, "felt by a lowered foot that has landed"
    )
    latest: float = number(
        0.3, "s", 0.0, 2.0, "after its time a lowered foot counts as landed"
    )
    hip_share: float = number(
        0.05, "height", 0.0, 0.3, "ZMP beyond the soles, by hips and arms"
    )
    one_foot_hips: float = number(
        0.4, "1", 0.0, 1.0, "of that, on one foot, before a step is taken instead"
    )
    arrived: float = number(
        0.02, "m", 0.001, 0.1, "of the centre of mass from its place over one foot"
    )
    approach: float = number(
        5.0, "1/s", 0.5, 20.0, "at which the DCM comes to its place"
    )
    shift_share: float = number(
        0.4, "spacing", 0.05, 1.0, "by which the ZMP leads a shift"
    )
    shift_acceleration: float = number(3.0, "m/s^2", 0.1, 20.0, "of the DCM")
    still: float = number(
        0.01, "m/s", 0.0, 0.1, "of a DCM whose ZMP is as good as below it"
    )
    plan_share: float = number(
        0.7, "1", 0.2, 1.0, "of the soles in which the ZMP is planned"
    )
    held_load: float = number(
        0.1, "body weight", 0.0, 2.0, "of a foot that stands again, at first"
    )
    load_growth: float = number(
        4.0, "body weight/s", 0.5, 50.0, "that a foot that stands again may carry more"
    )
    normal_time: float = number(
        1.0, "s", 0.01, 20.0, "in which the floor's normal follows the soles"
    )
    floor_time: float = number(
        0.3, "s", 0.01, 5.0, "in which the floor's height follows the soles"
    )
    turn_time: float = number(
        0.5, "s", 0.01, 5.0, "in which the base turns to the soles' heading"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeFootParameters(ParameterGroup):
    """Of a lifted foot that follows the operator's."""

    table: ClassVar[str] = "free_foot"
    stiffness: float = number(400.0, "1/s^2", 20.0, 2500.0, "of the sole to its path")
    damping: float = number(40.0, "1/s", 2.0, 100.0, "critical for the stiffness")
    pursuit: float = number(100.0, "1/s^2", 5.0, 1000.0, "of the path to the operator")
    speed: float = number(0.6, "m/s", 0.05, 3.0, "of the path")
    turn_speed: float = number(2.0, "rad/s", 0.1, 10.0, "of the path")
    acceleration: float = number(3.0, "m/s^2", 0.2, 30.0, "of the path")
    turn_acceleration: float = number(10.0, "rad/s^2", 0.5, 100.0, "of the path")
    over_place: float = number(
        0.02, "m", 0.002, 0.1, "from its place at which it is put down"
    )
    down_speed: float = number(0.15, "m/s", 0.02, 1.0, "of a foot that is put down")
    blocked: float = number(
        0.1, "m", 0.01, 1.0, "out of its way from which a foot is level"
    )
    most_tilt: float = number(1.0, "rad", 0.0, 1.5, "of the sole from level")
    level: float = number(0.1, "rad", 0.01, 0.5, "of a sole that may be put down")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrunkParameters(ParameterGroup):
    """Of height and lean of the trunk."""

    table: ClassVar[str] = "trunk"
    soft: float = number(0.02, "m", 1e-4, 0.2, "over which a bound of height sets in")
    most_lean: float = number(0.5, "rad", 0.0, 1.2, "of the base, on two feet")
    one_foot_lean: float = number(0.2, "rad", 0.0, 1.0, "of the base, on one foot")
    stiffness: float = number(100.0, "1/s^2", 5.0, 1000.0, "of the pursuit")
    rise_speed: float = number(0.5, "m/s", 0.05, 3.0, "of the height")
    lean_speed: float = number(1.0, "rad/s", 0.05, 5.0, "of the base")
    rise_acceleration: float = number(2.0, "m/s^2", 0.1, 20.0, "of the height")
    lean_acceleration: float = number(6.0, "rad/s^2", 0.2, 50.0, "of the base")


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyParameters(ParameterGroup):
    """Of what the whole body is asked: weights and gains."""

    table: ClassVar[str] = "body"
    base_stiffness: float = number(80.0, "1/s^2", 1.0, 1000.0, "of the base's tilt")
    base_damping: float = number(18.0, "1/s", 1.0, 100.0, "critical for the stiffness")
    standing_com_weight: float = number(
        1e4, "1", 1.0, 1e6, "standing: balance before the operator's joints"
    )
    walking_com_weight: float = number(
        1e3, "1", 1.0, 1e6, "walking: the swing leg must come along"
    )
    swing_weight: float = number(100.0, "1", 1.0, 1e4, "of a foot that steps")
    base_weight: float = number(20.0, "1", 0.1, 1e4, "of the base's tilt")
    recovery_base_weight: float = number(
        40.0, "1", 0.1, 1e4, "of the base's tilt in a step that catches the robot"
    )
    standing_share: float = number(
        0.9, "1", 0.3, 1.0, "of the soles, for the centre of pressure"
    )
    recovery_friction: float = number(
        0.5, "1", 0.05, 1.5, "of the floor that is trusted when the robot would fall"
    )
    most_rise: float = number(4.0, "m/s^2", 0.5, 9.0, "of the centre of mass")
    crouch: float = number(
        0.05, "height", 0.0, 0.2, "by which a robot goes down that is to be caught"
    )
    crouch_time: float = number(0.05, "s", 0.005, 1.0, "in which it does")
    rise_time: float = number(0.5, "s", 0.02, 5.0, "in which it comes up again")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactParameters(ParameterGroup):
    """Of what soles may feel."""

    table: ClassVar[str] = "contact"
    felt: float = number(
        0.15, "body weight", 0.01, 1.0, "that a foot in the air must not feel"
    )
    carried: float = number(
        0.3, "body weight", 0.01, 1.0, "below which nothing carries the robot"
    )
    loaded: float = number(
        0.3, "body weight", 0.01, 1.0, "of a foot that must not move"
    )
    in_air: float = number(0.02, "m", 0.0, 0.2, "over the other sole")
    slip: float = number(0.15, "m/s", 0.01, 2.0, "of a loaded foot")
    twist: float = number(1.0, "rad/s", 0.05, 10.0, "of a loaded foot")
    patience: float = number(0.15, "s", 0.0, 2.0, "before it is told")
    slip_patience: float = number(
        0.08, "s", 0.0, 2.0, "before a slip is told; robots fall soon after one"
    )
    frozen_after: float = number(
        0.25, "s", 0.02, 5.0, "of readings that say the very same"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FallParameters(ParameterGroup):
    """Of when a robot falls, and how softly."""

    table: ClassVar[str] = "fall"
    low: float = number(0.7, "1", 0.2, 0.95, "of the height that is wanted")
    tilted: float = number(
        0.8, "rad", 0.2, 1.5, "of the base from how it should be, if the DCM is astray"
    )
    over: float = number(
        1.2, "rad", 0.3, 1.57, "of the base from how it should be, whatever the DCM"
    )
    astray: float = number(
        0.15, "height", 0.02, 1.0, "DCM from the line between the soles' middles"
    )
    damping: float = number(0.1, "s", 0.0, 1.0, "of effort per rad/s, when limp")
    share: float = number(
        0.1, "1", 0.0, 1.0, "of a joint's velocity that one command takes away at most"
    )
