"""Motion capture studios, played from a recording: OptiTrack's Motive, Rokoko Studio.

Settings (`--set`) of optitrack: version=4.1 (of NatNet: 3.0 to 4.2), skeleton=NAME; of
rokoko: version=3 or 2, pack=lz4 or none, actor=NAME.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.hands import OPEN_HAND, standard_hand
from telexist.retarget.segments import SEGMENT_INDEX, SIDES
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)
from telexist.teleop.devices.base import from_unity, to_unity
from telexist.teleop.devices.optitrack import (
    MOTIVE_BONE,
    Bone,
    MocapFrame,
    Models,
    ModelSkeleton,
    ServerInfo,
    build_frame,
    build_models,
    build_server,
)
from telexist.teleop.devices.person import OperatorPose
from telexist.teleop.devices.rokoko import (
    FINGER_BONES,
    STUDIO_BONE,
    T_POSE_QUATS,
    Actor,
    StudioFrame,
    build_studio,
)
from telexist.teleop.devices.simulators.senders.body24_senders import operator_poses
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.settings import read_settings

__all__ = ["MotiveSender", "simulate_optitrack", "simulate_rokoko", "studio_actor"]

_MOTIVE_R_OURS = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
_VERSIONS = ((3, 0), (3, 1), (4, 0), (4, 1), (4, 2))
_RESTS = from_unity(
    rotation_from_quat_wxyz(
        np.array([T_POSE_QUATS[segment] for segment in STUDIO_BONE])[:, [3, 0, 1, 2]]
    ),
    np.zeros((len(STUDIO_BONE), 3)),
)[0]
_AGAIN = 60  # frames between two introductions, should one be lost


class MotiveSender:
    """Turns poses into NatNet's messages."""

    def __init__(self, *, version: tuple[int, int] = (4, 1), name: str = "Operator"):
        """Take the version and the skeleton's name.

        Raises:
            BadInput: If there is no such version.
        """
        if version not in _VERSIONS:
            known = ", ".join(f"{a}.{b}" for a, b in _VERSIONS)
            raise BadInput(f"version {version[0]}.{version[1]}: choose {known}")
        self._version = version
        self._segments = tuple(MOTIVE_BONE)
        bones = tuple(
            Bone(name=f"{name}_{bone}", number=k + 1, parent=k)
            for k, bone in enumerate(MOTIVE_BONE.values())
        )
        person = ModelSkeleton(name=name, number=1, bones=bones)
        self._models = Models(skeletons=(person,))

    def introduction(self) -> tuple[bytes, bytes]:
        """Return SERVERINFO and MODELDEF."""
        info = ServerInfo(name="Motive", version=self._version)
        return build_server(info), build_models(self._models, self._version)

    def frame(self, pose: OperatorPose, number: int) -> bytes:
        """Return FRAMEOFDATA; a bone's id holds its skeleton's in the upper half."""
        C, rows = _MOTIVE_R_OURS, [SEGMENT_INDEX[name] for name in self._segments]
        quats = quat_wxyz_from_rotation(C @ pose.rotations[rows] @ C.T)
        poses = np.hstack([pose.positions[rows] @ C.T, quats[:, [1, 2, 3, 0]]])
        bones = {(1 << 16) | (k + 1): row for k, row in enumerate(poses)}
        frame = MocapFrame(number=number, time=pose.time, skeletons={1: bones})
        return build_frame(frame, self._version)


def simulate_optitrack(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording as Motive does.

    Raises:
        BadInput: If an option is wrong.
    """
    chosen = read_settings(options.settings, {"version": "4.1", "skeleton": "Operator"})
    major, _, minor = chosen.text("version").partition(".")
    if not (major.isdecimal() and minor.isdecimal()):
        raise BadInput(f"version {chosen.text('version')}: expected such as 4.1")
    sender = MotiveSender(
        version=(int(major), int(minor)), name=chosen.text("skeleton")
    )
    return (
        TimedPackets(
            time=pose.time,
            packets=(
                *(sender.introduction() if number % _AGAIN == 0 else ()),
                sender.frame(pose, number),
            ),
        )
        for number, pose in enumerate(operator_poses(options))
    )


def simulate_rokoko(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording as Rokoko Studio does, with open hands in gloves.

    Raises:
        BadInput: If an option is wrong.
    """
    usual = {"version": "3", "pack": "lz4", "actor": "Operator"}
    chosen = read_settings(options.settings, usual)
    version, pack = chosen.whole("version"), chosen.text("pack")
    if version not in (2, 3) or pack not in ("lz4", "none"):
        raise BadInput("version: 2 or 3; pack: lz4 or none")
    name = chosen.text("actor")
    return (
        TimedPackets(
            time=pose.time,
            packets=(
                build_studio(
                    StudioFrame(time=pose.time, actors=(studio_actor(pose, name),)),
                    version=version,
                    packed=pack == "lz4",
                ),
            ),
        )
        for pose in operator_poses(options)
    )


def studio_actor(
    pose: OperatorPose, name: str, hands: Mapping[str, Array] | None = None
) -> Actor:
    """Return a pose as Studio's actor.

    Args:
        pose: In T-pose frames.
        name: Of the actor.
        hands: Side to the 25 WebXR joints of a hand with its wrist at the origin,
            (25, 3) [m]; None is open hands.
    """
    rows = [SEGMENT_INDEX[segment] for segment in STUDIO_BONE]
    names = list(STUDIO_BONE.values())
    R, p = [pose.rotations[rows] @ _RESTS], [pose.positions[rows]]
    for side in SIDES:
        i = SEGMENT_INDEX[f"{side.capitalize()}Hand"]
        points = standard_hand(OPEN_HAND, side) if hands is None else hands[side]
        fingers = points[list(FINGER_BONES)]
        names += [f"{side}{bone}" for bone in FINGER_BONES.values()]
        R.append(np.tile(pose.rotations[i], (len(fingers), 1, 1)))
        p.append(pose.positions[i] + fingers @ pose.rotations[i].T)
    unity_R, unity_p = to_unity(np.concatenate(R), np.concatenate(p))
    quats_xyzw = quat_wxyz_from_rotation(unity_R)[:, [1, 2, 3, 0]]
    poses = np.hstack([unity_p, quats_xyzw])
    return Actor(name=name, bones=dict(zip(names, poses, strict=True)))
