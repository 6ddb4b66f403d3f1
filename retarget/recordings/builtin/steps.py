"""Feet that stay where they stand: steps, the feet's paths, the support under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings.builtin.tracks import blurred_path, key_path
from telexist.retarget.so3 import Array, rotation_y, rotation_z

__all__ = ["BodyPath", "FootPath", "Place", "Step", "body_path", "foot_path"]

Keys = list[tuple[float, float]]

SUPPORT_BLUR = 0.9  # [s] much like a pendulum of a body's height
HEEL_RISES_BEFORE = 0.12  # [s] the heel leaves the floor before the toes do
STANDING_SHIFT = 0.6  # [s] in which the weight moves between one foot and both


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a foot stands: the point under its ankle, and where it points.

    Attributes:
        x: Ahead in the world [m].
        y: To the left in the world [m].
        yaw: Turn to the left [rad], not wrapped.
    """

    x: float
    y: float
    yaw: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One foot lifted from where it stands and put down again.

    Attributes:
        side: `Left` or `Right`.
        start: When the toes leave the floor [s].
        end: When the foot stands again [s].
        place: Where it stands then.
        lift: Greatest height over the floor [m].
        hold: How long it stays there [s].
        roll: Greatest angle of the heel's rise [rad].
        settle: How long before and after it the weight rests on the other foot [s].
        advance: How far the support moves ahead under the other foot meanwhile [m].
    """

    side: str
    start: float
    end: float
    place: Place
    lift: float
    hold: float = 0.0
    roll: float = 0.0
    settle: float = 0.0
    advance: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FootPath:
    """A foot over time.

    Attributes:
        ankle: Position of the ankle (t, 3) [m].
        ball: Position of the ball, where the toes begin (t, 3) [m].
        foot: `world_R_foot` (t, 3, 3).
        toe: `world_R_toe` (t, 3, 3); toes stay level.
    """

    ankle: Array
    ball: Array
    foot: Array
    toe: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPath:
    """What the body does over its feet.

    Attributes:
        com: Where the centre of mass should be, from above (t, 2) [m].
        yaw: Heading of the pelvis (t,) [rad].
    """

    com: Array
    yaw: Array


def foot_path(
    size: HumanSize, side: str, steps: Sequence[Step], time: Array
) -> FootPath:
    """Move one foot through its steps; between them it is exactly still.

    Args:
        size: The person; the feet start where the N-pose has them.
        side: `Left` or `Right`.
        steps: Steps of both feet in order of time.
        time: (t,) [s].
    """
    ankle, ball = size.joints[f"{side}Foot"], size.joints[f"{side}Toe"]
    x: Keys = [(-1.0, float(ball[0]))]
    y: Keys = [(-1.0, float(ball[1]))]
    z: Keys = [(-1.0, float(ball[2]))]
    yaw: Keys = [(-1.0, 0.0)]
    pitch: Keys = [(-1.0, 0.0)]
    for step in (step for step in steps if step.side == side):
        place = step.place
        forth = rotation_z(place.yaw) @ (ball - ankle)
        for keys, goal in (
            (x, place.x + float(forth[0])),
            (y, place.y + float(forth[1])),
            (yaw, place.yaw),
        ):
            keys += [(step.start, keys[-1][1]), (step.end, goal)]
        z += _lift_keys(step, float(ball[2]))
        pitch += _roll_keys(step)
    toe = rotation_z(key_path(yaw, time))
    foot = toe @ rotation_y(key_path(pitch, time))
    world_p_ball = np.stack([key_path(keys, time) for keys in (x, y, z)], axis=-1)
    return FootPath(
        ankle=world_p_ball + foot @ (ankle - ball),
        ball=world_p_ball,
        foot=foot,
        toe=toe,
    )


def _lift_keys(step: Step, floor: float) -> Keys:
    middle = (step.start + step.end) / 2.0
    keys = [(step.start, floor), (middle - step.hold / 2.0, floor + step.lift)]
    if step.hold > 0.0:
        keys.append((middle + step.hold / 2.0, floor + step.lift))
    return [*keys, (step.end, floor)]


def _roll_keys(step: Step) -> Keys:
    duration = step.end - step.start
    if step.hold > 0.0:
        middle = (step.start + step.end) / 2.0
        return [
            (step.start - HEEL_RISES_BEFORE, 0.0),
            (middle - step.hold / 2.0, step.roll),
            (middle + step.hold / 2.0, step.roll),
            (step.end, 0.0),
        ]
    return [
        (step.start - HEEL_RISES_BEFORE, 0.0),
        (step.start + 0.15 * duration, step.roll),
        (step.start + 0.75 * duration, 0.0),
    ]


def body_path(
    size: HumanSize, steps: Sequence[Step], neutral_com: Array, time: Array
) -> BodyPath:
    """Plan the centre of mass over the standing feet, and the heading.

    Args:
        size: The person.
        steps: Steps of both feet in order of time, not overlapping.
        neutral_com: Centre of mass in N-pose (3,) [m].
        time: (t,) [s].
    """
    standing = {
        side: Place(x=0.0, y=float(size.joints[f"{side}Foot"][1]), yaw=0.0)
        for side in ("Left", "Right")
    }
    ahead = float(neutral_com[0])
    support: list[tuple[float, Array]] = [(-1.0, _between(standing, ahead))]
    yaw: Keys = [(-1.0, 0.0)]
    for i, step in enumerate(steps):
        carrier = standing["Left" if step.side == "Right" else "Right"]
        first, last = step.start - step.settle, step.end + step.settle
        if first - support[-1][0] > 2.0 * STANDING_SHIFT:
            support.append((first - STANDING_SHIFT, _between(standing, ahead)))
        support.append((first, _under(carrier, ahead)))
        support.append((last, _under(carrier, ahead + step.advance)))
        yaw.append((step.start, _heading(standing)))
        standing[step.side] = step.place
        yaw.append((step.end, _heading(standing)))
        alone = i + 1 == len(steps) or steps[i + 1].start - last > 3 * STANDING_SHIFT
        if alone:
            support.append((last + STANDING_SHIFT, _between(standing, ahead)))
    com = [
        blurred_path(
            [(t, float(p[axis])) for t, p in support], time, width=SUPPORT_BLUR
        )
        for axis in (0, 1)
    ]
    return BodyPath(
        com=np.stack(com, axis=-1),
        yaw=blurred_path(yaw, time, width=SUPPORT_BLUR / 2.0),
    )


def _under(place: Place, ahead: float) -> Array:
    """Return the point a little ahead of the ankle, from above."""
    forth = rotation_z(place.yaw) @ np.array([ahead, 0.0, 0.0])
    return np.array([place.x, place.y]) + forth[:2]


def _between(standing: dict[str, Place], ahead: float) -> Array:
    return np.mean([_under(place, ahead) for place in standing.values()], axis=0)


def _heading(standing: dict[str, Place]) -> float:
    return float(np.mean([place.yaw for place in standing.values()]))
