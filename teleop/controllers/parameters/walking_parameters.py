"""Numbers of walking: its phases, its gait, how steps change, how feet swing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from telexist.teleop.controllers.parameters.number import ParameterGroup, number

__all__ = [
    "AdjustmentParameters",
    "GaitParameters",
    "SwingParameters",
    "WalkingParameters",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkingParameters(ParameterGroup):
    """Of the phases: pressure, load and landings."""

    table: ClassVar[str] = "walking"
    sole_share: float = number(1.0, "1", 0.3, 1.0, "of the sole: where ZMP is asked")
    pressure_share: float = number(
        0.7, "1", 0.3, 1.0, "of the sole: where the pressure really stays"
    )
    touchdown_load: float = number(
        0.08, "body weight", 0.01, 0.5, "felt by a swing foot that has landed"
    )
    touchdown_phase: float = number(
        0.6, "1", 0.1, 1.0, "of the swing, from which a landing is believed"
    )
    latest: float = number(
        0.12, "s", 0.0, 1.0, "after its time a landing near the floor is taken as done"
    )
    near_floor: float = number(
        0.01,
        "m",
        0.0,
        0.1,
        "over the floor: a foot that may stand though it feels none",
    )
    far_patience: float = number(
        2.0, "1", 1.0, 10.0, "times longer is waited for a foot that is not near"
    )
    late_transfer: float = number(
        0.3, "1", 0.1, 1.0, "of a double support when the DCM is beyond both feet"
    )
    longest_gap: float = number(
        0.06,
        "s",
        0.01,
        1.0,
        "between two readings: more, and the robot is to be caught",
    )
    slowest_transfer: float = number(
        1.3, "first double support", 0.2, 3.0, "of a double support: a DCM that lags"
    )
    least_transfer: float = number(
        0.6, "1", 0.1, 1.0, "of a double support after a step that came late"
    )
    longest_wait: float = number(
        0.5, "1", 0.0, 1.0, "of a single support: wait after a step that came early"
    )
    take_over: float = number(
        0.4, "1", 0.0, 1.0, "of the first shift: standing's law fades into walking's"
    )
    unload_time: float = number(
        0.1, "s", 0.01, 1.0, "to take a body's load off a foot, in need"
    )
    recovery_hips: float = number(
        0.1, "height", 0.0, 0.3, "ZMP beyond the sole, by hips and arms, in need"
    )
    last_double_support: float = number(
        2.0, "1/omega", 0.5, 6.0, "that ends in rest: longer is softer"
    )
    rest_distance: float = number(
        0.008, "m", 0.001, 0.1, "of the DCM from its end, at which standing takes over"
    )
    rest_rate: float = number(
        0.02, "m/s", 0.0, 1.0, "by which that distance grows: rest is not waited for"
    )
    standing_load: float = number(
        2.0, "body weight", 1.0, 5.0, "that a standing foot may carry"
    )
    leaving_load: float = number(
        0.02, "body weight", 0.0, 0.2, "of a foot that is about to leave the floor"
    )
    landed_load: float = number(
        0.15, "body weight", 0.02, 2.0, "of one that has just landed: no knock"
    )
    load_growth: float = number(
        3.0, "body weight", 0.5, 20.0, "that it may carry more over a double support"
    )
    trailing_load: float = number(
        0.2, "body weight", 0.02, 2.0, "that the foot behind may take more than it has"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GaitParameters(ParameterGroup):
    """Of the way the command becomes footsteps."""

    table: ClassVar[str] = "gait"
    acceleration: float = number(
        0.1, "m/s^2", 0.01, 5.0, "of a command that grows: over a few steps"
    )
    deceleration: float = number(
        0.4, "m/s^2", 0.01, 5.0, "of a command that fades: an operator stops at once"
    )
    turn_acceleration: float = number(
        1.0, "rad/s^2", 0.05, 20.0, "of a command to turn"
    )
    quickest: float = number(
        0.7, "1", 0.3, 1.0, "of a single support, in the fastest walk"
    )
    backwards: float = number(
        0.7, "1", 0.1, 1.0, "of the greatest speed ahead: heels are shorter"
    )
    sideways: float = number(
        0.9, "1", 0.1, 1.0, "of the speed to the side at which the feet would touch"
    )
    turn_rate: float = number(1.0, "rad/s", 0.1, 5.0, "of the base, at most")
    turn_gain: float = number(
        3.0, "1/s", 0.1, 20.0, "of the base towards the middle of the feet's headings"
    )
    slowest_pace: float = number(
        0.7, "1", 0.3, 1.0, "actual over planned time of a step that is believed"
    )
    fastest_pace: float = number(
        1.3, "1", 1.0, 3.0, "actual over planned time of a step that is believed"
    )
    pace_share: float = number(0.4, "1", 0.0, 1.0, "of what one step teaches of it")
    parallel: float = number(
        0.03, "m", 0.001, 0.2, "between feet that count as side by side"
    )
    close: float = number(
        0.3, "longest step", 0.0, 1.0, "that a foot may be ahead before the last step"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentParameters(ParameterGroup):
    """Of footholds and times that change when the DCM is not where it should be."""

    table: ClassVar[str] = "adjustment"
    absorb: float = number(
        0.6, "1", 0.0, 1.0, "of the sole that the pressure uses before steps change"
    )
    shortest: float = number(
        0.5, "1", 0.2, 1.0, "of a single support: a leg cannot swing faster"
    )
    shortest_recovery: float = number(
        0.4, "1", 0.2, 1.0, "of a single support that is to catch the robot"
    )
    longest: float = number(
        1.3, "1", 1.0, 3.0, "of a single support: later the DCM has run away"
    )
    clear: float = number(
        1.1, "sole length", 1.0, 3.0, "from which one foot is ahead of the other"
    )
    underway: float = number(
        0.15, "1", 0.0, 1.0, "of the swing: a foot that crosses keeps to its way"
    )
    period: float = number(
        0.008, "s", 0.0, 0.1, "between looks at a step that is near its plan"
    )
    calm: float = number(0.02, "m", 0.0, 0.2, "from its plan: a step that is near it")
    settled: float = number(
        0.05, "s", 0.0, 0.3, "before landing a step is no longer changed"
    )
    rest_room: float = number(
        0.15, "spacing", 0.0, 0.5, "of the DCM in the last step: standing takes it over"
    )
    early: float = number(
        0.5, "1", 0.0, 1.0, "of the swing: the last step may still become another"
    )
    time_weight: float = number(
        0.02, "m^2/s^2", 0.0, 1.0, "of a change of time, beside one of place"
    )
    offset_weight: float = number(
        20.0, "1", 0.0, 1e4, "of what the step after it has to make good"
    )
    outside_weight: float = number(100.0, "1", 0.0, 1e5, "of landing where feet touch")
    pressure_weight: float = number(
        0.2, "1", 0.0, 100.0, "of the pressure's way from the sole's middle"
    )
    caught: float = number(
        1e-3, "m", 0.0, 0.05, "left of the offset: a step on its own side will do"
    )
    behind: float = number(
        1.5, "1", 1.0, 100.0, "times the cost of crossing ahead: hips stretch less"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingParameters(ParameterGroup):
    """Of a foot in the air while walking."""

    table: ClassVar[str] = "swing"
    still: float = number(
        0.02, "s", 0.0, 0.2, "before landing the foot has arrived over its place"
    )
    stiffness: float = number(900.0, "1/s^2", 50.0, 2500.0, "of the foot to its path")
    damping: float = number(60.0, "1/s", 5.0, 100.0, "critical for the stiffness")
    below: float = number(
        0.004, "m", 0.0, 0.03, "under the floor its path ends: landings are sure"
    )
    press: float = number(0.15, "m/s", 0.0, 2.0, "at which a late foot goes on down")
    recovery_press: float = number(
        0.5, "m/s", 0.0, 2.0, "the same of a foot that is to catch the robot"
    )
    up: float = number(0.35, "1", 0.1, 0.5, "of the swing: a recovery step is up")
    down: float = number(0.5, "1", 0.5, 0.9, "of the swing: from which it comes down")
    around: float = number(
        0.4, "1", 0.0, 0.9, "of the time a crossing foot only goes sideways, at the end"
    )
