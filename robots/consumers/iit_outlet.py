"""IIT's walking controllers: a HumanState with the robot's own joint names."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

import numpy as np
from telexist.retarget.errors import BadInput, RobotLost
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.consumers.consumer_robot import ConsumerRobot
from telexist.robots.consumers.g1_joints import host_and_port
from telexist.robots.description import RobotModel
from telexist.robots.yarp.iit import HumanState, human_state_items
from telexist.robots.yarp.network import (
    NameClient,
    Port,
    local_address,
    name_server_address,
)
from telexist.robots.yarp.wire import YARP_3, YARP_4, Envelope

__all__ = ["make_iit"]

VERSIONS = {"3": YARP_3, "4": YARP_4}


class _IitOutlet:
    def __init__(self, model: RobotModel, place: str, now: Callable[[], float]) -> None:
        address, _, text = place.partition("?")
        options = dict(parse_qsl(text))
        version = options.pop("version", "3")
        self._to = options.pop("to", "")
        self._name = options.pop("name", f"/{model.body.name}/RobotStateServer/state:o")
        if options or version not in VERSIONS:
            raise BadInput(f"iit:{place}: only name, to and version (3 or 4) are known")
        usual_host, usual_port = name_server_address()
        host, port = host_and_port("iit", address or usual_host, usual_port)
        self._names, self._dialect = NameClient(host, port), VERSIONS[version]
        self._body, self._now, self._sequence = model.body, now, 0
        self._port: Port | None = None

    def open(self) -> str:
        host = local_address(self._names.host)
        self._port = Port(self._name, self._names, dialect=self._dialect, host=host)
        self._port.open()
        if self._to:
            self._port.connect(self._to, "fast_tcp")
            return f"HumanState from {self._name} to {self._to}"
        return (
            f"HumanState at {self._name}: yarp connect {self._name} "
            "/walking-coordinator/humanState:i fast_tcp"
        )

    def put(self, q: Array, dq: Array) -> Array | None:
        if self._port is None:
            raise RobotLost(f"{self._name} is not open")
        neutral = self._body.neutral
        base = np.array(neutral.world_p_base)
        state = HumanState(
            joints=tuple(self._body.kinematics.joints),
            positions=q,
            velocities=dq,
            base=self._body.links["Pelvis"],
            world_p_base=base,
            base_quat_wxyz=quat_wxyz_from_rotation(neutral.world_R_base),
            com=base,
        )
        self._sequence += 1
        stamp = Envelope(self._sequence, self._now())
        self._port.write(human_state_items(state, self._dialect), stamp)
        return None

    def close(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None


def make_iit(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `iit:HOST:PORT?name=/iCub/RobotStateServer/state:o&to=/...`."""
    outlet = _IitOutlet(model, options.place, options.now)
    return ConsumerRobot(model, outlet, now=options.now)
