"""What can be chosen of a scenario; the defaults are those of its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from telexist.retarget.errors import BadInput, UnknownName
from telexist.teleop.scenarios.option_ranges import RANGES

__all__ = [
    "DIRECTIONS",
    "ONE_FOOT_PUSH",
    "SCENARIOS",
    "ScenarioOptions",
    "option_defaults",
    "option_help",
    "scenario_options",
]

DIRECTIONS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "ahead": (1.0, 0.0, 0.0),
        "back": (-1.0, 0.0, 0.0),
        "left": (0.0, 1.0, 0.0),
        "right": (0.0, -1.0, 0.0),
        "up": (0.0, 0.0, 1.0),
        "down": (0.0, 0.0, -1.0),
        "up-ahead": (0.45, 0.0, 0.89),
        "ahead-up": (0.71, 0.0, 0.71),
    }
)
"""Where a force points, seen from the robot: ahead, to its left, up."""

PARTNERS = ("none", "person")
TURNS = "hand-over"  # the scenario of controllers that take turns
FEET = ("left", "right", "both", "clip")
CONTROLLERS: Mapping[str, tuple[str, ...]] = {"hand": ("walk", "partner")}
"""Scenario to its controllers, where they are others than the one that walks."""
ONE_FOOT_PUSH = 8.0  # [s] before which nobody is pushed who is to stand on one foot


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioOptions:
    """One run.

    Attributes:
        name: Of the scenario.
        robot: Name or path of the robot; a policy names its own.
        controller: "walk", or "policy:FILE.onnx" (or .toml) for a learned one; of the
            hand also "partner": the thesis' partner-aware law (8.33); of the hand-over
            two or more with commas between them.
        seed: Of noise and of everything drawn.
        duration: Of the run [s].
        control_rate: Of the controller [Hz].
        speed: Ahead [m/s].
        side_speed: To the left [m/s].
        yaw_rate: To the left [rad/s].
        push_lateral: Force at the base to the robot's left, in body weights.
        push_sagittal: Force at the base to where it faces, in body weights.
        push_time: When the push begins [s]; negative: drawn, from 0.5 to 0.7 of the
            duration. On one foot never before 8 s: the robot must stand on it first.
        push_duration: How long the push lasts [s].
        load: Mass whose weight hangs from each hand from 1 s on [kg]; it is felt there.
        force: Of a partner on a hand that goes ahead, or along the way of each hand
            that follows a recording [N].
        direction: Of that force: "ahead", "back", "left", "right", "up", "down",
            "up-ahead" or "ahead-up".
        advance: Whether help along its way makes a hand, a robot that stands up, or a
            recording that is followed, get on faster.
        let_go: When the partner lets the hand go [s]; negative: never, or of a robot
            that stands up when it nearly stands.
        partner: Who helps a robot up: "none" or "person".
        pull: Force of the person on each hand, in `direction` [N].
        pace: Time in which the person leads the hands up instead, along the robot's own
            way, as by springs [s]; 0: the person pulls.
        seat_height: Of the seat [m]; 0: as the robot's legs like it.
        behind: How far behind the feet's middle the weight is when the robot leaves its
            seat [m]; 0: as little as it can.
        foot: On which foot to stand: "left", "right", "both", or as the "clip" does.
        arm_amplitude: Of the arms' sinusoid [rad].
        arm_frequency: Of the arms' sinusoid [Hz].
        clip: Recording that the joints follow instead, or "builtin".
        mass_scale: Factor on masses that the controller does not know.
        joint_friction: Dry friction that the controller does not know [N m]; a joint
            gets at most a tenth of its effort.
        floor_friction: Coefficient between soles and floor.
        torque_delay: From a command to its torque [s].
        slope_deg: Of the floor, rising ahead [deg].
        drive_effort: Factor on the greatest torques of the drives, which the controller
            does not know.
        stall: How long the controller's computer stands still [s].
        foot_lost: How long the left sole's force sensor says zero [s].
        fault_time: When that begins [s]; negative: drawn, from 0.5 to 0.7 of the
            duration.
        no_hand_sensors: Whether the robot has no force sensors at its hands, and
            estimates what they feel from its arms' torques.
        changes: How often the hand-over asks for the next controller.
        noise: Factor on the sensors' noise.
        true_base: Whether the base's true state is given to the controller.
    """

    name: str
    robot: str = "icub"
    controller: str = "walk"
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
    load: float = 0.0
    force: float = 0.0
    direction: str = "ahead"
    advance: bool = False
    let_go: float = -1.0
    partner: str = "none"
    pull: float = 20.0
    pace: float = 0.0
    seat_height: float = 0.0
    behind: float = 0.0
    foot: str = "both"
    arm_amplitude: float = 0.0
    arm_frequency: float = 0.5
    clip: str = ""
    mass_scale: float = 1.0
    joint_friction: float = 0.0
    floor_friction: float = 0.8
    torque_delay: float = 0.0
    slope_deg: float = 0.0
    drive_effort: float = 1.0
    stall: float = 0.0
    foot_lost: float = 0.0
    fault_time: float = -1.0
    no_hand_sensors: bool = False
    changes: int = 10
    noise: float = 1.0
    true_base: bool = False

    @property
    def learned(self) -> bool:
        """Whether the controller is a learned policy, and no other one."""
        return self.name != TURNS and self.controller.partition(":")[0] == "policy"


SCENARIOS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "stand": {},
        "push": {"duration": 10.0, "push_lateral": 0.2},
        "carry": {"load": 4.0, "duration": 20.0},
        "hand": {"duration": 6.0},
        "one-foot": {"foot": "left", "arm_amplitude": 0.4, "duration": 66.0},
        "follow": {"foot": "clip", "clip": "builtin", "duration": 40.0},
        "own-steps": {"foot": "clip", "clip": "builtin", "duration": 120.0},
        "walk": {"speed": 0.23},
        "turn": {"yaw_rate": 0.5, "duration": 20.0},
        "three-stages": {"speed": 0.2, "clip": "builtin", "duration": 60.0},
        "random-walk": {"duration": 120.0},
        "stand-up": {"duration": 24.0, "direction": "up-ahead", "speed": 0.15},
        "sit-down": {"duration": 10.0},
        "hand-over": {"controller": "balance,walk", "speed": 0.3, "duration": 3600.0},
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


def option_defaults(name: str) -> str:
    """Return the default of an option in words, and of scenarios with another one."""
    found = {f.name: f.default for f in fields(ScenarioOptions)}[name]
    others = [f"{key} {own[name]}" for key, own in SCENARIOS.items() if name in own]
    return ", ".join([f"default {found if found != '' else 'none'}", *others])


def scenario_options(name: str, given: Mapping[str, Any]) -> ScenarioOptions:
    """Return the options of a named scenario with what the user gave.

    Raises:
        UnknownName: If there is no such scenario.
        BadInput: If a value has no meaning; it names the option and what is allowed.
    """
    if name not in SCENARIOS:
        raise UnknownName("scenario", name, SCENARIOS)
    options = replace(ScenarioOptions(name=name), **SCENARIOS[name])
    options = replace(options, **given)
    if options.learned or (name == TURNS and "policy:" in options.controller):
        options = replace(options, robot=str(given.get("robot", "")))
    elif name != TURNS and options.controller not in CONTROLLERS.get(name, ("walk",)):
        allowed_names = ", ".join((*CONTROLLERS.get(name, ("walk",)), "policy:FILE"))
        found = options.controller
        raise BadInput(f"--controller '{found}' is not one of {allowed_names}")
    for key, allowed in RANGES.items():
        allowed.check(key, getattr(options, key))
    if options.direction not in DIRECTIONS:
        raise BadInput(
            f"--direction '{options.direction}' is not one of {', '.join(DIRECTIONS)}"
        )
    if options.partner not in PARTNERS:
        allowed_names = ", ".join(PARTNERS)
        raise BadInput(f"--partner '{options.partner}' is not one of {allowed_names}")
    if options.foot not in FEET:
        raise BadInput(f"--foot '{options.foot}' is not one of {', '.join(FEET)}")
    if options.foot == "clip" and not options.clip:
        raise BadInput("--foot clip needs a recording: --clip FILE or --clip builtin")
    _check_push(options)
    return options


def _check_push(options: ScenarioOptions) -> None:
    """Refuse a push that would never come."""
    if not options.push_lateral and not options.push_sagittal:
        return
    first = max(options.push_time, 0.0)
    if options.foot in ("left", "right"):
        first = max(first, ONE_FOOT_PUSH)
    if first >= options.duration:
        raise BadInput(
            f"the push at {first:g} s would never come: the run ends at "
            f"{options.duration:g} s; give a longer --duration or another --push-time"
        )
