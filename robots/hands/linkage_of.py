"""The hands of a model: what its hand links carry, for the engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.compiled import Ints
from telexist.retarget.hands import HandLinkage, RobotGripper, RobotHand, find_hand
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel, resolve_mimics
from telexist.robots.urdf import Joint, Pose, Urdf, link_hulls

__all__ = ["hand_links", "hand_linkage", "robot_hands"]

NO_LIMIT = 0.5 * np.pi  # [rad] of a joint that turns without end
MOST_SLIDE = 0.1  # [m] of a sliding joint without limits


def robot_hands(robot: RobotModel) -> dict[str, RobotHand | RobotGripper]:
    """Return what moves at a robot's hands: "left" and "right", where there is any."""
    found = {}
    for side, link in hand_links(robot).items():
        hand = find_hand(hand_linkage(robot.urdf, link), side)
        if hand is not None:
            found[side] = hand
    return found


def hand_links(robot: RobotModel) -> dict[str, str]:
    """Return the link of each hand, where the robot has one."""
    links = {}
    for side in SIDES:
        named = robot.spec.hands.get(side) or robot.spec.links.get(
            f"{side.capitalize()}Hand"
        )
        if named is not None:
            links[side] = named
    return links


def hand_linkage(urdf: Urdf, link: str) -> HandLinkage:
    """Return what a link carries: fixed joints are welded, shapes become points.

    Raises:
        UnknownName: If there is no such link.
    """
    urdf.joint_above(link)  # the name is checked here
    walk = _Walk(urdf)
    walk.down(link, 0, Pose(p=np.zeros(3), R=np.eye(3)))
    return walk.linkage()


class _Walk:
    """Walks down from a link and gathers what it meets."""

    def __init__(self, urdf: Urdf) -> None:
        self._urdf = urdf
        self._joints: list[tuple[Joint, int, Pose]] = []
        self._placed: list[list[tuple[str, Pose]]] = [[]]
        self._children: dict[str, list[Joint]] = {}
        for joint in urdf.joints.values():
            self._children.setdefault(joint.parent, []).append(joint)

    def down(self, link: str, body: int, body_T_link: Pose) -> None:
        """Take in a link and all that hangs on it."""
        waiting = [(link, body, body_T_link)]
        while waiting:
            link, body, pose = waiting.pop(0)
            self._placed[body].append((link, pose))
            for joint in self._children.get(link, ()):
                at = pose.then(joint.pose)
                if not joint.moves:
                    waiting.append((joint.child, body, at))
                    continue
                self._joints.append((joint, body, at))
                self._placed.append([])
                here = Pose(p=np.zeros(3), R=np.eye(3))
                waiting.append((joint.child, len(self._joints), here))

    def linkage(self) -> HandLinkage:
        """Return all as arrays."""
        joints = [joint for joint, _, _ in self._joints]
        index = {joint.name: i for i, joint in enumerate(joints)}
        n = len(joints)
        limits = np.array([_limits(joint) for joint in joints]).reshape(n, 2)
        leader = np.arange(n, dtype=np.int64)
        multiplier, offset = np.ones(n), np.zeros(n)
        following = resolve_mimics(self._urdf, {})
        for mimic in following.mimics:
            if mimic.joint in index and mimic.leader in index:
                i = index[mimic.joint]
                leader[i] = index[mimic.leader]
                multiplier[i], offset[i] = mimic.multiplier, mimic.offset
            elif mimic.joint in index:  # its leader is elsewhere: it stands still
                limits[index[mimic.joint]] = mimic.offset
        for name, position in following.locked.items():
            if name in index:
                limits[index[name]] = position
        _narrow(limits, leader, multiplier, offset)
        return HandLinkage(
            joints=tuple(index),
            parent=np.array([body for _, body, _ in self._joints], dtype=int),
            rotation=np.array([at.R for _, _, at in self._joints]).reshape(n, 3, 3),
            position=np.array([at.p for _, _, at in self._joints]).reshape(n, 3),
            axis=np.array([joint.axis for joint in joints]).reshape(n, 3),
            slides=np.array([joint.kind == "prismatic" for joint in joints], bool),
            lower=limits[:, 0],
            upper=limits[:, 1],
            velocity=np.array([k.limits.velocity or np.inf for k in joints]),
            leader=leader,
            multiplier=multiplier,
            offset=offset,
            points=self._points(),
            com=np.array([self._com(body) for body in range(n + 1)]),
        )

    def _points(self) -> tuple[Array, ...]:
        """Return corners of shapes and origins of fixed frames of each body."""
        names = {link for links in self._placed for link, _ in links}
        part = {name: self._urdf.links[name] for name in names}
        hulls = link_hulls(replace(self._urdf, links=part))
        corners: dict[str, list[Array]] = {}
        for hull in (*hulls.visual, *hulls.collision):
            corners.setdefault(hull.link, []).append(hull.vertices)
        bodies = []
        for links in self._placed:
            points = [pose.p[None] for _, pose in links]
            for link, pose in links:
                points += [pose.p + k @ pose.R.T for k in corners.get(link, ())]
            bodies.append(np.concatenate(points))
        return tuple(bodies)

    def _com(self, body: int) -> Array:
        """Return the centre of mass of a body (3,); zeros where nothing has mass."""
        masses, places = [], []
        for name, pose in self._placed[body]:
            link = self._urdf.links[name]
            masses.append(link.mass)
            places.append(pose.p + pose.R @ link.link_p_com)
        total = sum(masses)
        if not total > 0.0:
            return np.zeros(3)
        return np.asarray(np.average(places, axis=0, weights=masses))


def _limits(joint: Joint) -> tuple[float, float]:
    most = MOST_SLIDE if joint.kind == "prismatic" else NO_LIMIT
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is None or upper is None or joint.kind == "continuous":
        return -most, most
    return (lower, upper) if upper >= lower else (-most, most)


def _narrow(limits: Array, leader: Ints, multiplier: Array, offset: Array) -> None:
    """Let leaders go only where their followers can go, too."""
    for i in range(len(limits)):
        k = int(leader[i])
        if k == i or multiplier[i] == 0.0:
            continue
        ends = np.sort((limits[i] - offset[i]) / multiplier[i])
        lower, upper = max(ends[0], limits[k, 0]), min(ends[1], limits[k, 1])
        if lower < upper:
            limits[k] = lower, upper
