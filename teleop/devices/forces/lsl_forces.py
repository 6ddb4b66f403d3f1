"""Force plates, shoes and insoles that speak Lab Streaming Layer.

A stream of twelve channels holds six of the left foot and six of the right: force,
moment; of six channels, one plate, on which stands the foot that `foot` names; of two
channels, the vertical forces of left and right.
"""

from __future__ import annotations

import importlib
import threading
from typing import Any

import numpy as np
from telexist.retarget.errors import BadInput, DeviceLost, MissingDependency
from telexist.retarget.person_dynamics import GroundForces
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.players import PlayedDevice
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["LslForces", "import_lsl", "lsl_wrenches"]

LOOK = 1.0  # [s] of one look for the stream
QUIET = 0.05  # [s] to wait for a sample
CHANNELS = (2, 6, 12)
FEET = {"left": 0, "right": 1}


class LslForces(PlayedDevice):
    """Listens to one stream, and looks for it again when it ends."""

    def __init__(self, stream: str, *, foot: str = "", in_world: bool = False) -> None:
        """State what to listen to.

        Args:
            stream: Name of the stream, or its type; the first that fits is taken.
            foot: Who stands on the only plate: left or right.
            in_world: The wrenches are about the world's origin, in its axes.

        Raises:
            BadInput: If there is no name, or the foot is none.
            MissingDependency: If the library is absent.
        """
        if not stream:
            raise BadInput("which stream? lsl:NAME")
        if foot not in ("", *FEET):
            raise BadInput(f"foot={foot}: choose left or right")
        super().__init__(f"lsl stream {stream}")
        self._stream, self._foot, self._in_world = stream, foot, in_world
        self._lsl = import_lsl()

    @property
    def provides(self) -> frozenset[Provides]:
        """Forces under the feet."""
        return frozenset({Provides.FORCES})

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.2

    @property
    def manual(self) -> str:
        """What it waits for."""
        return f"waits for a Lab Streaming Layer stream called '{self._stream}'"

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""
        del feedback

    def _play(self, stop: threading.Event) -> None:
        while not stop.is_set():
            inlet = self._find()
            if inlet is not None:
                self._listen(inlet, stop)

    def _find(self) -> Any:
        """Return an inlet of the stream, or None if it is not there now."""
        lsl = self._lsl
        for name in ("name", "type"):
            found = lsl.resolve_byprop(name, self._stream, timeout=LOOK / 2)
            if not found:
                continue
            count = found[0].channel_count()
            if count not in CHANNELS or (count == 6 and not self._foot):
                problem = f"{count} channels: expected 2, 12, or 6 with ?foot=left"
                raise DeviceLost(f"{self._stream}: {problem}")
            return lsl.StreamInlet(found[0], max_buflen=2, recover=False)
        return None

    def _listen(self, inlet: Any, stop: threading.Event) -> None:
        """Pass samples on until the stream ends."""
        sequence, offset = 0, 0.0
        try:
            offset = clock.now() - self._lsl.local_clock()
            while not stop.is_set():
                values, time = inlet.pull_sample(timeout=QUIET)
                if values is None:
                    continue
                sequence += 1
                wrench, deviation = lsl_wrenches(np.array(values), self._foot)
                stamp = clock.now()
                forces = GroundForces(
                    stamp=stamp,
                    source_time=time + offset,
                    wrench=wrench,
                    deviation=deviation,
                    in_world=self._in_world,
                )
                self._mailbox.put(
                    DeviceSample(stamp=stamp, sequence=sequence, forces=forces)
                )
        except self._lsl.util.LostError:
            self._mailbox.lose("its stream has ended; it is looked for again")
        finally:
            inlet.close_stream()


def lsl_wrenches(values: Array, foot: str) -> tuple[Array, Array]:
    """Return the wrenches of a sample and their deviations (2, 6).

    Args:
        values: Of 2, 6 or 12 channels [N], [N m].
        foot: Who stands on the only plate, where there are 6.
    """
    wrench, deviation = np.full((2, 6), np.nan), np.full((2, 6), np.inf)
    told = np.array([2.0, 2.0, 2.0, 0.5, 0.5, 0.5])
    if len(values) == 2:
        wrench[:, 2], deviation[:, 2] = values, 5.0
    elif len(values) == 6:
        wrench[FEET[foot]], deviation[FEET[foot]] = values, told
    else:
        wrench[:], deviation[:] = values.reshape(2, 6), told
    return wrench, deviation


def import_lsl() -> Any:
    """Return the library.

    Raises:
        MissingDependency: If it is absent, or cannot be loaded.
    """
    try:
        return importlib.import_module("pylsl")
    except (ImportError, RuntimeError, OSError) as error:
        command = "pip install 'telexist[devices]'"
        raise MissingDependency("pylsl", command) from error
