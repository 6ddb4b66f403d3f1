"""Parameters of balancing and walking: from the robot's model, by stated rules.

With g gravity, h the centre of mass over the soles in the standing posture, L the legs'
length, w the spacing of the feet in the neutral posture and omega = sqrt(g / h):

| parameter | rule | why |
|---|---|---|
| leg_extension | 0.95 | knees at about 0.6 rad: room for steps, little torque |
| single_support | 2.1 / omega | longer lets the DCM run away, shorter asks too much |
| double_support | 0.45 / omega | of the legs; both from trials on three robots |
| foot_spacing | 0.22 L, sole width + 7.5 cm, at most w | a near leg turns less |
| stance_spacing | w, or more: the soles' outer edges h/2 (1 - exp(-0.22 s omega)) |
|  | from the middle, at most max_step_width | a push of half a body weight for |
|  | 0.2 s, answered after 20 ms, leaves the DCM between the feet |
| step_height | 0.07 L | clears what the floor has, and the sole's own tilt |
| max_step_length | 0.55 L | the knee of the trailing leg is straight then |
| stoop | 0.1 h, as far as one leg's drives carry | long steps need bent knees |
| comfortable_step | 0.6 of the longest, 0.82 with the full stoop; less if one leg |
|  | needs more than half its effort to stand | faster walks take quicker steps |
| max_step_width | w + 0.35 L | hip roll |
| min_step_width | sole width + 2 cm | feet must not touch |
| max_crossing | 0.4 L | what hips can do; only saves from falling |
| foot_speed | 6 L per second | of a swing foot: two thirds of what legs reach |
| com gains | kp = 5 omega, kd = omega + 5 | DCM feedback of 5 / s, as B.11a |

`[control]` of a `robot.toml` may state any of them, within `parameter_ranges.py`, but
not h and omega: they follow from leg_extension, and all that depends on them with them.
Numbers that no rule makes, the same for every robot, are grouped in parameter classes;
`[control.swing]` and so on may state them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel, standing_posture
from telexist.teleop.controllers.geometry import joint_room
from telexist.teleop.controllers.parameters.number import ParameterGroup
from telexist.teleop.controllers.parameters.parameter_ranges import (
    require_order,
    require_stated,
    stated_groups,
    stated_rules,
)
from telexist.teleop.controllers.parameters.sensing_parameters import SensingParameters
from telexist.teleop.controllers.parameters.sitting_parameters import SittingParameters
from telexist.teleop.controllers.parameters.squat_depth import (
    LowestHeights,
    lowest_heights,
)
from telexist.teleop.controllers.parameters.standing_parameters import (
    BodyParameters,
    ContactParameters,
    FallParameters,
    FreeFootParameters,
    StandingParameters,
    TrunkParameters,
)
from telexist.teleop.controllers.parameters.walking_parameters import (
    AdjustmentParameters,
    GaitParameters,
    SwingParameters,
    WalkingParameters,
)

__all__ = ["ControlParameters", "control_parameters"]

GROUPS: Mapping[str, type[ParameterGroup]] = {
    kind.table: kind
    for kind in (
        WalkingParameters,
        GaitParameters,
        AdjustmentParameters,
        SwingParameters,
        StandingParameters,
        FreeFootParameters,
        TrunkParameters,
        BodyParameters,
        SensingParameters,
        ContactParameters,
        FallParameters,
        SittingParameters,
    )
}
"""The parameter classes by their tables."""

LEG_EXTENSION = 0.95
SOLE_GAP = 0.02  # [m]
LEG_ROOM = 0.075  # [m] between soles side by side, for the legs
PUSH, PUSH_TIME = 0.5, 0.22  # body weights, [s] of a push that a stance withstands
REACHED = 1e-3  # [m] of a posture's feet from where they are to be
STRETCH = 0.35  # of the legs by which feet may be farther apart than when neutral
STOOP = 0.1  # of the height
UPRIGHT, STOOPED = 0.6, 0.82  # of the longest step: comfortable without, with a stoop
STRONG = 0.5  # of a drive's effort that one leg needs to stand, at most, for all that


RULES: Mapping[str, tuple[str, str]] = {
    "leg_extension": (
        "1",
        "height of the hips over that with straight knees: room for steps",
    ),
    "com_height": ("m", "centre of mass over the soles, standing"),
    "omega": ("1/s", "of the pendulum, sqrt(g / com_height)"),
    "foot_spacing": ("m", "between the soles' middles, walking: near legs turn less"),
    "stance_spacing": ("m", "the same, standing: wide enough for half a body weight"),
    "single_support": ("s", "longer lets the DCM run away, shorter asks much of legs"),
    "double_support": ("s", "in which the weight goes from foot to foot"),
    "first_double_support": ("s", "before the first step"),
    "step_height": ("m", "of the swing foot: what lies on floors"),
    "max_step_length": ("m", "ahead and back: the trailing knee is straight then"),
    "min_step_width": ("m", "between soles' middles: feet must not touch"),
    "max_step_width": ("m", "between soles' middles: hip roll"),
    "max_crossing": ("m", "beyond the other foot's line, only to be caught"),
    "foot_speed": ("m/s", "greatest of a swing foot: two thirds of what legs reach"),
    "comfortable_step": ("m", "from which on steps get quicker, not longer"),
    "stoop": ("m", "by which the fastest walk is lower: long steps need bent knees"),
    "max_step_turn": ("rad", "between the feet's headings"),
    "dcm_gain": ("1/s", "feedback of the DCM, standing"),
    "walking_dcm_gain": ("1/s", "feedback of the DCM, walking"),
    "com_height_gain": ("1/s^2", "stiffness of the height"),
    "angular_gain": ("1/s", "damping of angular momentum"),
}
"""Unit and meaning of what rules find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlParameters:
    """What the controllers need to know about one robot.

    Attributes:
        leg_extension: Height of the hips when standing, as a share of the neutral one.
        com_height: Centre of mass over the soles when standing [m].
        omega: Of the pendulum [1/s].
        foot_spacing: Between the soles' middles when walking [m].
        stance_spacing: Between the soles' middles when standing [m].
        single_support: Duration [s].
        double_support: Duration [s].
        first_double_support: Before the first step [s].
        step_height: Of the swing foot [m].
        max_step_length: Ahead and back [m].
        min_step_width: Between soles' middles [m].
        max_step_width: Between soles' middles [m].
        max_crossing: How far a foot may land beyond the other's line, to be caught [m].
        foot_speed: Greatest of a swing foot [m/s].
        stoop: By how much the fastest walk is lower than standing [m].
        comfortable_step: Length from which on steps get quicker, not longer [m].
        max_step_turn: Between the feet's headings [rad].
        dcm_gain: Feedback of the DCM when standing [1/s].
        walking_dcm_gain: Feedback of the DCM when walking [1/s].
        com_height_gain: Stiffness of the height [1/s^2].
        angular_gain: Damping of angular momentum [1/s].
        walking: And all that follows: numbers that are the same for every robot, group
            by group, each with its unit, range and reason.
    """

    leg_extension: float
    com_height: float
    omega: float
    foot_spacing: float
    stance_spacing: float
    single_support: float
    double_support: float
    first_double_support: float
    step_height: float
    max_step_length: float
    min_step_width: float
    max_step_width: float
    max_crossing: float
    foot_speed: float
    comfortable_step: float
    stoop: float = 0.0
    max_step_turn: float = 0.4
    dcm_gain: float = 5.0
    walking_dcm_gain: float = 5.0
    com_height_gain: float = 40.0
    angular_gain: float = 5.0
    walking: WalkingParameters = field(default_factory=WalkingParameters)
    gait: GaitParameters = field(default_factory=GaitParameters)
    adjustment: AdjustmentParameters = field(default_factory=AdjustmentParameters)
    swing: SwingParameters = field(default_factory=SwingParameters)
    standing: StandingParameters = field(default_factory=StandingParameters)
    free_foot: FreeFootParameters = field(default_factory=FreeFootParameters)
    trunk: TrunkParameters = field(default_factory=TrunkParameters)
    body: BodyParameters = field(default_factory=BodyParameters)
    sensing: SensingParameters = field(default_factory=SensingParameters)
    contact: ContactParameters = field(default_factory=ContactParameters)
    fall: FallParameters = field(default_factory=FallParameters)
    sitting: SittingParameters = field(default_factory=SittingParameters)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRobot:
    """A robot's parameters, the posture they belong to, and how low it can go."""

    parameters: ControlParameters
    posture: Configuration
    lowest: LowestHeights


def control_parameters(model: DynamicsModel) -> StandingRobot:
    """Find the parameters of a robot by the rules above, and its standing posture.

    Raises:
        BadInput: If the robot has no two feet.
        BadConfig: If its `robot.toml` states a parameter that does not exist or that
            is out of its range.
    """
    require_stated(model.robot)
    stated = stated_rules(model.robot)
    extension = stated.get("leg_extension", LEG_EXTENSION)
    parameters, posture = _standing(model, extension)
    lowest = lowest_heights(model, extension=extension)
    groups = stated_groups(model.robot, GROUPS)
    parameters = _stating(_with_gait(parameters, lowest), {**stated, **groups})
    require_order(model.robot, asdict(parameters))
    return StandingRobot(parameters=parameters, posture=posture, lowest=lowest)


def _stating(
    parameters: ControlParameters, stated: Mapping[str, Any]
) -> ControlParameters:
    """Return parameters with those replaced that a robot's file states."""
    return replace(parameters, **stated)


def _standing(
    model: DynamicsModel, extension: float
) -> tuple[ControlParameters, Configuration]:
    """Return parameters and posture of a robot with its feet apart."""
    stated = stated_rules(model.robot)
    standing_posture(model, extension=extension)  # as the neutral one: for the rules
    spacing, height, omega = _spacing(model), *_pendulum(model)
    held = PUSH * height * (1.0 - float(np.exp(-PUSH_TIME * omega)))
    most = spacing + STRETCH * model.robot.body.leg_length
    wide = min(max(spacing, 2.0 * held - _sole_width(model)), most)
    stance = stated.get("stance_spacing", wide)
    posture = standing_posture(model, extension=extension, spacing=stance)
    if abs(_spacing(model) - stance) > REACHED:  # hips that do not open
        stance = spacing
        posture = standing_posture(model, extension=extension)
    rules = _by_rule(model, extension, spacing, stance)
    return _stating(rules, stated), _with_room(model, posture)


def _with_room(model: DynamicsModel, posture: Configuration) -> Configuration:
    """Return a posture whose joints are where they may be asked to be."""
    return replace(posture, q=np.clip(posture.q, *joint_room(model.robot.body)))


def _pendulum(model: DynamicsModel) -> tuple[float, float]:
    """Return height and omega of the posture that the model is in."""
    soles = [model.position(frame) for frame in model.sole_frames()]
    height = float(model.com[2] - np.mean([p[2] for p in soles]))
    return height, float(np.sqrt(GRAVITY / height))


def _spacing(model: DynamicsModel) -> float:
    left, right = (model.position(frame) for frame in model.sole_frames())
    return float(np.linalg.norm((left - right)[:2]))


def _sole_width(model: DynamicsModel) -> float:
    return max(sole.width for sole in model.robot.body.soles.values())


def _by_rule(
    model: DynamicsModel, extension: float, spacing: float, stance: float
) -> ControlParameters:
    """Apply the rules; the model is at its standing posture.

    Args:
        model: The robot.
        extension: Of its legs.
        spacing: Of its feet in the neutral posture [m].
        stance: Of its feet as it stands [m].
    """
    height, omega = _pendulum(model)
    length, width = model.robot.body.leg_length, _sole_width(model)
    return ControlParameters(
        leg_extension=extension,
        com_height=height,
        omega=omega,
        foot_spacing=min(spacing, max(0.22 * length, width + LEG_ROOM)),
        stance_spacing=stance,
        single_support=2.1 / omega,
        double_support=0.45 / omega,
        first_double_support=3.5 / omega,
        step_height=0.07 * length,
        max_step_length=0.55 * length,
        min_step_width=width + SOLE_GAP,
        max_step_width=spacing + STRETCH * length,
        max_crossing=0.4 * length,
        foot_speed=6.0 * length,
        comfortable_step=UPRIGHT * 0.55 * length,
    )


def _with_gait(
    parameters: ControlParameters, lowest: LowestHeights
) -> ControlParameters:
    """Add what depends on how much one leg can carry."""
    height = parameters.com_height
    stoop = max(0.0, min(STOOP * height, height - lowest.one_foot))
    share = UPRIGHT + stoop / (STOOP * height) * (STOOPED - UPRIGHT)
    share *= min(1.0, STRONG / max(lowest.effort, 1e-3))
    return replace(
        parameters, stoop=stoop, comfortable_step=share * parameters.max_step_length
    )
