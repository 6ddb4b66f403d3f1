"""Everything about a live session that can be set, with its default.

A TOML file may hold any of these tables: `[loop]`, `[smoothing]`, `[safety]`,
`[reactions]`, `[engage]`, `[calibration]`, `[posture]`, `[dynamics]`, `[ergonomics]`,
`[camera]`; see `launch_scripts/configs/`, and `teleop/session/file.py` for what else a
configuration file may say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, overload

from telexist.retarget.config import load
from telexist.retarget.ergonomics import ErgonomicSettings
from telexist.retarget.errors import BadConfig, BadInput
from telexist.robots.base import CameraWishes
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.terms import REACTIONS, Fault, Reaction
from telexist.teleop.terms import require_range as _require

__all__ = [
    "CalibrationSettings",
    "DynamicsSettings",
    "EngageSettings",
    "LoopSettings",
    "SafetySettings",
    "SessionSettings",
    "SmoothingSettings",
    "load_settings",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """How the loop runs.

    Attributes:
        rate: Turns a second, at least [Hz]; a sample that arrives is served at once.
        real_time: Whether to ask the system for real-time scheduling.
    """

    rate: float = 200.0
    real_time: bool = True

    def __post_init__(self) -> None:
        """Check the ranges."""
        _require("loop.rate", self.rate, 20.0, 1000.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothingSettings:
    """Minimum-jerk smoothing time of each group of joints [s]; 0 is none."""

    legs: float = 0.08
    torso: float = 0.08
    arms: float = 0.08
    head: float = 0.08
    other: float = 0.08

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("legs", "torso", "arms", "head", "other"):
            _require(f"smoothing.{name}", getattr(self, name), 0.0, 5.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetySettings:
    """When something counts as a fault, and how fast the robot may move.

    Attributes:
        deadline: A human sample older than this is stale [s]; 0: as the device says.
        frozen_after: Samples equal to the last bit for this long are a fault [s].
        missing_after: A segment that the robot follows may be missing for so long,
            since packets get lost [s].
        jump_angle: A segment may turn this far between two samples, beyond what its
            speed before explains [rad].
        jump_speed: Greatest speed of a limb [rad/s]; see `human_speeds.py`.
        outliers: So many bad samples in a row are a fault; fewer are passed over.
        return_after: From holding the robot returns to neutral after this [s]; 0: it
            holds for ever.
        overrun: A turn this many periods long is an event.
        stalled: A turn this long is a fault [s].
        robot_deadline: A robot's state older than this is a fault [s].
        tracking_error: Joints this far from their command for `tracking_time` are a
            fault [rad].
        tracking_time: See above [s].
        speed: Share of the joints' speed limits that may be used.
        acceleration: Share of the acceleration bounds that may be used.
        hold_braking: Share of the acceleration bounds with which a hold brakes.
        walk_deadline: A walking command older than this counts as zero [s]; 0: as
            its device says.
    """

    deadline: float = 0.0
    frozen_after: float = 1.0
    missing_after: float = 0.05
    jump_angle: float = 0.6
    jump_speed: float = 35.0
    outliers: int = 3
    return_after: float = 0.0
    overrun: float = 3.0
    stalled: float = 0.25
    robot_deadline: float = 0.25
    tracking_error: float = 0.5
    tracking_time: float = 0.5
    speed: float = 1.0
    acceleration: float = 1.0
    hold_braking: float = 0.5
    walk_deadline: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("speed", "acceleration", "hold_braking"):
            _require(f"safety.{name}", getattr(self, name), 0.01, 1.0)
        for name in ("deadline", "missing_after", "return_after", "walk_deadline"):
            _require(f"safety.{name}", getattr(self, name), 0.0, 1e6)
        for name in (
            "frozen_after",
            "jump_angle",
            "jump_speed",
            "stalled",
            "robot_deadline",
            "tracking_error",
            "tracking_time",
        ):
            _require(f"safety.{name}", getattr(self, name), 1e-3, float("inf"))
        _require("safety.overrun", self.overrun, 1.0, float("inf"))
        _require("safety.outliers", self.outliers, 1, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngageSettings:
    """How teleoperation begins.

    Attributes:
        approach: The robot takes at least this long to the operator's pose [s].
        approach_speed: Share of the speed limits that the approach may use.
        refuse_beyond: If a joint is farther than this from the operator's pose, refuse
            to engage [rad]; 0: never refuse, approach.
    """

    approach: float = 2.0
    approach_speed: float = 0.3
    refuse_beyond: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        _require("engage.approach", self.approach, 0.2, 60.0)
        _require("engage.approach_speed", self.approach_speed, 0.01, 1.0)
        _require("engage.refuse_beyond", self.refuse_beyond, 0.0, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSettings:
    """How the operator is calibrated from within a session.

    Attributes:
        pose: "n" or "t".
        countdown: Before the capture [s].
        duration: Of the capture [s].
        height: Stature of the operator [m]; 0: found.
    """

    pose: str = "n"
    countdown: float = 3.0
    duration: float = 2.0
    height: float = 0.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.pose not in ("n", "t"):
            raise BadInput(f"calibration.pose = '{self.pose}' is neither 'n' nor 't'")
        _require("calibration.countdown", self.countdown, 0.0, 60.0)
        _require("calibration.duration", self.duration, 0.5, 60.0)
        if self.height:
            _require("calibration.height", self.height, 0.5, 2.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicsSettings:
    """How the operator's torques are estimated, where that is asked for.

    Attributes:
        mass: Of the operator [kg]; 0: an adult's, until force sensors tell it.
        lag: Between the newest sample and the moment that is estimated [s].
        hands: Whether something may hang in the hands.
        seat: Whether something may carry the pelvis.
    """

    mass: float = 0.0
    lag: float = 0.06
    hands: bool = False
    seat: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.mass:
            _require("dynamics.mass", self.mass, 5.0, 400.0)
        _require("dynamics.lag", self.lag, 0.02, 0.5)


def _no_reactions() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """All of them.

    Attributes:
        loop: How the loop runs.
        smoothing: Smoothing times.
        safety: When something counts as a fault.
        reactions: Fault to "note", "hold" or "stop", where it differs from the table.
        engage: How teleoperation begins.
        calibration: How the operator is calibrated.
        posture: How firmly the joints of a balancing robot follow.
        dynamics: How the operator's torques are estimated.
        ergonomics: What the scores of posture and load assume.
        camera: What the operator wants of the robot's camera.
    """

    loop: LoopSettings = field(default_factory=LoopSettings)
    smoothing: SmoothingSettings = field(default_factory=SmoothingSettings)
    safety: SafetySettings = field(default_factory=SafetySettings)
    reactions: Mapping[str, str] = field(default_factory=_no_reactions)
    engage: EngageSettings = field(default_factory=EngageSettings)
    calibration: CalibrationSettings = field(default_factory=CalibrationSettings)
    posture: PostureSettings = field(default_factory=PostureSettings)
    dynamics: DynamicsSettings = field(default_factory=DynamicsSettings)
    ergonomics: ErgonomicSettings = field(default_factory=ErgonomicSettings)
    camera: CameraWishes = field(default_factory=CameraWishes)

    def never_frozen(self) -> SessionSettings:
        """Return the settings for a source that may stand still to the last bit."""
        safety = dataclasses.replace(self.safety, frozen_after=float("inf"))
        return dataclasses.replace(self, safety=safety)

    def reaction(self, kind: Fault) -> Reaction:
        """Return what is done about a fault."""
        chosen = self.reactions.get(kind)
        return REACTIONS[kind] if chosen is None else Reaction(chosen)


Settings = TypeVar("Settings", bound=SessionSettings)


@overload
def load_settings(path: Path) -> SessionSettings: ...


@overload
def load_settings(path: Path, form: type[Settings]) -> Settings: ...


def load_settings(
    path: Path, form: type[SessionSettings] = SessionSettings
) -> SessionSettings:
    """Read settings from a TOML file.

    Args:
        path: The file.
        form: What it may hold: `SessionSettings`, or more.

    Raises:
        BadConfig: Naming the file, the key and what is allowed.
    """
    try:
        settings = load(form, path)
    except BadConfig:
        raise
    except BadInput as error:  # a value out of range
        raise BadConfig(path, str(error)) from error
    for kind, word in settings.reactions.items():
        if kind not in REACTIONS:
            known = ", ".join(sorted(REACTIONS))
            raise BadConfig(path, f"no fault '{kind}': {known}", place="reactions")
        if word not in {reaction.value for reaction in Reaction}:
            problem = f"'{word}' is not one of note, hold, stop"
            raise BadConfig(path, problem, place=f"reactions.{kind}")
    return settings
