"""What is written down in every control step of a scenario."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.robots.mujoco import Simulation
from telexist.teleop.controllers.locomotion import LocomotionController
from telexist.teleop.scenarios.upper_body import JointMotion
from telexist.teleop.terms import ControllerEvent

__all__ = ["Trace", "TrueBalance"]


@dataclass(frozen=True, slots=True)
class TrueBalance:
    """Where a simulated robot really is, when its controller looks at its sensors.

    Attributes:
        com: (3,) [m].
        com_vel: (3,) [m/s].
        soles: Their middles (2, 3) [m].
        world_R_base: (3, 3).
        q: Joint positions (n,).
    """

    com: Array
    com_vel: Array
    soles: Array
    world_R_base: Array
    q: Array

    @classmethod
    def of(cls, simulation: Simulation) -> TrueBalance:
        """Look at a simulated robot."""
        true = simulation.true_state()
        return cls(
            simulation.centre_of_mass(),
            simulation.centre_of_mass_velocity(),
            simulation.sole_middles(),
            true.world_R_base,
            true.q,
        )

    def dcm(self, omega: float) -> Array:
        """Return com + com_vel / omega (2,) [m]; omega in 1/s."""
        return (self.com + self.com_vel / omega)[:2]


@dataclass(slots=True)
class Trace:
    """Columns that grow by one row a step; `array` gives one of them.

    Attributes:
        rows: Column name to its rows.
        events: Time [s] and what happened.
    """

    rows: dict[str, list[object]] = field(default_factory=dict)
    events: list[tuple[float, ControllerEvent]] = field(default_factory=list)

    def array(self, name: str) -> np.ndarray:
        """Return a column as an array, time first."""
        return np.array(self.rows.get(name, []))

    def add(
        self,
        time: float,
        controller: LocomotionController,
        simulation: Simulation,
        wanted: JointMotion,
        before: TrueBalance,
        tick: float,
    ) -> None:
        """Write down one step.

        Args:
            time: [s].
            controller: After its step.
            simulation: The world.
            wanted: What the upper body was to do.
            before: Where the robot really was when the controller looked.
            tick: Time that the control step took [s].

        Raises:
            BadInput: If the controller has not made a step.
        """
        intent, seen, solution = (
            controller.intent,
            controller.measured,
            controller.solution,
        )
        if intent is None or solution is None:
            raise BadInput("the controller has not made a step yet")
        true = simulation.true_state()
        values: dict[str, object] = {
            "time": time,
            "mode": controller.mode,
            "com": seen.com,
            "dcm": seen.dcm,
            "dcm_plan": intent.dcm_plan,
            "zmp": intent.zmp,
            "soles": seen.sole_p,
            "load": seen.load,
            "q": before.q,
            "q_wanted": wanted.q,
            "support": -1 if controller.support is None else controller.support,
            "steps": controller.steps,
            "trunk_height": controller.trunk_height,
            "tau": solution.tau,
            "base": true.world_p_base,
            "base_R": true.world_R_base,
            "world_v_base": true.world_v_base,
            "base_estimated": controller.state.world_p_base,
            "world_v_base_estimated": controller.state.world_v_base,
            "base_R_estimated": controller.state.world_R_base,
            "base_R_before": before.world_R_base,
            "soles_before": before.soles,
            "dcm_true": before.dcm(controller.parameters.omega),
            "com_true": simulation.centre_of_mass(),
            "soles_true": simulation.sole_middles(),
            "tick": tick,
        }
        self.append(**values)

    def append(self, **values: object) -> None:
        """Write down one row."""
        for name, value in values.items():
            self.rows.setdefault(name, []).append(value)
