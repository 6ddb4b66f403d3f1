"""All that a robot behind YARP tells beside its joints."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.kinematics import Kinematics
from telexist.robots.base import RobotFeedback
from telexist.robots.yarp.network import NameClient
from telexist.robots.yarp.sensing.analog_message import ImuReading
from telexist.robots.yarp.sensing.hand_force_stream import HandForceStream
from telexist.robots.yarp.sensing.imu_stream import ImuStream, find_base_imu
from telexist.robots.yarp.sensing.picture_stream import PictureStream

__all__ = ["RobotSenses"]

LEFT_EYES = ("{0}/cam/left:o", "{0}/cam/left", "{0}/camcalib/left/out")
RIGHT_EYES = ("{0}/cam/right:o", "{0}/cam/right", "{0}/camcalib/right/out")
SINGLE_EYES = ("{0}/depthCamera/rgbImage:o", "/depthCamera/rgbImage:o")
FORCES = "/wholeBodyDynamics/{0}_arm/cartesianEndEffectorWrench:o"
FORCE_PERIOD = 1.0 / 30.0  # [s] between two forces for the operator


class RobotSenses:
    """Finds what there is and listens to it; what is not there is simply not told.

    Attributes:
        pictures: Of one camera or two, or None.
        forces: At the hands, or None.
        imu: On the base, or None.
    """

    def __init__(
        self,
        name: str,
        names: NameClient,
        prefix: str,
        kinematics: Kinematics,
        *,
        now: Callable[[], float],
    ) -> None:
        """Describe it; `open` looks.

        Args:
            name: Beginning of the names of our ports.
            names: The name server.
            prefix: Beginning of the robot's ports: "/icub".
            kinematics: Of its model: where an IMU sits.
            now: The host's clock [s].
        """
        self._name, self._names, self._prefix = name, names, prefix
        self._kinematics, self._now = kinematics, now
        self.pictures: PictureStream | None = None
        self.forces: HandForceStream | None = None
        self.imu: ImuStream | None = None
        self._fovy = RobotFeedback(stamp=0.0).fovy
        self._felt = float("-inf")

    def open(self, cameras: str, rate: float, fovy: float) -> None:
        """Look for the sensors and listen; may be called once after each `close`.

        Args:
            cameras: "auto", "no", or one or two ports with a comma between.
            rate: Most pictures a second.
            fovy: The cameras' vertical field of view [deg]; 0 where it is not known.

        Raises:
            RobotLost: If a camera that is named is not there.
        """
        ports = set(self._names.list())
        eyes = self._eyes(cameras, ports)
        if fovy:
            self._fovy = np.radians(fovy)
        name, names, now = self._name, self._names, self._now
        if eyes:
            self.pictures = PictureStream(name, names, eyes, rate=rate, now=now)
            self.pictures.open()
        wrenches = [FORCES.format(side) for side in ("left", "right")]
        if ports.issuperset(wrenches):
            self.forces = HandForceStream(name, names, wrenches, now=now)
            self.forces.open()
        found = find_base_imu(names, self._prefix, self._kinematics)
        if found is not None:
            self.imu = ImuStream(name, names, *found, now=now)
            self.imu.open()

    def close(self) -> None:
        """Listen no more; may be called twice."""
        for stream in (self.pictures, self.forces, self.imu):
            if stream is not None:
                stream.close()
        self.pictures = self.forces = self.imu = None

    def describe(self) -> str:
        """Return in words what was found, for people."""
        told = []
        if self.pictures is not None:
            told.append(f"pictures of {' and '.join(self.pictures.cameras)}")
        if self.forces is not None:
            told.append("forces at the hands (wholeBodyDynamics)")
        if self.imu is not None:
            told.append(f"an IMU at {self.imu.frame}")
        return ", ".join(told) or "no camera, no forces, no IMU on the base"

    def read_feedback(self) -> RobotFeedback | None:
        """Return what is new for the operator; None if nothing is."""
        now = self._now()
        image = self.pictures.read() if self.pictures is not None else None
        problem = self.pictures.problem() if self.pictures is not None else ""
        forces = None
        if self.forces is not None and now - self._felt >= FORCE_PERIOD:
            forces = self.forces.read()
            self._felt = now
        if image is None and forces is None and not problem:
            return None
        return RobotFeedback(
            stamp=now if image is None else image[1],
            image=None if image is None else image[0],
            hand_forces=forces,
            camera_problem=problem,
            stereo=self.pictures is not None and self.pictures.stereo,
            fovy=self._fovy,
        )

    def read_imu(self) -> ImuReading | None:
        """Return what the IMU says of the base; None without one, or while silent."""
        return None if self.imu is None else self.imu.read()

    def _eyes(self, cameras: str, ports: set[str]) -> list[str]:
        if cameras == "no":
            return []
        if cameras != "auto":
            named = cameras.split(",")
            missing = [port for port in named if port not in ports]
            if missing or len(named) > 2:
                raise RobotLost(
                    f"no YARP port called {', '.join(missing) or cameras}: name one "
                    "camera, or two with a comma between, or camera=no"
                )
            return named
        left = _first(LEFT_EYES, self._prefix, ports)
        right = _first(RIGHT_EYES, self._prefix, ports)
        if left and right:
            return [left, right]
        single = left or right or _first(SINGLE_EYES, self._prefix, ports)
        return [single] if single else []


def _first(candidates: tuple[str, ...], prefix: str, ports: set[str]) -> str:
    names = (candidate.format(prefix) for candidate in candidates)
    return next((name for name in names if name in ports), "")
