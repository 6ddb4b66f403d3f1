"""A robot's skeleton in human terms: joint centres and where its limbs point.

Robots spread the axes of one human joint over several links, with offsets, and write
the origin of a joint anywhere on its axis. So a joint centre is the point nearest to
all axes of that joint, as near as they leave it to the next centre further out; it
depends on axes alone, never on where a model put its frames along them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import Sole
from telexist.retarget.segments import PARENT
from telexist.retarget.so3 import Array
from telexist.robots.urdf import Urdf

__all__ = ["Skeleton", "joint_centres", "nearest_point"]

TWIST = np.cos(np.radians(25.0))  # an axis this much along a limb twists it
BESIDE = 0.2  # of a limb's length: a twist axis further off is not the limb's own
SWING = np.cos(np.radians(45.0))  # an axis less along a limb than this bends the joint
ANCHOR = 1e-3  # weight of the anchor among unit weights of the axes
LIMB_CHAINS = (("UpperArm", "ForeArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Skeleton:
    """Joint centres and limb directions, fixed in links.

    Attributes:
        points: Segment to the link that carries its proximal joint centre and the
            point in link axes (3,) [m]. The far end of a forearm without a wrist is
            the point of `Hand`, carried by the forearm's link.
        limb_directions: Segment to the direction of its limb in link axes (3,).
        hinges: `ForeArm` and `LowerLeg` segments to the joint that bends them, where
            it is a single one.
    """

    points: Mapping[str, tuple[str, Array]]
    limb_directions: Mapping[str, Array]
    hinges: Mapping[str, str]


def joint_centres(
    urdf: Urdf,
    kinematics: Kinematics,
    links: Mapping[str, str],
    neutral: Configuration,
    soles: Mapping[str, Sole] | None = None,
) -> Skeleton:
    """Find the joint centres of a robot and where its limbs point.

    Args:
        urdf: The robot, for the masses at the ends of its limbs.
        kinematics: Its model; joints may be missing in it (locked ones).
        links: Human segment to robot link.
        neutral: Posture in which axes that do not meet are looked at.
        soles: "left" and "right", where known.
    """
    posed = _PosedRobot(urdf, kinematics, links, neutral)
    bones = _Bones(carriers=dict(links))
    for side in ("Left", "Right"):
        for parts in LIMB_CHAINS:
            _limb(posed, [f"{side}{part}" for part in parts], bones)
        _foot(posed, side, soles or {}, bones)
    _trunk(posed, bones.centres)
    points = {
        segment: (bones.carriers[segment], posed.in_link(bones.carriers[segment], p))
        for segment, p in bones.centres.items()
    }
    directions = {
        s: posed.turned_to_link(links[s], d) for s, d in bones.directions.items()
    }
    return Skeleton(
        points=MappingProxyType(points),
        limb_directions=MappingProxyType(directions),
        hinges=MappingProxyType(bones.hinges),
    )


@dataclass(slots=True, eq=False)
class _Bones:
    """The skeleton while it grows, in world axes."""

    carriers: dict[str, str]
    centres: dict[str, Array] = field(default_factory=dict)
    directions: dict[str, Array] = field(default_factory=dict)
    hinges: dict[str, str] = field(default_factory=dict)


def nearest_point(
    origins: Array, axes: Array, anchor: Array, weights: Array | None = None
) -> Array:
    """Return the point nearest to lines, and to the anchor where they leave it free.

    Least squares of sum_i w_i |(I - a_i a_i') (x - o_i)|^2 + epsilon |x - anchor|^2.

    Args:
        origins: A point of each line (k, 3) [m].
        axes: Unit direction of each line (k, 3).
        anchor: Point (3,) [m].
        weights: Weight of each line (k,); ones if None.
    """
    w = np.ones(len(axes)) if weights is None else weights
    P = (np.eye(3) - axes[:, :, None] * axes[:, None, :]) * w[:, None, None]
    A = P.sum(axis=0) + ANCHOR * np.eye(3)
    b = np.einsum("kij,kj->i", P, origins) + ANCHOR * anchor
    x: Array = np.linalg.solve(A, b)
    return x


class _PosedRobot:
    """A robot in one posture: axes in the world, and which joints lie between links."""

    def __init__(
        self,
        urdf: Urdf,
        kinematics: Kinematics,
        links: Mapping[str, str],
        configuration: Configuration,
    ) -> None:
        self.urdf, self.kinematics, self.links = urdf, kinematics, links
        kinematics.update(configuration)
        self.origins, self.axes = kinematics.joint_axes()

    def path(self, segment: str) -> list[int]:
        """Return the joints between a segment and the mapped one before it."""
        parent = PARENT[segment]
        while parent is not None and parent not in self.links:
            parent = PARENT[parent]
        if segment not in self.links or parent is None:
            return []
        between = self._support(segment) ^ self._support(parent)
        return [int(i) for i in np.flatnonzero(between)]

    def _support(self, segment: str) -> np.ndarray:
        frame = self.kinematics.frame(self.links[segment])
        moves: np.ndarray = self.kinematics.support(frame)[6:]
        return moves

    def centre(self, joints: Sequence[int], anchor: Array) -> Array:
        """Return the centre of joints in series; the outer axes count more."""
        if not joints:
            return anchor
        weights = 2.0 ** np.arange(len(joints))
        return nearest_point(
            self.origins[joints], self.axes[joints], anchor, weights / weights.max()
        )

    def end_of(self, segment: str) -> Array:
        """Return the centre of mass of a segment's link and all beyond it."""
        frame = self.kinematics.frame(self.links[segment])
        carried = self.kinematics.support(frame)
        total, moment = 0.0, np.zeros(3)
        farthest = self.kinematics.position(frame)
        for name, link in self.urdf.links.items():
            other = self.kinematics.frame(name)
            if np.any(carried & ~self.kinematics.support(other)):
                continue
            R, p = self.kinematics.rotation(other), self.kinematics.position(other)
            total += link.mass
            moment += link.mass * (p + R @ link.link_p_com)
            start = self.kinematics.position(frame)
            if np.linalg.norm(p - start) > np.linalg.norm(farthest - start):
                farthest = p
        return moment / total if total > 0.0 else farthest

    def in_link(self, link: str, world_p: Array) -> Array:
        """Return a world point in link axes."""
        frame = self.kinematics.frame(link)
        R, p = self.kinematics.rotation(frame), self.kinematics.position(frame)
        return np.asarray(R.T @ (world_p - p))

    def turned_to_link(self, link: str, direction: Array) -> Array:
        """Return a world direction in link axes."""
        R = self.kinematics.rotation(self.kinematics.frame(link))
        return np.asarray(R.T @ (direction / np.linalg.norm(direction)))


def _limb(posed: _PosedRobot, chain: Sequence[str], bones: _Bones) -> None:
    """Find the centres of one limb from its end inwards, then its directions."""
    mapped = [segment for segment in chain if segment in posed.links]
    if not mapped:
        return
    centres = bones.centres
    outer = end = posed.end_of(mapped[-1])
    for segment in reversed(mapped):
        centres[segment] = outer = posed.centre(posed.path(segment), outer)
    ends = {a: centres[b] for a, b in zip(mapped, mapped[1:], strict=False)}
    if mapped[-1] != chain[-1]:
        ends[mapped[-1]] = end
        if chain[-1].endswith("Hand"):
            centres[chain[-1]] = end
            bones.carriers[chain[-1]] = posed.links[mapped[-1]]
    hinge = _hinge(posed, chain[1], centres, ends)
    if hinge is not None:
        bones.hinges[chain[1]] = posed.kinematics.joints[hinge]
        o, a = posed.origins[hinge], posed.axes[hinge]
        centres[chain[1]] = o + a * float(a @ (centres[chain[1]] - o))
        if chain[0] in ends:
            ends[chain[0]] = centres[chain[1]]
    for segment, end in ends.items():
        direction = _direction(posed, segment, centres[segment], end, hinge)
        bones.directions[segment] = direction


def _hinge(
    posed: _PosedRobot,
    segment: str,
    centres: Mapping[str, Array],
    ends: Mapping[str, Array],
) -> int | None:
    """Return the only joint that bends an elbow or knee; None if there are several."""
    if segment not in ends:
        return None
    limb = ends[segment] - centres[segment]
    limb = limb / max(float(np.linalg.norm(limb)), 1e-9)
    bending = [j for j in posed.path(segment) if abs(posed.axes[j] @ limb) < SWING]
    return bending[0] if len(bending) == 1 else None


def _direction(
    posed: _PosedRobot, segment: str, start: Array, end: Array, hinge: int | None
) -> Array:
    """Return where a limb points: along its own twist axis, else centre to centre.

    A limb of a machine is built around its twist axis; elbows often lie beside it. A
    hinge's centre may be anywhere along its axis, so only what is square to it counts.
    """
    limb = end - start
    if hinge is not None:
        axis = posed.axes[hinge]
        square = limb - axis * float(axis @ limb)
        limb = square if np.linalg.norm(square) > 1e-6 else limb
    length = float(np.linalg.norm(limb))
    if length < 1e-9:
        return np.array([0.0, 0.0, -1.0])
    limb = limb / length
    for j in posed.path(segment)[-1:]:
        along = float(posed.axes[j] @ limb)
        if abs(along) > TWIST and j != hinge:
            axis, o = posed.axes[j] * np.sign(along), posed.origins[j]
            # offsets along the hinge mean nothing, those square to it do
            normal = None if hinge is None else np.cross(axis, posed.axes[hinge])
            gaps = [_off(p - o, axis, normal) for p in (start, end)]
            if max(gaps) < BESIDE * length:
                return axis
    return limb


def _off(offset: Array, axis: Array, normal: Array | None) -> float:
    """Return how far a point is off an axis, counting only `normal` if given."""
    if normal is not None:
        return abs(float(offset @ normal)) / max(float(np.linalg.norm(normal)), 1e-9)
    return float(np.linalg.norm(np.cross(axis, offset)))


def _foot(
    posed: _PosedRobot, side: str, soles: Mapping[str, Sole], bones: _Bones
) -> None:
    foot, toe = f"{side}Foot", f"{side}Toe"
    sole = soles.get(side.lower())
    if sole is not None and foot in posed.links:
        frame = posed.kinematics.frame(sole.link)
        world_R_sole = posed.kinematics.rotation(frame) @ sole.link_R_sole
        bones.directions[foot] = world_R_sole[:, 0]
    if toe in posed.links:
        bones.centres[toe] = posed.centre(posed.path(toe), posed.end_of(toe))


def _trunk(posed: _PosedRobot, centres: dict[str, Array]) -> None:
    """Find the centres of pelvis (between the hips), spine, neck, head, clavicles."""
    hips = [centres[s] for s in ("LeftUpperLeg", "RightUpperLeg") if s in centres]
    for segment in ("Pelvis", "L5", "L3", "T12", "T8", "Neck", "Head"):
        if segment in posed.links:
            joints = posed.path(segment)
            frame = posed.kinematics.frame(posed.links[segment])
            origin = posed.kinematics.position(frame)
            anchor = posed.origins[joints].mean(axis=0) if joints else origin
            centres[segment] = posed.centre(joints, anchor)
    if "Pelvis" in posed.links and hips:
        centres["Pelvis"] = np.mean(hips, axis=0)
    for side in ("Left", "Right"):
        shoulder, arm = f"{side}Shoulder", f"{side}UpperArm"
        if shoulder in posed.links and arm in centres:
            anchor = posed.origins[posed.path(shoulder)[:1]].mean(axis=0)
            centres[shoulder] = posed.centre(posed.path(shoulder), anchor)
