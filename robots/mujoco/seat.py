"""A seat in the world of a simulated robot, and what of the robot touches it.

A seat is a box. Only thighs touch it, with two spheres each, by a contact bit of their
own: nothing else changes with a seat in the world. It has no back and no arms.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.robot_body import RobotBody, Sole
from telexist.retarget.so3 import quat_wxyz_from_rotation
from telexist.robots.dynamics import (
    SEATED_SHANK,
    SEATED_THIGH,
    leg_shape,
    thigh_patches,
)
from telexist.robots.mujoco.robot_place import RobotPlace

__all__ = ["Seat", "add_seat", "add_thighs", "seat_for"]

SEAT_BIT = 4  # of contacts; soles and floor have 1, a fallen robot's links 2
RADIUS = 0.06  # of the legs' length: of a thigh's spheres
FRONT = 0.65  # of the thigh from the hip to the seat's front edge
ROOM = 0.4  # of the legs' length, behind the hips and beside them
FRICTION = 0.8
GROUP = 3  # of shapes, as the soles'


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A box on the floor, whose front faces where its robot does.

    Attributes:
        height: Of its top [m].
        front: Where its front edge is ahead of the robot's place [m].
        side: Where its middle is left of it [m].
        depth: From its front edge back [m].
        width: [m].
    """

    height: float
    front: float
    side: float = 0.0
    depth: float = 0.4
    width: float = 0.5

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            BadInput: If one of them has no meaning.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if not np.isfinite(value):
                raise BadInput(f"a seat's {field.name} must be finite, not {value}")
        for name in ("height", "depth", "width"):
            if getattr(self, name) <= 0.0:
                raise BadInput(f"a seat needs a {name} above 0 m")


def seat_for(body: RobotBody, height: float | None = None) -> Seat:
    """Return the seat that fits a robot whose soles' middle is at the world's origin.

    Args:
        body: The robot.
        height: Of the seat [m]; None for the one that fits its legs.

    Raises:
        BadInput: If its model tells of no legs.
    """
    legs = leg_shape(body)
    hip = float(legs.hip(SEATED_THIGH, SEATED_SHANK)[0])
    hips = body.hips(body.neutral)
    return Seat(
        height=legs.seat_height if height is None else height,
        front=hip + FRONT * legs.thigh,
        depth=FRONT * legs.thigh + ROOM * legs.length,
        width=float(np.ptp(hips[:, 1])) + 2.0 * ROOM * legs.length,
    )


def add_seat(spec: Any, seat: Seat, place: RobotPlace) -> None:
    """Put a seat into a stage before it is compiled.

    Args:
        spec: Of the robot.
        seat: The seat, seen from there.
        place: Where the robot stands.
    """
    half = np.array([seat.depth, seat.width, seat.height]) / 2.0
    middle = np.array([seat.front - half[0], seat.side, half[2]])
    spec.worldbody.add_geom(
        name="seat",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=half,
        pos=place.world_R_home @ middle + place.world_p_home,
        quat=quat_wxyz_from_rotation(place.world_R_home),
        condim=3,
        friction=[FRICTION, 0.005, 0.0001],
        contype=SEAT_BIT,
        conaffinity=0,
        rgba=[0.45, 0.35, 0.28, 1.0],
    )


def add_thighs(spec: Any, body: RobotBody) -> None:
    """Give a robot's thighs what touches seats, before the model is compiled.

    Spheres `left_thigh_0`, `left_thigh_1` and so on, and a site `left_thigh` in the
    middle of the line on which a thigh sits, with that line's axes.

    Raises:
        BadInput: If the robot's model tells of no legs.
    """
    for side, patch in thigh_patches(body).items():
        _add_thigh(spec.body(patch.link), side, patch, RADIUS * body.leg_length)


def _add_thigh(link: Any, side: str, patch: Sole, radius: float) -> None:
    quat = quat_wxyz_from_rotation(patch.link_R_sole)
    link.add_site(name=f"{side}_thigh", pos=patch.link_p_sole, quat=quat)
    for i, end in enumerate((-0.5, 0.5)):
        centre = np.array([end * patch.length, 0.0, radius])
        link.add_geom(
            name=f"{side}_thigh_{i}",
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[radius, 0.0, 0.0],
            pos=patch.link_p_sole + patch.link_R_sole @ centre,
            mass=0.0,
            condim=3,
            friction=[FRICTION, 0.005, 0.0001],
            contype=0,
            conaffinity=SEAT_BIT,
            group=GROUP,
        )
