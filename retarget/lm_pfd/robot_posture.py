"""LM-PFD on a robot: the posture for given targets from a start that may be far away.

    found = solve_robot_posture(body, body.neutral, targets)

LM-PFD itself knows no limits. A joint that ends outside its own is put on it and
becomes part of the link behind it, and the others are solved again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.ik import JointRoles, Targets
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.lm_pfd.layout import build_problem
from telexist.retarget.lm_pfd.model import Link, LinkModel, PoseTarget, Posture
from telexist.retarget.lm_pfd.settings import LmSettings, LmSolution
from telexist.retarget.lm_pfd.solver import ArticulatedSteps, solve
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, exp_so3, log_so3
from telexist.retarget.tree import Tree

__all__ = ["RobotPosture", "robot_model", "robot_targets", "solve_robot_posture"]

ROUNDS = 12  # of putting joints on their limits
SETTINGS = LmSettings(iterations=200, cost=1e-16, gradient=1e-10)


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotPosture:
    """Where a robot should be.

    Attributes:
        configuration: Inside all position limits.
        solution: How the last iterations ended.
    """

    configuration: Configuration
    solution: LmSolution


def solve_robot_posture(
    body: RobotBody,
    start: Configuration,
    targets: Targets,
    settings: LmSettings = SETTINGS,
) -> RobotPosture:
    """Find the posture that meets the targets best, without regard to speed.

    Args:
        body: The robot; couplings between its joints are not looked at.
        start: Where to begin.
        targets: Wanted orientations and places.
        settings: When to stop.

    Raises:
        BadInput: If the start is not finite.
    """
    if not (np.isfinite(start.q).all() and np.isfinite(start.world_p_base).all()):
        raise BadInput("the start of an IK solve is not finite")
    roles, tree = JointRoles(body), body.kinematics.tree()
    held = {int(i): float(start.q[i]) for i in np.flatnonzero(roles.held)}
    at, wanted = start, robot_targets(body.kinematics, targets)
    for _ in range(ROUNDS):
        model = robot_model(body, at, held)
        problem = build_problem(model, wanted, settings)
        solution = solve(
            problem, ArticulatedSteps(), _posture(model, tree, at, held), settings
        )
        at = _configuration(body, tree, solution.posture, at, held)
        outside = np.flatnonzero((at.q < roles.lower) | (at.q > roles.upper))
        at.q[:] = np.clip(at.q, roles.lower, roles.upper)
        if len(outside) == 0:
            break
        held |= {int(i): float(at.q[i]) for i in outside}
    return RobotPosture(configuration=at, solution=solution)


def robot_model(
    body: RobotBody, at: Configuration, held: Mapping[int, float]
) -> LinkModel:
    """Return a robot as links on joints; link i + 1 is called `i`, the base `base`.

    Args:
        body: The robot.
        at: Where its base is, if it is bolted down.
        held: Joints that do not move, and where they are.
    """
    tree = body.kinematics.tree()
    base = Link(name="base", joint="free")
    if body.fixed_base:
        R, p = at.world_R_base, at.world_p_base
        base = Link(name="base", joint="fixed", rest_R=R, rest_p=p)
    return LinkModel(
        links=(base, *(_link(tree, i, held.get(i)) for i in range(len(tree.parent))))
    )


def _link(tree: Tree, i: int, held: float | None) -> Link:
    parent, p, R = tree.parent[i], tree.position[i], tree.rotation[i]
    name, on = str(i), "base" if parent == 0 else str(parent - 1)
    if tree.ball[i]:
        kind = "spherical" if tree.ball[i] == 1 else "fixed"
        return Link(name=name, parent=on, joint=kind, rest_p=p, rest_R=R)
    if held is None:
        kind = "prismatic" if tree.slides[i] else "revolute"
        return Link(
            name=name, parent=on, joint=kind, rest_p=p, rest_R=R, axis=tree.axis[i]
        )
    if tree.slides[i]:
        p = p + R @ tree.axis[i] * held
    else:
        R = R @ exp_so3(held * tree.axis[i])
    return Link(name=name, parent=on, joint="fixed", rest_p=p, rest_R=R)


def robot_targets(kinematics: Kinematics, targets: Targets) -> list[PoseTarget]:
    """Return targets on the links of `robot_model`."""
    found, wanted = [], targets.orientations
    for k, frame in enumerate(wanted.frames):
        carrier, body_R_link, _ = kinematics.attachment(frame)
        weight = np.zeros((6, 6))
        root = wanted.axes[k] * np.sqrt(wanted.weights[k])
        weight[:3, :3] = root @ root.T
        found.append(
            PoseTarget(
                link=_name(carrier),
                world_p_goal=np.zeros(3),
                world_R_goal=wanted.world_R_link[k] @ body_R_link.T,
                weight=0.5 * (weight + weight.T),
            )
        )
    for point in targets.points:
        carrier, body_R_link, body_p_link = kinematics.attachment(point.frame)
        found.append(
            PoseTarget(
                link=_name(carrier),
                world_p_goal=np.where(point.weights > 0.0, point.world_p_goal, 0.0),
                weight=np.diag([0.0, 0.0, 0.0, *point.weights]),
                link_p_point=body_p_link + body_R_link @ point.link_p_point,
            )
        )
    return found


def _name(body: int) -> str:
    return "base" if body == 0 else str(body - 1)


def _posture(
    model: LinkModel, tree: Tree, at: Configuration, held: Mapping[int, float]
) -> Posture:
    n = len(model.links)
    turns, slides = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))
    if model.links[0].joint == "free":
        turns[0], slides[0] = at.world_R_base, at.world_p_base
    for i, link in enumerate(model.links[1:]):
        if link.joint == "spherical":
            turns[i + 1] = exp_so3(at.q[i : i + 3])
        elif link.joint == "prismatic":
            slides[i + 1] = at.q[i] * tree.axis[i]
        elif link.joint == "revolute":
            turns[i + 1] = exp_so3(at.q[i] * tree.axis[i])
    return Posture(turns=turns, slides=slides)


def _configuration(
    body: RobotBody,
    tree: Tree,
    posture: Posture,
    before: Configuration,
    held: Mapping[int, float],
) -> Configuration:
    q = before.q.copy()
    for i in range(len(q)):
        if tree.ball[i] == 1:
            q[i : i + 3] = log_so3(posture.turns[i + 1])
        elif tree.ball[i] or i in held:
            continue
        elif tree.slides[i]:
            q[i] = posture.slides[i + 1] @ tree.axis[i]
        else:
            angle = float(log_so3(posture.turns[i + 1]) @ tree.axis[i])
            q[i] = _turned_inside(angle, before.q[i], body.lower[i], body.upper[i])
    free = not body.fixed_base
    return Configuration(
        world_p_base=posture.slides[0] if free else before.world_p_base,
        world_R_base=posture.turns[0] if free else before.world_R_base,
        q=q,
    )


def _turned_inside(angle: float, near: float, lower: float, upper: float) -> float:
    """Return the angle, whole turns apart, that is inside the limits or nearest."""
    turns = 2.0 * np.pi * np.arange(-2, 3)
    choices: Array = (
        angle + np.round((near - angle) / (2.0 * np.pi)) * 2.0 * np.pi + turns
    )
    outside = np.maximum(np.maximum(lower - choices, choices - upper), 0.0)
    best = np.lexsort((np.abs(choices - near), outside))[0]
    return float(choices[best])
