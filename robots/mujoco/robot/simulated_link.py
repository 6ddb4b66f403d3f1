"""The wires of a simulated robot: states out, commands in, over shared memory.

The session holds one end, the physics' process the other, and a watchdog may hold a
third: it can seize the robot, whose drives then heed its commands alone until they are
given back, as a safety controller beside a robot's usual one would.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.robots.base import HandCommand, JointCommand, JointGains, RobotState
from telexist.robots.mujoco.robot.shared_vector import SharedVector

__all__ = ["SimulatedLink", "SimulatedSafetyLink"]

HEAD = 4  # of a state: stamp, time skipped, whether the base is known, size of `qpos`
FIXED = 3 + 3 + 9 + 12 + 12 + 3 + 9 + 3 + 3  # IMU, soles, hands, base
ORDERS = 6  # of a command: stamp, with torques, hands, left, right, with gains
ROWS = 5  # of a command: positions, velocities, torques, stiffness, damping
MOST_TEXT = 500  # [bytes] of what broke down
_END, _SEIZED = 0, 1  # flags


class SimulatedLink:
    """All that passes between a session and its simulated robot."""

    def __init__(
        self, context: Any, joints: int, places: int, *, fingers: int = 0
    ) -> None:
        """Lay the wires.

        Args:
            context: Of `multiprocessing`.
            joints: Of the robot's body.
            places: Greatest size of MuJoCo's `qpos`, for pictures.
            fingers: Joints of its fingers.
        """
        self._n, self._places, self._fingers = joints, places, fingers
        self._states = SharedVector(context, HEAD + 3 * joints + FIXED + places)
        size = ORDERS + ROWS * joints + fingers
        self._orders = (SharedVector(context, size), SharedVector(context, size))
        self._postures = SharedVector(context, 12 + joints)
        self._flags = context.RawArray(ctypes.c_byte, 2)
        self._text = context.RawArray(ctypes.c_char, MOST_TEXT)
        self._taken, self._stood = (0, 0), 0

    # both hands of whoever commands -----------------------------------------------

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before there is one."""
        values = self._states.read()
        return None if values is None else _state(values, self._n)

    @property
    def states(self) -> int:
        """How many states there have been."""
        return self._states.count

    @property
    def skipped(self) -> float:
        """Time that the world lost because the host was too slow [s]."""
        values = self._states.read()
        return 0.0 if values is None else float(values[1])

    def places(self) -> Array | None:
        """Return MuJoCo's `qpos` of the newest state."""
        values = self._states.read()
        if values is None:
            return None
        return values[HEAD + 3 * self._n + FIXED :][: int(values[3])]

    @property
    def failure(self) -> str:
        """What broke down; "" while all is well."""
        return str(self._text.value.decode(errors="replace"))

    def send(self, command: JointCommand, *, spare: bool = False) -> None:
        """Give the drives an accepted command; as the session, or as the watchdog."""
        values = np.zeros(ORDERS + ROWS * self._n + self._fingers)
        fingers = values[ORDERS + ROWS * self._n :]
        fingers[:] = np.nan
        values[0] = command.stamp
        if command.hands is not None:
            values[2:5] = 1.0, command.hands.left, command.hands.right
            told = command.hands.fingers
            if told is not None and len(told) == self._fingers:
                fingers[:] = told
        joints = values[ORDERS : ORDERS + ROWS * self._n].reshape(ROWS, self._n)
        joints[0], joints[1] = command.q, command.dq
        if command.tau is not None:
            values[1], joints[2] = 1.0, command.tau
        if command.gains is not None:
            values[5], joints[3], joints[4] = 1.0, command.gains.kp, command.gains.kd
        self._orders[spare].write(values)

    def stand_up(self, posture: Configuration) -> None:
        """Put the robot on its feet."""
        turn = np.ravel(posture.world_R_base)
        self._postures.write(np.concatenate([posture.world_p_base, turn, posture.q]))

    @property
    def seized(self) -> bool:
        """Whether the watchdog's commands are heeded, and nobody else's."""
        return bool(self._flags[_SEIZED])

    def seize(self, on: bool = True) -> None:
        """Let the watchdog's commands be heeded alone, or give the robot back."""
        self._flags[_SEIZED] = on

    def end(self) -> None:
        """Tell the physics to end."""
        self._flags[_END] = 1

    # the robot's end ---------------------------------------------------------------

    @property
    def ending(self) -> bool:
        """Whether the physics was told to end."""
        return bool(self._flags[_END])

    def take_command(self) -> JointCommand | None:
        """Return a command that has not been taken yet, of whoever is in charge."""
        who = int(self.seized)
        order = self._orders[who]
        if (who, order.count) == self._taken:
            return None
        count, values = order.count, order.read()
        if values is None:
            return None
        self._taken = (who, count)
        return _command(values, self._n)

    def take_posture(self) -> Configuration | None:
        """Return a posture in which to stand up, once."""
        count = self._postures.count
        if count == self._stood:
            return None
        self._stood, values = count, self._postures.read()
        if values is None:
            return None
        return Configuration(
            q=values[12:],
            world_p_base=values[:3],
            world_R_base=values[3:12].reshape(3, 3),
        )

    def publish(self, state: RobotState, skipped: float, places: Array) -> None:
        """Tell what the sensors say."""
        known = state.world_p_base is not None
        base = [np.zeros(3), np.zeros(9), np.zeros(3), np.zeros(3)]
        if known:
            parts = (
                state.world_p_base,
                state.world_R_base,
                state.world_v_base,
                state.world_w_base,
            )
            base = [np.ravel(np.asarray(part, dtype=np.float64)) for part in parts]
        values = [
            np.array([state.stamp, skipped, known, len(places)]),
            state.q,
            state.dq,
            state.tau,
            state.imu_acceleration,
            state.imu_angular_velocity,
            np.ravel(state.imu_world_R_base),
            np.ravel(state.foot_wrenches),
            np.full(12, np.nan)
            if state.hand_wrenches is None
            else np.ravel(state.hand_wrenches),
            *base,
            places,
            np.zeros(self._places - len(places)),
        ]
        self._states.write(np.concatenate(values))

    def fail(self, reason: str) -> None:
        """Say that the robot is gone, and why."""
        self._text.value = reason.encode()[: MOST_TEXT - 1]


class SimulatedSafetyLink:
    """A watchdog's hand on a simulated robot, from whatever process."""

    def __init__(self, link: SimulatedLink) -> None:
        """Take the robot's wires."""
        self._link = link

    @property
    def seized(self) -> bool:
        """Whether the robot heeds this link alone."""
        return self._link.seized

    def seize(self) -> None:
        """Take the robot: its servos brake and hold, its drives under torques damp."""
        self._link.seize()

    def release(self) -> None:
        """Give the robot back to the session."""
        self._link.seize(False)

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before there is one."""
        return self._link.read_state()

    def send(self, command: JointCommand) -> None:
        """Command the robot that was seized."""
        self._link.send(command, spare=True)

    def let_go(self) -> None:
        """End the physics: the session is dead."""
        self._link.end()


def _state(values: Array, n: int) -> RobotState:
    sizes = (HEAD, n, n, n, 3, 3, 9, 12, 12, 3, 9, 3, 3)
    values.setflags(write=False)
    parts = np.split(values, np.cumsum(sizes))
    head, q, dq, tau, acceleration, turning, turn, soles, hands, *base, _ = parts
    p, R, v, w = base
    known = bool(head[2])
    return RobotState(
        stamp=float(head[0]),
        q=q,
        dq=dq,
        tau=tau,
        imu_acceleration=acceleration,
        imu_angular_velocity=turning,
        imu_world_R_base=turn.reshape(3, 3),
        foot_wrenches=soles.reshape(2, 6),
        hand_wrenches=None if np.isnan(hands[0]) else hands.reshape(2, 6),
        world_p_base=p if known else None,
        world_R_base=R.reshape(3, 3) if known else None,
        world_v_base=v if known else None,
        world_w_base=w if known else None,
    )


def _command(values: Array, n: int) -> JointCommand:
    q, dq, tau, kp, kd = values[ORDERS : ORDERS + ROWS * n].reshape(ROWS, n)
    fingers = values[ORDERS + ROWS * n :]
    hands = HandCommand(left=float(values[3]), right=float(values[4]), fingers=fingers)
    return JointCommand(
        stamp=float(values[0]),
        q=q,
        dq=dq,
        tau=tau if values[1] else None,
        hands=hands if values[2] else None,
        gains=JointGains(kp=kp, kd=kd) if values[5] else None,
    )
