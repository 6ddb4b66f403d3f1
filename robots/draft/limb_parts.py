"""Which joints of a limb are hip or shoulder, knee or elbow, ankle or wrist.

The middle joint gives itself away: it is the only one whose axis stays far from both
ends of the limb in every posture. Shoulder axes pass near the shoulder, wrist axes
near the hand, and twist axes near one or the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.description import nearest_point
from telexist.robots.draft.body_tree import Body, Chain

__all__ = ["LimbParts", "arm_parts", "leg_parts"]

POSTURES = 128  # in which axes are looked at
TWIST = np.cos(np.radians(30.0))  # an axis this much along a limb twists it
AT_CENTRE = 0.15  # of the limb's reach: an axis nearer passes through the joint
ALSO_BENDS = 0.5  # of the middle joint's distance from both ends
MAX_WRIST = 3  # joints after the elbow; what follows is a hand's
FINGER = 0.25  # of the mass of what carries it: less is a finger, not a hand
BALL_JOINTS = 3  # axes that turn a body every way
SHOULDER_JOINTS = BALL_JOINTS  # more before the elbow belong to the clavicle
TOE_DISTANCE = 0.25  # of the shank's length between ankle and toe axes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LimbParts:
    """The bodies of a limb by human joint; each body is moved by its own joint.

    Attributes:
        girdle: Clavicle; empty for legs and most arms.
        upper: Shoulder or hip, with the twist of the upper arm or leg.
        lower: Elbow or knee, with the twist of the forearm or shank.
        outer: Wrist or ankle.
        toe: Toe joints.
    """

    girdle: list[Body]
    upper: list[Body]
    lower: list[Body]
    outer: list[Body]
    toe: list[Body]

    @property
    def bodies(self) -> list[Body]:
        """All bodies, from the trunk outwards."""
        return [*self.girdle, *self.upper, *self.lower, *self.outer, *self.toe]


def arm_parts(bodies: Sequence[Body], root: Array) -> LimbParts:
    """Split an arm; bodies beyond the wrist are left out.

    Args:
        bodies: Bodies of the arm, from the trunk outwards.
        root: Middle of the shoulder (3,) [m], roughly.
    """
    first, last = _middle_joint(bodies, root)
    upper, lower = list(bodies[:first]), list(bodies[first : last + 1])
    rest = list(bodies[last + 1 : last + 1 + MAX_WRIST])
    while rest and _is_finger(rest[-1]):
        rest.pop()
    forearm = _centre_of(rest, bodies[-1].com) - bodies[first].origin
    if len(upper) > SHOULDER_JOINTS and _is_second_twist(upper, lower[0].origin - root):
        lower.insert(0, upper.pop())
    if rest and _along(rest[0].axis, _square(forearm, bodies[first].axis)):
        lower.append(rest.pop(0))
    clavicle = max(0, len(upper) - SHOULDER_JOINTS)
    return LimbParts(
        girdle=upper[:clavicle], upper=upper[clavicle:], lower=lower, outer=rest, toe=[]
    )


def leg_parts(bodies: Sequence[Body], root: Array) -> LimbParts:
    """Split a leg.

    Args:
        bodies: Bodies of the leg, from the pelvis outwards.
        root: Middle of the hip (3,) [m], roughly.
    """
    first, last = _middle_joint(bodies, root)
    upper, lower = list(bodies[:first]), list(bodies[first : last + 1])
    rest = list(bodies[last + 1 :])
    knee = lower[0]
    shank = _square(_centre_of(rest, bodies[-1].com) - knee.origin, knee.axis)
    if len(rest) > 1 and _along(rest[0].axis, shank):
        lower.append(rest.pop(0))
    ankles = rest[:1]
    for body in rest[1:]:
        if len(ankles) == BALL_JOINTS or _is_toe(body, ankles, shank):
            break
        ankles.append(body)
    return LimbParts(
        girdle=[], upper=upper, lower=lower, outer=ankles, toe=rest[len(ankles) :]
    )


def _is_toe(body: Body, ankles: Sequence[Body], shank: Array) -> bool:
    """Whether an axis passes the ankle at a distance, as no ankle axis does."""
    if len(ankles) == 1:
        apart = _gap(ankles[0], body)
    else:
        origins = np.array([b.origin for b in ankles])
        axes = np.array([b.axis for b in ankles])
        apart = _distance(nearest_point(origins, axes, origins[0]), body)
    return apart > TOE_DISTANCE * float(np.linalg.norm(shank))


def _middle_joint(bodies: Sequence[Body], root: Array) -> tuple[int, int]:
    """Return the first and last of the joints that bend the limb in its middle."""
    chain = Chain(bodies)
    points, axes, ends = chain.axes_at(chain.samples(POSTURES))
    from_root = np.linalg.norm(np.cross(axes, root - points), axis=-1)
    from_end = np.linalg.norm(np.cross(axes, ends[:, None] - points), axis=-1)
    far = np.minimum(from_root, from_end).mean(axis=0)
    far[:1] = 0.0
    middle = int(np.argmax(far))
    reach = float(np.linalg.norm(bodies[-1].com - root))
    near = AT_CENTRE * reach
    also = [
        i
        for i, body in enumerate(bodies)
        if far[i] > ALSO_BENDS * far[middle]
        and _gap(body, bodies[middle]) < near
        and _distance(bodies[middle].origin, body) < near
    ]
    return min([middle, *also]), max([middle, *also])


def _is_finger(body: Body) -> bool:
    """Whether a body is much lighter, with all it carries, than what carries it."""
    carrier = body.parent
    return carrier is not None and body.subtree_mass < FINGER * carrier.mass


def _is_second_twist(upper: Sequence[Body], limb: Array) -> bool:
    """Whether the last of the joints twists the limb after another one did."""
    earlier = upper[-SHOULDER_JOINTS - 1 : -1]
    return _along(upper[-1].axis, limb) and any(_along(b.axis, limb) for b in earlier)


def _along(axis: Array, limb: Array) -> bool:
    return abs(float(axis @ limb)) > TWIST * float(np.linalg.norm(limb))


def _square(limb: Array, axis: Array) -> Array:
    """Return what of a limb is square to a hinge; the rest depends on its origin."""
    return np.asarray(limb - axis * float(axis @ limb))


def _centre_of(bodies: Sequence[Body], default: Array) -> Array:
    """Return where the joints after a twist are; they may all have one origin."""
    return bodies[-1].origin if len(bodies) > 1 else default


def _gap(a: Body, b: Body) -> float:
    """Return the distance of two axes [m]."""
    normal = np.cross(a.axis, b.axis)
    length = float(np.linalg.norm(normal))
    if length < 0.1:
        return _distance(b.origin, a)
    return abs(float(normal @ (a.origin - b.origin))) / length


def _distance(point: Array, body: Body) -> float:
    return float(np.linalg.norm(np.cross(body.axis, point - body.origin)))
