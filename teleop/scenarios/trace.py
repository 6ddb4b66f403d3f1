"""What is written down in every control step of a scenario."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robots.simulation import Simulation
from teleop.controllers.locomotion import LocomotionController
from teleop.scenarios.upper_body import JointMotion

__all__ = ["Trace"]


@dataclass(slots=True)
class Trace:
    """Columns that grow by one row a step; `array` gives one of them.

    Attributes:
        rows: Column name to its rows.
        events: Time [s] and text.
    """

    rows: dict[str, list[object]] = field(default_factory=dict)
    events: list[tuple[float, str]] = field(default_factory=list)

    def array(self, name: str) -> np.ndarray:
        """Return a column as an array, time first."""
        return np.array(self.rows.get(name, []))

    def add(
        self,
        time: float,
        controller: LocomotionController,
        simulation: Simulation,
        wanted: JointMotion,
        tick: float,
    ) -> None:
        """Write down one step.

        Args:
            time: [s].
            controller: After its step.
            simulation: The world.
            wanted: What the upper body was to do.
            tick: Time that the control step took [s].
        """
        intent, seen = controller.intent, controller.measured
        assert intent is not None and controller.solution is not None
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
            "q": true.q,
            "q_wanted": wanted.q,
            "support": -1 if controller.support is None else controller.support,
            "trunk_height": controller.trunk_height,
            "tau": controller.solution.tau,
            "base": true.world_p_base,
            "base_R": true.world_R_base,
            "base_v": true.world_v_base,
            "base_estimated": controller.state.world_p_base,
            "base_v_estimated": controller.state.world_v_base,
            "com_true": simulation.centre_of_mass(),
            "soles_true": simulation.sole_middles(),
            "tick": tick,
        }
        for name, value in values.items():
            self.rows.setdefault(name, []).append(value)
