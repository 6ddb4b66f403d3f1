"""Which joints of the model are a G1's, and where a controller is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.robots.description import RobotModel

__all__ = ["g1_rows", "host_and_port"]


def g1_rows(model: RobotModel, order: Sequence[str]) -> np.ndarray:
    """Return where joints of an order are in the model's (29,).

    Raises:
        BadInput: If the model is no G1 of 29 joints.
    """
    joints = model.body.kinematics.joints
    missing = [name for name in order if name not in joints]
    if missing:
        raise BadInput(
            f"{model.body.name} has no joint {missing[0]}: choose --robot g1"
        )
    return np.array([joints.index(name) for name in order], dtype=np.intp)


def host_and_port(word: str, place: str, usual: int) -> tuple[str, int]:
    """Return the host and the port of "HOST:PORT"; either may be left out.

    Raises:
        BadInput: If it is no such place.
    """
    host, _, port = place.partition(":")
    if port and not (port.isdigit() and 0 < int(port) < 65536):
        raise BadInput(f"{word}:{place}: '{port}' is no port")
    return host or "127.0.0.1", int(port or usual)
