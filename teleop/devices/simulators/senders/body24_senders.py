"""The 24 joints, played from a recording: MVN's preset for IsaacTeleop, and a PICO.

Settings (`--set`) of isaac: hands=valid (else they are not, as MVN sends them); of
pico: pads=none (no controllers).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.isaac import JOINTS, Body24, to_openxr
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import quat_wxyz_from_rotation
from telexist.teleop.devices.isaac import XtlpFrame, build_xtlp
from telexist.teleop.devices.person import OperatorPose, SimulatedOperator
from telexist.teleop.devices.pico import (
    Command,
    Packet,
    PicoPad,
    PicoTracking,
    build_packet,
    build_tracking,
)
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.settings import read_settings

__all__ = ["body24", "pico_packets", "simulate_isaac", "simulate_pico"]

_SERIAL = b"PA9410SIMULATED"
_BEAT = 10.0  # [s] between two signs of life


def simulate_isaac(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording as MVN's preset "Isaac Teleop" does.

    Raises:
        BadInput: If an option is wrong.
    """
    chosen = read_settings(options.settings, {"hands": "invalid"}).text("hands")
    if chosen not in ("valid", "invalid"):
        raise BadInput(f"hands '{chosen}': choose valid or invalid")
    return (
        TimedPackets(
            time=pose.time,
            packets=(
                build_xtlp(
                    XtlpFrame(
                        number=number,
                        time=pose.time,
                        body=body24(pose, hands=chosen == "valid"),
                    )
                ),
            ),
        )
        for number, pose in enumerate(operator_poses(options))
    )


def simulate_pico(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording as the app XRoboToolkit on a PICO does.

    Raises:
        BadInput: If an option is wrong.
    """
    chosen = read_settings(options.settings, {"pads": "both"}).text("pads")
    if chosen not in ("both", "none"):
        raise BadInput(f"pads '{chosen}': choose both or none")
    sides = SIDES if chosen == "both" else ()
    return (
        TimedPackets(
            time=pose.time,
            packets=pico_packets(pose, number, {side: PicoPad() for side in sides}),
        )
        for number, pose in enumerate(operator_poses(options))
    )


def pico_packets(
    pose: OperatorPose, number: int, pads: dict[str, PicoPad]
) -> tuple[bytes, ...]:
    """Return the packets of one sample; the first ones introduce the headset."""
    now, packets = pose.time, []

    def say(command: Command, body: bytes) -> None:
        packets.append(build_packet(Packet(command=command, body=body, time=now)))

    if number == 0:
        say(Command.CONNECT, _SERIAL + b"|-1")
        say(Command.VERSION, _SERIAL + b"|1.0|1.3.0")
    elif int(now / _BEAT) != int((now - 1.0 / 60.0) / _BEAT):
        say(Command.HEARTBEAT, _SERIAL)
    tracking = PicoTracking(time=now, body=body24(pose, hands=True), controllers=pads)
    say(Command.FUNCTION, build_tracking(tracking))
    return tuple(packets)


def body24(pose: OperatorPose, *, hands: bool) -> Body24:
    """Return a pose in T-pose frames as the 24 joints."""
    rotations, positions = to_openxr(pose.rotations, pose.positions)
    return Body24(
        positions=positions,
        quats_xyzw=quat_wxyz_from_rotation(rotations)[:, [1, 2, 3, 0]],
        valid=np.array([hands or not name.endswith("_hand") for name in JOINTS]),
    )


def operator_poses(options: SimulatorOptions) -> Iterator[OperatorPose]:
    """Return the poses of a simulator's person, in T-pose frames."""
    operator = SimulatedOperator(
        read_clip(options.clip),
        height=options.operator_height,
        heading=options.heading,
        noise=options.noise,
        n_pose=options.n_pose,
        loop=options.loop,
    )
    return operator.poses(options.rate)
