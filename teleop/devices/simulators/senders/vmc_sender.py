"""A VMC performer, played from a recording.

Settings (`--set`): send=bones or devices (headset, two controllers, a waist tracker),
bytes=1400 (most of a datagram), frames=t-pose or n-pose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.teleop.devices.base import to_unity
from telexist.teleop.devices.person import OperatorPose, SimulatedOperator
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.settings import read_settings
from telexist.teleop.devices.vmc import (
    BONE_PARENT,
    SEGMENT_BONE,
    build_bundle,
    build_osc,
)

__all__ = ["VmcSender", "simulate_vmc"]

_BONE_SEGMENT = {bone: segment for segment, bone in SEGMENT_BONE.items()}
_DEVICES = (
    ("/VMC/Ext/Hmd/Pos", "headset", "Head"),
    ("/VMC/Ext/Con/Pos", "controller_left", "LeftHand"),
    ("/VMC/Ext/Con/Pos", "controller_right", "RightHand"),
    ("/VMC/Ext/Tra/Pos", "waist", "Pelvis"),
)
_MIN_BYTES = 256
_SIZE_FIELD = 4  # [bytes] before each element of a bundle
_DEFAULTS = {"send": "bones", "bytes": "1400", "frames": "t-pose"}


@dataclass(frozen=True, slots=True, kw_only=True)
class VmcSender:
    """Turns poses into VMC datagrams.

    Attributes:
        send: "bones" or "devices".
        max_bytes: Of a datagram; a frame that is longer is split.
    """

    send: str = "bones"
    max_bytes: int = 1400

    def __post_init__(self) -> None:
        """Check the options."""
        if self.send not in ("bones", "devices"):
            raise BadInput(f"send '{self.send}': choose bones or devices")
        if not _MIN_BYTES <= self.max_bytes <= 8192:
            raise BadInput(f"bytes: {_MIN_BYTES} to 8192")

    def messages(self, pose: OperatorPose) -> tuple[bytes, ...]:
        """Return the datagrams of one frame, each with the sender's time."""
        head = [build_osc("/VMC/Ext/OK", 1), build_osc("/VMC/Ext/T", float(pose.time))]
        poses = _bones(pose) if self.send == "bones" else _devices(pose)
        datagrams, packets = [], head
        size = len(build_bundle(packets))
        for packet in poses:
            if size + len(packet) + _SIZE_FIELD > self.max_bytes:
                datagrams.append(build_bundle(packets))
                packets = head[1:]
                size = len(build_bundle(packets))
            packets = [*packets, packet]
            size += len(packet) + _SIZE_FIELD
        datagrams.append(build_bundle(packets))
        return tuple(datagrams)


def _bones(pose: OperatorPose) -> list[bytes]:
    """Return the root, which stays at the origin, and every bone in its parent."""
    names, R, p = [("/VMC/Ext/Root/Pos", "root")], [np.eye(3)], [np.zeros(3)]
    for bone, above in BONE_PARENT.items():
        i = SEGMENT_INDEX[_BONE_SEGMENT[bone]]
        names.append(("/VMC/Ext/Bone/Pos", bone))
        if above is None:
            R.append(pose.rotations[i])
            p.append(pose.positions[i])
            continue
        j = SEGMENT_INDEX[_BONE_SEGMENT[above]]
        above_R_world = pose.rotations[j].T
        R.append(above_R_world @ pose.rotations[i])
        p.append(above_R_world @ (pose.positions[i] - pose.positions[j]))
    return _packets(names, np.stack(R), np.stack(p))


def _devices(pose: OperatorPose) -> list[bytes]:
    names = [(address, serial) for address, serial, _ in _DEVICES]
    rows = [SEGMENT_INDEX[segment] for _, _, segment in _DEVICES]
    return _packets(names, pose.rotations[rows], pose.positions[rows])


def _packets(names: list[tuple[str, str]], R: Array, p: Array) -> list[bytes]:
    """Return one message a pose; R (k, 3, 3) and p (k, 3) in our axes."""
    unity_R, unity_p = to_unity(R, p)
    quats_xyzw = quat_wxyz_from_rotation(unity_R)[:, [1, 2, 3, 0]]
    numbers = np.hstack([unity_p, quats_xyzw]).tolist()
    return [
        build_osc(address, name, *row)
        for (address, name), row in zip(names, numbers, strict=True)
    ]


def simulate_vmc(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording as a VMC performer does.

    Raises:
        BadInput: If an option is wrong.
    """
    chosen = read_settings(options.settings, _DEFAULTS)
    sender = VmcSender(send=chosen.text("send"), max_bytes=chosen.whole("bytes"))
    operator = SimulatedOperator(
        read_clip(options.clip),
        height=options.operator_height,
        heading=options.heading,
        frames=chosen.text("frames"),
        noise=options.noise,
        n_pose=options.n_pose,
        loop=options.loop,
    )
    return (
        TimedPackets(time=pose.time, packets=sender.messages(pose))
        for pose in operator.poses(options.rate)
    )
