"""A robot's tree as trainers see it, from its model."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.retarget.training import ModelTree, depth_first
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.urdf import Urdf

__all__ = ["model_tree"]


def model_tree(model: RobotModel) -> ModelTree:
    """Return the moving bodies of a robot; what is welded to them is merged.

    Children come in the order of the model's file, as MuJoCo and Isaac read it.
    """
    urdf, body = model.urdf, model.body
    kinematics = body.kinematics
    links = depth_first(_links_below(urdf), urdf.root)
    placed = [kinematics.attachment(kinematics.frame(link)) for link in links]
    link_body = np.array([number for number, _, _ in placed], dtype=np.int64)
    body_R_link = np.array([R for _, R, _ in placed])
    body_p_link = np.array([p for _, _, p in placed])
    moved = {joint: urdf.joints[joint].child for joint in kinematics.joints}
    bodies = (urdf.root, *(moved[joint] for joint in kinematics.joints))
    children: dict[str, list[str]] = {}
    for link, number in zip(links, link_body, strict=True):
        if number and link == bodies[number]:
            carrier = bodies[kinematics.tree().parent[number - 1]]
            children.setdefault(carrier, []).append(link)
    return ModelTree(
        robot=body.name,
        fixed_base=body.fixed_base,
        tree=kinematics.tree(),
        joints=kinematics.joints,
        bodies=bodies,
        body_p_com=_centres(urdf, links, link_body, body_R_link, body_p_link),
        children=children,
        links=links,
        link_body=link_body,
        body_R_link=body_R_link,
        body_p_link=body_p_link,
        lower=body.lower,
        upper=body.upper,
        standing=body.neutral,
    )


def _links_below(urdf: Urdf) -> dict[str, list[str]]:
    below: dict[str, list[str]] = {}
    for joint in urdf.joints.values():
        below.setdefault(joint.parent, []).append(joint.child)
    return below


def _centres(
    urdf: Urdf,
    links: tuple[str, ...],
    link_body: np.ndarray,
    body_R_link: Array,
    body_p_link: Array,
) -> Array:
    """Return the centre of mass of each body; its origin where nothing weighs."""
    masses = np.array([urdf.links[link].mass for link in links])
    inside = np.array([urdf.links[link].link_p_com for link in links])
    centres = body_p_link + np.einsum("kij,kj->ki", body_R_link, inside)
    count = int(link_body.max()) + 1
    weight = np.bincount(link_body, masses, count)
    moment = np.stack(
        [np.bincount(link_body, masses * centres[:, i], count) for i in range(3)], 1
    )
    return np.asarray(moment / np.where(weight > 0.0, weight, 1.0)[:, None])
