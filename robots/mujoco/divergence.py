"""Sees when MuJoCo has given up: it would start the world anew and say nothing."""

from __future__ import annotations

import logging
from typing import Any

import mujoco
from telexist.retarget.errors import SimulationDiverged
from telexist.robots.mujoco.robot_spec import FREE_BASE

__all__ = ["Divergence"]

KINDS = {
    mujoco.mjtWarning.mjWARN_BADQPOS: "position",
    mujoco.mjtWarning.mjWARN_BADQVEL: "velocity",
    mujoco.mjtWarning.mjWARN_BADQACC: "acceleration",
}

_log = logging.getLogger(__name__)


class Divergence:
    """Watches one world; its counters start anew with `mj_resetData`."""

    def __init__(self, model: Any, data: Any) -> None:
        """Watch a world, and have MuJoCo's warnings logged.

        Without anybody who listens, MuJoCo writes them to a file in the user's folder.
        """
        if mujoco.get_mju_user_warning() is None:
            mujoco.set_mju_user_warning(_log_warning)
        self._model = model
        self._counters = [(data.warning[int(kind)], KINDS[kind]) for kind in KINDS]

    def check(self, time: float) -> None:
        """Look at the counters; cheap while all is well.

        Args:
            time: Of the simulation before it went on [s].

        Raises:
            SimulationDiverged: If a value became infinite, huge or no number.
        """
        for counter, what in self._counters:
            if counter.number:
                joint = self._joint(counter.lastinfo, what)
                raise SimulationDiverged(
                    f"the simulation diverged at {time:.3f} s: no usable {what} of "
                    f"{joint}; look for huge forces, masses or gains"
                )

    def _joint(self, place: int, what: str) -> str:
        model = self._model
        places = model.jnt_qposadr if what == "position" else model.jnt_dofadr
        number = max(int((places <= place).sum()) - 1, 0)
        name = str(model.joint(number).name)
        if model.jnt_type[number] == mujoco.mjtJoint.mjJNT_FREE:
            return f"the base {name.removesuffix(FREE_BASE)}".strip()
        return f"joint {name}"


def _log_warning(text: str) -> None:
    _log.warning("MuJoCo: %s", text)
