"""What can be chosen of a scenario; the defaults are those of its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from retarget.errors import BadInput, UnknownName

__all__ = ["SCENARIOS", "ScenarioOptions", "option_help", "scenario_options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioOptions:
    """One run.

    Attributes:
        name: Of the scenario.
        robot: Name or path of the robot.
        seed: Of noise and of everything drawn.
        duration: [s].
        control_rate: [Hz].
        speed: Ahead [m/s].
        side_speed: To the left [m/s].
        yaw_rate: To the left [rad/s].
        push_lateral: Force to the left at the base, in body weights.
        push_sagittal: Force ahead at the base, in body weights.
        push_time: When the push begins [s]; negative: drawn, while walking.
        push_duration: [s].
        foot: On which foot to stand: "left", "right", "both", or as the "clip" does.
        arm_amplitude: Of the arms' sinusoid [rad].
        arm_frequency: Of the arms' sinusoid [Hz].
        clip: Recording that the joints follow instead, or "builtin".
        mass_scale: Factor on masses that the controller does not know.
        joint_friction: Dry friction that the controller does not know [N m].
        floor_friction: Coefficient.
        torque_delay: [s].
        slope_deg: Of the floor, rising ahead [deg].
        noise: Factor on the sensors' noise.
        true_base: Whether the base's true state is given to the controller.
    """

    name: str
    robot: str = "icub"
    seed: int = 0
    duration: float = 60.0
    control_rate: float = 200.0
    speed: float = 0.0
    side_speed: float = 0.0
    yaw_rate: float = 0.0
    push_lateral: float = 0.0
    push_sagittal: float = 0.0
    push_time: float = 3.0
    push_duration: float = 0.2
    foot: str = "both"
    arm_amplitude: float = 0.0
    arm_frequency: float = 0.5
    clip: str = ""
    mass_scale: float = 1.0
    joint_friction: float = 0.0
    floor_friction: float = 0.8
    torque_delay: float = 0.0
    slope_deg: float = 0.0
    noise: float = 1.0
    true_base: bool = False


SCENARIOS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "stand": {},
        "push": {"duration": 10.0, "push_lateral": 0.2},
        "one-foot": {"foot": "left", "arm_amplitude": 0.4, "duration": 66.0},
        "follow": {"foot": "clip", "clip": "builtin", "duration": 40.0},
        "walk": {"speed": 0.23},
        "turn": {"yaw_rate": 0.5, "duration": 20.0},
        "three-stages": {"speed": 0.2, "clip": "builtin", "duration": 60.0},
        "random-walk": {"duration": 120.0},
    }
)
"""Name to what differs from the defaults."""


def option_help() -> dict[str, str]:
    """Return what each option means, in the words of `ScenarioOptions`."""
    found: dict[str, str] = {}
    last = ""
    for line in (
        (ScenarioOptions.__doc__ or "").partition("Attributes:")[2].splitlines()
    ):
        name, colon, text = line.strip().partition(": ")
        if colon and line.startswith(" " * 8) and line[8] != " ":
            found[name], last = text, name
        elif last and line.strip():
            found[last] += " " + line.strip()
    return found


def scenario_options(name: str, given: Mapping[str, Any]) -> ScenarioOptions:
    """Return the options of a named scenario with what the user gave.

    Raises:
        UnknownName: If there is no such scenario.
        BadInput: If a value has no meaning.
    """
    if name not in SCENARIOS:
        raise UnknownName("scenario", name, SCENARIOS)
    options = replace(ScenarioOptions(name=name), **SCENARIOS[name])
    options = replace(options, **given)
    if options.foot not in ("left", "right", "both", "clip"):
        raise BadInput(f"foot must be left, right, both or clip, not '{options.foot}'")
    if options.foot == "clip" and not options.clip:
        raise BadInput("foot clip needs a recording: --clip FILE or --clip builtin")
    if not 0.0 < options.duration <= 3600.0:
        raise BadInput(f"duration must be between 0 and 3600 s: {options.duration}")
    if not 50.0 <= options.control_rate <= 1000.0:
        raise BadInput(f"control rate must be 50 to 1000 Hz: {options.control_rate}")
    return options
