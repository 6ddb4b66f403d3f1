"""The simulated world of a scenario, and what its robot feels there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel
from telexist.robots.mujoco import Disturbances, SensorNoise, Simulation, build_mujoco
from telexist.robots.touch import HandEstimate
from telexist.teleop.scenarios.options import ScenarioOptions

__all__ = ["HandTouchSense", "disturbances_of", "noise_of", "read_world", "world_of"]


def world_of(robot: RobotModel, options: ScenarioOptions) -> Simulation:
    """Return a robot in the world that the options describe."""
    return Simulation(
        build_mujoco(robot),
        seed=options.seed,
        noise=noise_of(options),
        disturbances=disturbances_of(options),
    )


class HandTouchSense:
    """What a scenario's robot feels with its hands: by sensors, or by its arms.

    Attributes:
        error: Between what it was told last and the truth, link axes (2, 3) [N].
    """

    def __init__(self, robot: RobotModel, options: ScenarioOptions) -> None:
        """Prepare for a robot with or without sensors there."""
        self._estimate = HandEstimate(robot) if options.no_hand_sensors else None
        self.error = np.zeros((2, 3))

    def feel(self, state: RobotState, simulation: Simulation) -> RobotState:
        """Return a state as the robot's own computer has it."""
        if self._estimate is not None:
            state = self._estimate.step(replace(state, hand_wrenches=None))
        true, told = simulation.true_reading().hand_wrenches, state.hand_wrenches
        if true is not None:
            known = np.zeros((2, 6)) if told is None else told
            self.error = (known - true)[:, :3]
        return state


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
