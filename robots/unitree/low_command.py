"""The low-level command of a G1: 35 motors with gains, as bytes and as JSON.

As bytes it is 1004 long: mode_pr, mode_machine, two of padding, 35 motors of {mode, q,
dq, tau, kp, kd, reserve}, four reserved words and a checksum of all words before it.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["MOTORS", "SLOTS", "LowCommand", "checksum", "motor_gains"]

SLOTS = 35  # motors in a message; a G1 of 29 joints leaves the rest alone
WEIGHT = 29  # the slot that says how much of the arms is ours, 0 to 1
LEG = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
ARM = (
    "shoulder_pitch",
    "shoulder_roll",
    "shoulder_yaw",
    "elbow",
    "wrist_roll",
    "wrist_pitch",
    "wrist_yaw",
)
MOTORS = tuple(
    f"{name}_joint"
    for name in (
        *(f"{side}_{joint}" for side in ("left", "right") for joint in LEG),
        *("waist_yaw", "waist_roll", "waist_pitch"),
        *(f"{side}_{joint}" for side in ("left", "right") for joint in ARM),
    )
)
"""Joints in the order of the motors."""
LEG_KP, LEG_KD = (60.0, 60.0, 60.0, 100.0, 40.0, 40.0), (1.0, 1.0, 1.0, 2.0, 1.0, 1.0)
WAIST_KP, ARM_KP = (60.0, 40.0, 40.0), (40.0,) * 7  # [N m/rad], as the maker's example
DAMPING = 5.0  # [N m s/rad] of a robot that is let go
_MOTOR = "B3x5fI"
_SHAPE = struct.Struct("<2B2x" + _MOTOR * SLOTS + "5I")
_MIRROR = bytes(int(f"{i:08b}"[::-1], 2) for i in range(256))


def motor_gains() -> tuple[Array, Array]:
    """Return stiffness (29,) [N m/rad] and damping (29,) [N m s/rad]."""
    kp = np.array([*LEG_KP * 2, *WAIST_KP, *ARM_KP * 2])
    kd = np.array([*LEG_KD * 2, *(1.0,) * 17])
    return kp, kd


def checksum(words: bytes) -> int:
    """Return the CRC-32 (0x04C11DB7, most significant bit first) of 32-bit words.

    zlib's runs from the other end of each bit row: mirrored bytes make them equal.
    """
    swapped = np.frombuffer(words, dtype="<u4").astype(">u4").tobytes()
    mirrored = zlib.crc32(swapped.translate(_MIRROR)) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LowCommand:
    """What all motors are told.

    Attributes:
        q: Positions (29,) [rad].
        kp: Stiffness (29,) [N m/rad].
        kd: Damping (29,) [N m s/rad].
        mode_machine: As the robot tells it.
        weight: How much of the arms is ours beside the robot's own controller, 0 to 1;
            None where all motors are.
    """

    q: Array
    kp: Array
    kd: Array
    mode_machine: int
    weight: float | None = None

    def __post_init__(self) -> None:
        """Refuse what no motor may get.

        Raises:
            BadInput: If a value is missing or not finite.
        """
        for name in ("q", "kp", "kd"):
            values = np.asarray(getattr(self, name), dtype=np.float64)
            if values.shape != (len(MOTORS),) or not np.isfinite(values).all():
                raise BadInput(f"the G1 needs {len(MOTORS)} finite {name}: {values}")

    @staticmethod
    def damping(q: Array, mode_machine: int) -> LowCommand:
        """Return the command that only damps: what a robot is let go with."""
        none = np.zeros(len(MOTORS))
        return LowCommand(
            q=q, kp=none, kd=np.full(len(MOTORS), DAMPING), mode_machine=mode_machine
        )

    def rows(self) -> list[tuple[int, float, float, float, float, float]]:
        """Return mode, q, dq, tau, kp and kd of each of the 35 slots."""
        rows = [
            (1, float(q), 0.0, 0.0, float(kp), float(kd))
            for q, kp, kd in zip(self.q, self.kp, self.kd, strict=True)
        ]
        rows += [(0, 0.0, 0.0, 0.0, 0.0, 0.0)] * (SLOTS - len(rows))
        if self.weight is not None:
            rows[WEIGHT] = (
                0,
                float(np.clip(self.weight, 0.0, 1.0)),
                0.0,
                0.0,
                0.0,
                0.0,
            )
        return rows

    def packed(self) -> bytes:
        """Return the 1004 bytes with their checksum."""
        values: list[float] = [0, self.mode_machine & 0xFF]
        for row in self.rows():
            values += [*row, 0]
        data = _SHAPE.pack(*values, 0, 0, 0, 0, 0)[:-4]
        return data + struct.pack("<I", checksum(data))

    def message(self) -> dict[str, Any]:
        """Return the bridge's message."""
        names = ("mode", "q", "dq", "tau", "kp", "kd")
        motors = [dict(zip(names, row, strict=True)) for row in self.rows()]
        data = {
            "mode_pr": 0,
            "mode_machine": self.mode_machine,
            "motor_cmd": motors,
        }
        topic = "rt/lowcmd" if self.weight is None else "rt/arm_sdk"
        return {"topic": topic, "data": data}
