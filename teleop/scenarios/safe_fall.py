"""After a fall: the drives only damp, until the robot lies on the floor."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.errors import SimulationDiverged
from telexist.robots.mujoco import Simulation
from telexist.teleop.controllers.locomotion import WalkController
from telexist.teleop.scenarios.on_step import OnStep
from telexist.teleop.scenarios.trace import Trace
from telexist.teleop.terms import (
    ControllerEvent,
    ControllerEventKind,
    RobotReference,
)

__all__ = ["fall_down", "fall_figures"]

FALL_TIME = 1.5  # [s] in which robots come to rest


def fall_down(
    controller: WalkController, simulation: Simulation, begin: float, on_step: OnStep
) -> Trace:
    """Let a robot fall and return what happened.

    Args:
        controller: That has seen the fall.
        simulation: The world.
        begin: When [s].
        on_step: Looks at every step.
    """
    q, trace, period = controller.posture.q, Trace(), controller.period
    effort = controller.model.actuators.effort
    still = RobotReference(stamp=begin, q=q, dq=0.0 * q, ddq=0.0 * q)
    for i in range(round(FALL_TIME / period)):
        command = controller.step(simulation.read_state(), still, period)
        simulation.set_torques(command.torques)
        try:
            simulation.advance(period)
        except SimulationDiverged as error:
            text = f"after the fall: {error}"
            event = ControllerEvent(ControllerEventKind.FALL, text)
            trace.events.append((begin + i * period, event))
            break
        trace.append(
            time=begin + i * period,
            com_true=simulation.centre_of_mass(),
            dq=simulation.true_state().dq,
            torque_share=np.abs(command.torques / effort).max(),
            energy=simulation.kinetic_energy(),
        )
        on_step(simulation, begin + i * period)
    return trace


def fall_figures(fall: Trace) -> dict[str, Any]:
    """Return how hard a fall was; nothing for a robot that did not fall."""
    if not len(fall.array("time")):
        return {}
    return {
        "fall_joint_speed_max": float(np.abs(fall.array("dq")).max()),
        "fall_torque_share_max": float(fall.array("torque_share").max()),
        "fall_energy_max": float(fall.array("energy").max()),
        "fall_energy_end": float(fall.array("energy")[-1]),
    }
