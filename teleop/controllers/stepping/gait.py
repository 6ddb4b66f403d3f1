"""How a robot walks at which speed: length and time of its steps, height of its body.

With the speed steps get longer and the body lower, since a long step needs a bent knee,
up to a comfortable length; beyond it steps get quicker.
"""

from __future__ import annotations

from dataclasses import replace

from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.terms import WalkCommand

__all__ = ["fastest_walk", "stoop_at", "timed"]


def fastest_walk(parameters: ControlParameters) -> float:
    """Return the greatest speed ahead [m/s]."""
    quickest = (
        parameters.gait.quickest * parameters.single_support + parameters.double_support
    )
    return parameters.comfortable_step / quickest


def timed(parameters: ControlParameters, command: WalkCommand) -> ControlParameters:
    """Return the parameters of steps that are quick enough for a command."""
    usual = parameters.single_support
    if abs(command.vx) < 1e-6:
        return parameters
    period = parameters.comfortable_step / abs(command.vx)
    quicker = max(period - parameters.double_support, parameters.gait.quickest * usual)
    return replace(parameters, single_support=min(quicker, usual))


def stoop_at(parameters: ControlParameters, command: WalkCommand) -> float:
    """Return how much lower than standing the body is [m]."""
    period = parameters.single_support + parameters.double_support
    share = abs(command.vx) * period / parameters.comfortable_step
    return parameters.stoop * min(share, 1.0) ** 2
