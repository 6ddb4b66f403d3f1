"""Which axis of which board is which joint of the model: by name alone.

The order of axes differs between robots (an iCub 2.5's torso is yaw roll pitch, an iCub
3's roll pitch yaw), so no order is ever assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from telexist.retarget.errors import RobotLost
from telexist.robots.yarp.boards.board_rpc import BoardAxis

__all__ = ["NO_JOINT", "AxisMap", "BoardJoint", "map_axes"]

FINGERS = re.compile(r"[lr]_(hand_finger|(thumb|index|middle|ring|pinky|little)\w*)$")
EYES = re.compile(r"(eyes?_\w+|camera_tilt)$")
BEYOND_MODELS = re.compile(rf"({FINGERS.pattern}|{EYES.pattern}|lids\w*$)")
"""Axes that boards have and models lack: left alone unless they are asked for."""

NO_JOINT = -1  # in place of a joint's number: the model has no such joint


@dataclass(frozen=True, slots=True)
class BoardJoint:
    """One joint of the model on its board.

    Attributes:
        joint: Its number in the model; `NO_JOINT` for fingers and eyes.
        name: Its name.
        part: Of the board.
        axis: Its number on the board.
        limits: What the board tells.
    """

    joint: int
    name: str
    part: str
    axis: int
    limits: BoardAxis


@dataclass(frozen=True, slots=True)
class AxisMap:
    """The joints that are driven, and the axes that are left alone.

    Attributes:
        joints: In the model's order.
        fingers: Axes of fingers that are driven, too.
        eyes: Axes of eyes that are driven, too.
        left_alone: Names of the other axes.
        undriven: Joints of the model on no board that was chosen.
    """

    joints: tuple[BoardJoint, ...]
    left_alone: tuple[str, ...]
    undriven: tuple[str, ...]
    fingers: tuple[BoardJoint, ...] = ()
    eyes: tuple[BoardJoint, ...] = ()

    @property
    def driven(self) -> tuple[BoardJoint, ...]:
        """All axes that are driven: joints, fingers, eyes."""
        return self.joints + self.fingers + self.eyes


def map_axes(
    joints: Sequence[str],
    boards: Mapping[str, Sequence[BoardAxis]],
    *,
    all_joints: bool,
    fingers: bool = False,
    eyes: bool = False,
) -> AxisMap:
    """Find every joint's axis.

    Args:
        joints: Of the model, in its order.
        boards: Part to the axes of its board, in the board's order.
        all_joints: Whether every joint must be on a board.
        fingers: Whether to drive fingers that the model lacks.
        eyes: Whether to drive eyes that the model lacks.

    Raises:
        RobotLost: If an axis is unknown or stands twice, or a joint is missing.
    """
    found: dict[str, BoardJoint] = {}
    left_alone = []
    beyond: dict[re.Pattern[str], list[BoardJoint]] = {FINGERS: [], EYES: []}
    wanted = [kind for kind, on in ((FINGERS, fingers), (EYES, eyes)) if on]
    for part, axes in boards.items():
        for number, axis in enumerate(axes):
            if axis.name in found:
                twice = f"{found[axis.name].part} and {part}"
                raise RobotLost(f"the axis {axis.name} is on two boards: {twice}")
            if axis.name in joints:
                joint = list(joints).index(axis.name)
                found[axis.name] = BoardJoint(joint, axis.name, part, number, axis)
            elif kinds := [kind for kind in wanted if kind.match(axis.name)]:
                more = BoardJoint(NO_JOINT, axis.name, part, number, axis)
                beyond[kinds[0]].append(more)
            elif BEYOND_MODELS.match(axis.name):
                left_alone.append(axis.name)
            else:
                raise RobotLost(
                    f"{part}: the axis {axis.name} is no joint of the model: is this "
                    "the right --robot? Nothing is driven"
                )
    missing = tuple(name for name in joints if name not in found)
    if missing and (all_joints or not found):
        raise RobotLost(
            f"no board has the joint {', '.join(missing)}: choose what to drive with "
            "--backend yarp?parts=torso,left_arm, or another --robot"
        )
    ours = sorted(found.values(), key=lambda item: item.joint)
    return AxisMap(
        tuple(ours),
        tuple(left_alone),
        missing,
        fingers=tuple(beyond[FINGERS]),
        eyes=tuple(beyond[EYES]),
    )
