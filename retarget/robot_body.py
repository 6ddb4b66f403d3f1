"""What the engine knows of a robot: its model, limits, and which link plays which part.

`robots/` builds a `RobotBody` from a `robot.toml` and a URDF; the engine never asks
which robot it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.link_hull import Solids
from telexist.retarget.so3 import Array

__all__ = ["Coupling", "Mimic", "RobotBody", "Sole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sole:
    """The rectangle on which a foot stands.

    Attributes:
        link: Robot link that carries it.
        link_p_sole: Middle of the rectangle (3,) [m].
        link_R_sole: Axes of the sole (3, 3): x ahead, y left, z up (out of the floor).
        length: Along x [m].
        width: Along y [m].
    """

    link: str
    link_p_sole: Array
    link_R_sole: Array
    length: float
    width: float

    def corners(self) -> Array:
        """Return the four corners in sole axes (4, 3) [m]: toes left, right; heel."""
        x, y = self.length / 2.0, self.width / 2.0
        return np.array([[x, y, 0.0], [x, -y, 0.0], [-x, y, 0.0], [-x, -y, 0.0]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupling:
    """Linear limits on several joints at once: lower <= sum c_i q_i <= upper."""

    joints: tuple[str, ...]
    coefficients: tuple[float, ...]
    lower: float
    upper: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mimic:
    """A joint that follows another exactly: q = multiplier * q_leader + offset."""

    joint: str
    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotBody:
    """A robot as the engine sees it. Joint arrays follow `kinematics.joints`.

    Attributes:
        name: Name of the robot.
        kinematics: Its model.
        fixed_base: Whether the base is bolted to the world.
        links: Human segment name to robot link name, for the segments it can play.
        limb_directions: For each limb segment, where the limb points in link axes (3,):
            from joint centre to joint centre.
        points: For segments with a joint centre: the link that carries it and the
            point in link axes. Gives the robot a skeleton in human terms.
        neutral: Joint positions closest to N-pose, facing world x, soles (or the base)
            on the floor at the origin.
        lower: Lower position limits (n,) [rad] or [m]; -inf if there is none.
        upper: Upper position limits (n,).
        velocity: Velocity limits (n,) [rad/s] or [m/s]; inf if there is none.
        couplings: Limits on sums of joints.
        mimics: Joints that follow others.
        locked: Joints that keep their neutral position (fingers, eyes).
        soles: "left" and "right"; empty for a robot without feet.
        hands: "left" and "right" link names, where there are hands.
        weights: Weight of a segment's orientation target where it differs from the
            engine's default.
        solids: Gives its links as solids that must not meet; fitting them takes a
            while, so only who needs them asks.
    """

    name: str
    kinematics: Kinematics
    fixed_base: bool
    links: Mapping[str, str]
    limb_directions: Mapping[str, Array]
    points: Mapping[str, tuple[str, Array]]
    neutral: Configuration
    lower: Array
    upper: Array
    velocity: Array
    couplings: tuple[Coupling, ...] = ()
    mimics: tuple[Mimic, ...] = ()
    locked: tuple[str, ...] = ()
    soles: Mapping[str, Sole] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    solids: Callable[[], Solids] = Solids

    @property
    def leg_length(self) -> float:
        """Height of the hip joints over the soles in the neutral posture [m]."""
        hips = self.hips(self.neutral)
        return float(hips[:, 2].mean()) if len(hips) else 0.0

    def hips(self, posture: Configuration) -> Array:
        """Return where the hip joints are in a posture, left first (k, 3) [m]."""
        self.kinematics.update(posture)
        found = []
        for segment in ("LeftUpperLeg", "RightUpperLeg"):
            if segment in self.points:
                link, point = self.points[segment]
                frame = self.kinematics.frame(link)
                p = self.kinematics.position(frame)
                found.append(p + self.kinematics.rotation(frame) @ point)
        return np.array(found).reshape(-1, 3)
