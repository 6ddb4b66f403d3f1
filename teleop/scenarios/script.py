"""When a scenario walks where, lifts which foot, and is pushed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.robots.drives import GRAVITY
from telexist.robots.mujoco import Push
from telexist.teleop.scenarios.faults import Faults, faults_of
from telexist.teleop.scenarios.options import ONE_FOOT_PUSH, ScenarioOptions
from telexist.teleop.terms import WalkCommand

__all__ = ["Script", "script_of"]

SETTLE = 1.0  # [s] of standing before anything happens
LOAD_GROWTH = 1.0  # [s] in which a weight at the hands comes to bear
RAMP = 2.0  # [s] in which a walking command grows
COMMANDS = 20  # of a random walk
LIFT_TIME = 2.0  # [s] when the operator lifts a foot


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the operator and the world do over time.

    Attributes:
        options: Of the scenario.
        times: When each command begins (k,) [s].
        commands: vx, vy, wz (k, 3) [m/s], [rad/s].
        pushes: On the base, and weights at the hands.
        faults: Of sensors and computer.
    """

    options: ScenarioOptions
    times: np.ndarray
    commands: np.ndarray
    pushes: tuple[Push, ...]
    faults: Faults

    def command(self, time: float) -> WalkCommand:
        """Return where to walk at a time [s]."""
        i = int(np.searchsorted(self.times, time, side="right")) - 1
        if i < 0:
            return WalkCommand()
        share = min(1.0, (time - self.times[i]) / RAMP + 0.2)
        before = self.commands[i - 1] if i else np.zeros(3)
        target = self.commands[i]
        if not target.any():
            return WalkCommand()
        vx, vy, wz = before + share * (target - before)
        return WalkCommand(vx=float(vx), vy=float(vy), wz=float(wz))

    def planted(self, time: float) -> tuple[bool, bool]:
        """Return whether the operator stands on the left and the right foot."""
        foot = self.options.foot
        if foot not in ("left", "right") or time < LIFT_TIME:
            return True, True
        return foot == "left", foot == "right"


def script_of(options: ScenarioOptions, weight: float, *, limits: np.ndarray) -> Script:
    """Return the script of a scenario.

    Args:
        options: Of the scenario.
        weight: Of the robot [N].
        limits: Greatest vx, vy, wz that the robot is asked in a random walk (3,).
    """
    rng = np.random.default_rng([options.seed, 0x5C])
    times, commands = np.zeros(0), np.zeros((0, 3))
    asked = np.array([options.speed, options.side_speed, options.yaw_rate])
    if options.name == "random-walk":
        times, commands = _random_commands(rng, options.duration, limits)
    elif options.name == "three-stages":
        third = options.duration / 3.0
        times, commands = np.array([third, 2.0 * third]), np.array([asked, 0.0 * asked])
    elif asked.any():
        times, commands = np.array([SETTLE]), asked[None]
    return Script(
        options=options,
        times=times,
        commands=commands,
        pushes=(*_pushes(rng, options, weight), *_loads(options)),
        faults=faults_of(options),
    )


def _random_commands(
    rng: np.random.Generator, duration: float, limits: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Draw commands: stop, ahead, back, aside, turn on the spot, or all at once."""
    times = SETTLE + np.arange(COMMANDS) * (duration - SETTLE) / COMMANDS
    commands = np.zeros((COMMANDS, 3))
    for i in range(COMMANDS):
        kind = rng.integers(6)
        draw = rng.uniform(-1.0, 1.0, size=3) * limits
        if kind == 1:
            commands[i, 0] = abs(draw[0])
        elif kind == 2:
            commands[i, 0] = -0.5 * abs(draw[0])
        elif kind == 3:
            commands[i, 1] = draw[1]
        elif kind == 4:
            commands[i, 2] = draw[2]
        elif kind == 5:
            commands[i] = draw * np.array([1.0, 0.3, 0.6])
    return times, commands


def _pushes(
    rng: np.random.Generator, options: ScenarioOptions, weight: float
) -> tuple[Push, ...]:
    force = np.zeros(6)
    force[0], force[1] = options.push_sagittal, options.push_lateral
    if not force.any():
        return ()
    start = options.push_time
    if start < 0.0:  # somewhere in the second half, at any phase of a step
        start = options.duration * rng.uniform(0.5, 0.7)
    if options.foot in ("left", "right"):
        start = max(start, ONE_FOOT_PUSH)
    duration = options.push_duration
    return (Push(world_f=weight * force, start=start, duration=duration, turns=True),)


def _loads(options: ScenarioOptions) -> tuple[Push, ...]:
    """Return the weights that hang from both hands until the end."""
    if not options.load:
        return ()
    force = np.array([0.0, 0.0, -GRAVITY * options.load, 0.0, 0.0, 0.0])
    return tuple(
        Push(
            world_f=force, start=SETTLE, duration=math.inf, hand=hand, ramp=LOAD_GROWTH
        )
        for hand in ("left", "right")
    )
