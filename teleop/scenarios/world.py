"""The simulated world of a scenario, and what its robot feels there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel
from telexist.robots.mujoco import Disturbances, SensorNoise, Simulation, build_mujoco
from telexist.teleop.scenarios.options import ScenarioOptions

__all__ = ["disturbances_of", "noise_of", "read_world", "world_of"]


def world_of(robot: RobotModel, options: ScenarioOptions) -> Simulation:
    """Return a robot in the world that the options describe."""
    return Simulation(
        build_mujoco(robot),
        seed=options.seed,
        noise=noise_of(options),
        disturbances=disturbances_of(options),
    )


def noise_of(options: ScenarioOptions) -> SensorNoise:
    """Return how bad the sensors are."""
    plain = SensorNoise()
    values = {name: options.noise * getattr(plain, name) for name in plain.__slots__}
    values["delay"] = plain.delay if options.noise > 0.0 else 0.0
    return SensorNoise(**values)


def disturbances_of(options: ScenarioOptions) -> Disturbances:
    """Return what the controller does not know."""
    return Disturbances(
        mass_scale=options.mass_scale,
        joint_friction=options.joint_friction,
        floor_friction=options.floor_friction,
        torque_delay=options.torque_delay,
        drive_effort=options.drive_effort,
        slope=float(np.deg2rad(options.slope_deg)),
    )


def read_world(simulation: Simulation, *, true_base: bool) -> RobotState:
    """Return what the sensors say, with the base's true state if it is asked for."""
    state = simulation.read_state()
    if not true_base:
        return state
    true = simulation.true_reading()
    return replace(
        state,
        world_p_base=true.world_p_base,
        world_R_base=true.world_R_base,
        world_v_base=true.world_v_base,
        world_w_base=true.world_w_base,
    )
