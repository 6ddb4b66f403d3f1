"""What a G1 tells of itself over the bridge, read with suspicion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import orjson
from telexist.retarget.errors import BadMessage
from telexist.retarget.so3 import Array
from telexist.robots.unitree.low_command import MOTORS

__all__ = ["LowState", "read_low_state", "require_state"]

LARGEST = 2**18  # [bytes]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LowState:
    """One state.

    Attributes:
        q: Positions (29,) [rad].
        dq: Velocities (29,) [rad/s].
        tau: Torques (29,) [N m].
        temperature: Of the motors (29,) [deg C]; the hotter one where it tells two.
        fault: Of each motor, 0 for none.
        mode_machine: The robot's kind, which commands repeat.
        quat_wxyz: Attitude of the pelvis.
        gyroscope: (3,) [rad/s].
        accelerometer: (3,) [m/s^2].
    """

    q: Array
    dq: Array
    tau: Array
    temperature: Array
    fault: tuple[int, ...]
    mode_machine: int
    quat_wxyz: Array
    gyroscope: Array
    accelerometer: Array


def read_low_state(data: bytes) -> LowState | None:
    """Return the state in a message; None for another topic.

    Raises:
        BadMessage: If it is none.
    """
    if len(data) > LARGEST:
        raise BadMessage(f"a state of {len(data)} bytes")
    try:
        message = orjson.loads(data)
        if message["topic"] != "rt/lowstate":
            return None
        body = message["data"]
        motors, imu = body["motor_state"][: len(MOTORS)], body["imu_state"]
        state = LowState(
            q=np.array([m["q"] for m in motors], dtype=np.float64),
            dq=np.array([m["dq"] for m in motors], dtype=np.float64),
            tau=np.array([m["tau_est"] for m in motors], dtype=np.float64),
            temperature=np.array(
                [np.max(m.get("temperature", 0.0)) for m in motors], dtype=np.float64
            ),
            fault=tuple(int(m.get("motorstate", 0)) for m in motors),
            mode_machine=int(body.get("mode_machine", 0)),
            quat_wxyz=np.array(imu["quaternion"], dtype=np.float64),
            gyroscope=np.array(imu["gyroscope"], dtype=np.float64),
            accelerometer=np.array(imu["accelerometer"], dtype=np.float64),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadMessage(
            f"not a state of a G1: {type(error).__name__} {error}"
        ) from error
    return require_state(state)


def require_state(state: LowState) -> LowState:
    """Return a state that is whole and finite.

    Raises:
        BadMessage: If it is not.
    """
    if state.q.shape != (len(MOTORS),) or not np.isfinite([state.q, state.dq]).all():
        raise BadMessage("a state of a G1 with motors missing, or not finite")
    if state.quat_wxyz.shape != (4,) or state.gyroscope.shape != (3,):
        raise BadMessage("a state of a G1 without its attitude")
    if not np.abs(np.linalg.norm(state.quat_wxyz) - 1.0) < 0.1:  # NaN too
        raise BadMessage("a state of a G1 whose attitude is no rotation")
    if not np.isfinite([*state.temperature, *state.tau]).all():
        raise BadMessage("a state of a G1 that is not finite")
    return state
