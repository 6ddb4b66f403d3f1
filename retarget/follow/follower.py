"""A robot that follows a person, as records, for compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import Records
from telexist.retarget.distance import Nearness, copied, lay_out_solids
from telexist.retarget.follow.limbs import LIMB_SEGMENTS, limb_joints, start_postures
from telexist.retarget.follow.segment_weights import segment_weights
from telexist.retarget.follow.straight_limbs import ABOVE, straightest
from telexist.retarget.human_size import HumanSize
from telexist.retarget.ik import IkSettings, Mechanism, make_mechanism
from telexist.retarget.robot_body import RobotBody, Sole
from telexist.retarget.rotation_map import fixed_rotation_map, reference_segment
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS, SIDES
from telexist.retarget.so3 import Array
from telexist.retarget.solids import on_bodies

__all__ = [
    "FLAT",
    "FLAT_WEIGHT",
    "HEEL",
    "PAUSE",
    "SWING",
    "TOE",
    "TRAVEL",
    "FollowRecords",
    "make_follower",
]

SWING, FLAT, HEEL, TOE = 0, 1, 2, 3
"""How a foot meets the floor: not at all, whole, on the heel, on the ball."""

TRAVEL = 4
"""The point target by which the base travels; 0 to 3 belong to the feet."""

FLAT_WEIGHT = 1e3  # [1/rad^2] of a planted sole's orientation
LEAN_WEIGHT = 30.0  # [1/rad^2] about an axis for which the robot has no ankle joint
ANKLE = 0.3  # cosine to an axis of the sole from which an ankle joint turns about it

PAUSE = 0.05  # [s] between two comparisons of a limb with its rival

LEG_PARTS = ("UpperLeg", "LowerLeg", "Foot")
BALLS: Mapping[str, float] = MappingProxyType(
    {"LowerLeg": 0.09, "ForeArm": 0.07, "Hand": 0.08}
)
"""Joints that must stay above the floor, and how thick they are in parts of the leg."""

LEG = 0.9  # [m] leg of the person for whom contact thresholds are stated

LINK = np.dtype(
    [
        ("segment", "i8"),  # that the target of the same number follows, or -1
        ("human_R_body", "f8", (3, 3)),  # the fixed rotation map
        ("weight", "f8", (3,)),  # about the segment's own axes
        ("above", "i8"),  # segment above a limb that stays bent, or -1
        ("lean", "f8", (3,)),  # where such a limb points at its straightest
    ],
    align=True,
)
"""How one orientation target comes from a segment."""

FOOT = np.dtype(
    [
        ("present", "i8"),  # whether the robot has this sole
        ("segment", "i8"),  # the person's foot
        ("body", "i8"),  # that carries the sole
        ("target", "i8"),  # orientation target that turns that body
        ("leg", "i8", (2,)),  # orientation targets of thigh and shank, or -1
        ("corners", "f8", (4, 3)),  # of the sole, on the body [m]
        ("pivots", "f8", (4, 3)),  # point that rests in each state, on the body [m]
        ("body_R_sole", "f8", (3, 3)),
        ("firm", "f8", (3,)),  # weights of a planted sole: about ahead, left, up
        ("human_points", "f8", (2, 3)),  # heel and ball of the person, foot axes [m]
        ("ankle", "f8"),  # height of the person's ankle on a flat foot [m]
        ("chain", "i8", (4,)),  # turns from pelvis to foot, then -1
        # what changes
        ("stood", "i8", (3,)),  # whether heel, ball and the flat foot stood
        ("state", "i8"),  # SWING, FLAT, HEEL or TOE
        ("anchor", "f8", (3,)),  # where the pivot rests [m]
        ("yaw", "f8"),  # of the planted sole [rad]
        (
            "human_place",
            "f8",
            (2,),
        ),  # what the person's foot rests on, had it not crept
        ("moved", "f8", (2,)),  # how far the anchor has crept after it [m]
        ("slow", "f8"),  # time for which the person's ankle has been low and slow [s]
        ("free", "f8"),  # time since the foot left the floor [s]
        ("planted", "i8"),  # whether the sole bears load
        ("wanted", "f8", (3, 3)),  # orientation of the body that follows the person
        ("since", "f8"),  # time since it rests on what it rests on [s]
        (
            "demand",
            "f8",
            (3,),
        ),  # mean of how far it shall go: x, y [m], yaw [rad]
        ("asked", "f8", (2, 3)),  # where it was asked to be at the last two frames
        ("bend", "f8", (3,)),  # second difference of that at the last frame
        ("tremor", "f8", (2,)),  # variance of its noise: place [m^2], yaw [rad^2]
    ],
    align=True,
)
"""One foot of the person and one sole of the robot; 0 is left, 1 right."""

LIMB = np.dtype(
    [
        ("stands", "i8"),  # whether it carries a sole
        ("wait", "f8"),  # time until it is compared with its rival [s]
        ("next", "i8"),  # posture to try then
        ("regret", "f8"),  # by how much the rival was better, summed over time [s]
        ("start", "f8"),  # time until it sets out for its rival, or 0 [s]
        ("detour", "f8"),  # time that is left to get to another posture, or 0 [s]
    ],
    align=True,
)
"""A limb that may have to leave a posture in which it is caught."""

PERSON = np.dtype(
    [
        ("reference", "i8"),  # segment to which targets are relative, -1: the world
        ("scale", "f8"),  # robot's leg length over the person's
        ("unit", "f8"),  # person's leg length over 0.9 m: thresholds scale with it
        ("leg", "f8"),  # robot's leg length [m]
        ("floor", "f8"),  # height of the floor where the person is [m]
        ("R", "f8", (len(SEGMENTS), 3, 3)),  # segments at the last frame
        ("seen", "i8", (len(SEGMENTS),)),  # which of them were shown
        ("w", "f8", (len(SEGMENTS), 3)),  # angular velocities then [rad/s]
        ("p", "f8", (len(SEGMENTS), 3)),  # places then [m]
        ("v", "f8", (len(SEGMENTS), 3)),  # velocities then [m/s]
    ],
    align=True,
)
"""The person who is followed."""


class FollowRecords(NamedTuple):
    """Everything one compiled frame works on; changed in place.

    Attributes:
        m: The robot, its targets and the solver.
        links: `LINK`, one for each of the mechanism's orientation targets (k,).
        feet: `FOOT` (2,).
        person: `PERSON` (1,).
        limbs: `LIMB` (l,).
        limb_joints: Joints of each limb (l, n).
        limb_targets: Orientation targets of each limb (l, k).
        postures: From which limbs are started (p, n).
        rivals: Other postures that may be better, one for each limb (l, n).
    """

    m: Mechanism
    links: Records
    feet: Records
    person: Records
    limbs: Records
    limb_joints: NDArray[np.bool_]
    limb_targets: NDArray[np.bool_]
    postures: Array
    rivals: Array


def make_follower(
    body: RobotBody,
    size: HumanSize,
    settings: IkSettings,
    *,
    feet: bool,
    distances: bool = False,
) -> FollowRecords:
    """Prepare a robot to follow a person.

    Args:
        body: The robot.
        size: The person.
        settings: Of the inverse kinematics.
        feet: Whether the robot's soles follow the person's contacts.
        distances: Whether its links keep away from each other and off the floor.
    """
    soles = body.soles if feet and not body.fixed_base else {}
    links, carriers = _links(body, soles)
    balls = _balls(body) if soles else []
    mechanism = make_mechanism(
        body,
        settings,
        orientations=len(links),
        points=TRAVEL + 1,
        floor=4 * len(soles) + len(balls),
        near=_nearness(body, soles) if distances else None,
    )
    mechanism.orientations["body"] = carriers
    foot = _feet(body, soles, carriers, size)
    there = foot[foot["present"] != 0]
    corners = mechanism.floor[: 4 * len(there)]
    other = mechanism.floor[len(corners) : len(corners) + len(balls)]
    corners["body"] = np.repeat(there["body"], 4)
    corners["point"] = there["corners"].reshape(-1, 3)
    for spot, ball in zip(other, balls, strict=True):
        spot["body"], spot["point"], spot["radius"] = ball
    person = np.zeros(1, dtype=PERSON)
    reference, leg = reference_segment(body), body.leg_length
    person["reference"] = -1 if reference is None else SEGMENT_INDEX[reference]
    person["scale"] = leg / size.leg_length if leg > 0.0 else 1.0
    person["unit"] = size.leg_length / LEG
    person["leg"] = person["scale"] * size.leg_length
    person["R"] = np.eye(3)
    segments = [SEGMENTS[k] if k >= 0 else "" for k in links["segment"]]
    parts = [part for part in LIMB_SEGMENTS if limb_joints(body, part).any()]
    limbs = np.zeros(len(parts), dtype=LIMB)
    limbs["stands"] = [bool(soles) and "Leg" in part[0] for part in parts]
    # one limb after the other: a comparison takes longer than a step
    limbs["wait"] = PAUSE * np.arange(len(parts)) / max(len(parts), 1)
    postures = start_postures(body)
    return FollowRecords(
        m=mechanism,
        links=links,
        feet=foot,
        person=person,
        limbs=limbs,
        limb_joints=np.array(
            [limb_joints(body, part) for part in parts], dtype=np.bool_
        ).reshape(-1, body.kinematics.n),
        limb_targets=np.array(
            [[segment in part for segment in segments] for part in parts],
            dtype=np.bool_,
        ).reshape(-1, len(segments)),
        postures=postures,
        rivals=np.tile(postures[0], (len(parts), 1)),
    )


def _nearness(body: RobotBody, soles: Mapping[str, Sole]) -> Nearness:
    """Return the robot's solids; all but the feet stay off the floor."""
    kinematics = body.kinematics
    near = copied(_laid_out(body))
    frames = [kinematics.frame(sole.link) for sole in soles.values()]
    feet = [kinematics.attachment(frame)[0] for frame in frames]
    if feet:
        near.balls["guarded"] = ~np.isin(near.balls["body"], feet)
    return near


@lru_cache(maxsize=8)
def _laid_out(body: RobotBody) -> Nearness:
    """Return a robot's solids as records, to be copied: robots are few."""
    solids = body.solids()
    carriers, hulls = on_bodies(body.kinematics, solids.hulls)
    return lay_out_solids(carriers, hulls, solids.meetings)


def _balls(body: RobotBody) -> list[tuple[int, Array, float]]:
    """Return balls around knees, elbows and wrists: body, middle and radius."""
    kinematics, found = body.kinematics, []
    for segment, size in BALLS.items():
        for side in SIDES:
            name = f"{side.capitalize()}{segment}"
            if name not in body.points:
                continue
            link, point = body.points[name]
            carrier, R, p = kinematics.attachment(kinematics.frame(link))
            found.append((carrier, p + R @ point, size * body.leg_length))
    return found


def _links(body: RobotBody, soles: Mapping[str, Sole]) -> tuple[Records, list[int]]:
    """Return how each orientation target is found, and the body that it turns."""
    kinematics, maps = body.kinematics, fixed_rotation_map(body)
    leans = straightest(body)
    found, carriers = [], []
    for segment, link in body.links.items():
        carrier, body_R_link, _ = kinematics.attachment(kinematics.frame(link))
        weights = segment_weights(segment, body.weights)
        above = SEGMENT_INDEX[ABOVE[segment]] if segment in leans else -1
        lean = leans.get(segment, np.zeros(3))
        human_R_body = maps[segment] @ body_R_link.T
        found.append((SEGMENT_INDEX[segment], human_R_body, weights, above, lean))
        carriers.append(carrier)
    for sole in soles.values():
        carrier = kinematics.attachment(kinematics.frame(sole.link))[0]
        if carrier not in carriers:
            found.append((-1, np.eye(3), np.zeros(3), -1, np.zeros(3)))
            carriers.append(carrier)
    return np.array(found, dtype=LINK), carriers


def _feet(
    body: RobotBody, soles: Mapping[str, Sole], carriers: list[int], size: HumanSize
) -> Records:
    kinematics = body.kinematics
    feet = np.zeros(2, dtype=FOOT)
    for foot, side in zip(feet, SIDES, strict=True):
        foot["segment"] = SEGMENT_INDEX[f"{side.capitalize()}Foot"]
        foot["human_points"] = _human_points(size, side)
        foot["ankle"] = size.joints[f"{side.capitalize()}Foot"][2]
        foot["free"] = np.inf
        if side not in soles:
            continue
        sole = soles[side]
        carrier, R, p = kinematics.attachment(kinematics.frame(sole.link))
        foot["present"], foot["body"] = 1, carrier
        foot["target"] = carriers.index(carrier)
        foot["chain"], foot["leg"] = _chain(body, side), _leg(body, side)
        foot["body_R_sole"] = R @ sole.link_R_sole
        foot["firm"] = _firmness(body, side, sole)
        middle = p + R @ sole.link_p_sole
        ahead = foot["body_R_sole"][:, 0] * sole.length / 2.0
        foot["corners"] = middle + sole.corners() @ foot["body_R_sole"].T
        foot["pivots"][FLAT] = middle
        foot["pivots"][HEEL], foot["pivots"][TOE] = middle - ahead, middle + ahead
    return feet


def _chain(body: RobotBody, side: str) -> list[int]:
    """Return the orientation targets from pelvis to foot, then -1 for missing ones."""
    order, name = list(body.links), side.capitalize()
    parts = ("Pelvis", *(f"{name}{part}" for part in LEG_PARTS))
    found = [order.index(part) for part in parts if part in order]
    return found + [-1] * (len(parts) - len(found))


def _leg(body: RobotBody, side: str) -> list[int]:
    """Return the orientation targets of thigh and shank, -1 where there is none."""
    order = list(body.links)
    names = [f"{side.capitalize()}{part}" for part in LEG_PARTS[:2]]
    return [order.index(name) if name in order else -1 for name in names]


def _firmness(body: RobotBody, side: str, sole: Sole) -> Array:
    """Return how firmly a planted sole is held about its axes (3,).

    Without an ankle that rolls a sole lies flat only if shank, thigh and pelvis lean
    for it: that is asked for, but not at any price.
    """
    kinematics, shank = body.kinematics, f"{side.capitalize()}LowerLeg"
    weights = np.full(3, FLAT_WEIGHT)
    if shank not in body.links:
        return weights
    kinematics.update(body.neutral)
    foot = kinematics.frame(sole.link)
    ankle = kinematics.support(foot) & ~kinematics.support(
        kinematics.frame(body.links[shank])
    )
    axes = kinematics.angular_columns()[:, ankle]
    turns = np.abs((kinematics.rotation(foot) @ sole.link_R_sole).T @ axes)
    for axis in range(2):
        if not np.any(turns[axis] > ANKLE):
            weights[axis] = LEAN_WEIGHT
    return weights


def _human_points(size: HumanSize, side: str) -> Array:
    """Return heel and ball on the sole of the person, in foot axes (2, 3)."""
    name = side.capitalize()
    foot = size.joints[f"{name}Foot"]
    ball = size.joints[f"{name}Toe"] * np.array([1.0, 1.0, 0.0])
    return np.array([size.tips[f"{name}Heel"] - foot, ball - foot])
